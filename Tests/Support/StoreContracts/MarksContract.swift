import Filters
import Foundation
import Posts
import Storage

/// What a store promises of what a person makes of posts.
public enum MarksContract {
  /// The claims.
  public static let claims = marks + undoing + undoingAmongOthers + albums + searches + merging

  static let person = Marker(machine: "desk", program: .command)
  private static let rule = Marker(machine: "desk", program: .rule)

  private static let marks = [
    StoreClaim("marks are seen by other processes, are durable, and no pull touches them") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.mark(
        [ids[0]], [.favourite(true), .rating(4), .seen(true), .note(" a heron "), .ownTag(" +To  Print")], by: person,
        now: noon)
      try library.pull([post(2, caption: "edited"), post(1)])
      let read = { (store: Store) in try require(try store.post(ids[0])).post.marks }
      for marks in [try read(library.other), try library.leftByPowerLoss(read)] {
        try expect(marks.isFavourite, true)
        try expect(marks.rating, 4)
        try expect(marks.seenAt, noon)
        try expect(marks.note, "a heron")
        try expect(marks.ownTags, ["to print"])
      }
      try expect(try require(try library.other.post(ids[1])).post.marks.ownTags, [])
    },
    StoreClaim("a change event tells of each mark, once, and of none that changed nothing") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      let marks: [Mark] = [.favourite(true), .rating(2), .seen(true), .note("x"), .ownTag("a")]
      for mark in marks {
        let position = try library.other.changePosition()
        try expect(try library.store.mark(ids, [mark], by: person, now: noon).changed, ids)
        try expect(try library.other.countChanges(after: position), 2)
      }
      let position = try library.other.changePosition()
      let again = try library.store.mark(ids + [404_404], marks, by: person, now: noon + 5)
      try expect(again.changed, [])
      try expect(again.unknown, [404_404])
      try expect(again.change, nil)
      try expect(try library.other.countChanges(after: position), 0)
    },
    StoreClaim("a dry run tells what would change, and changes nothing") { library in
      let ids = try library.pull([post(1)]).posts
      try expect(try library.store.mark(ids, [.rating(3)], by: person, now: noon, dryRun: true).changed, ids)
      try expect(try require(try library.other.post(ids[0])).post.marks, try unmarked(library, ids[0]))
      try expect(try library.store.undo(by: person, now: noon), nil)
    },
    StoreClaim("what cannot be a mark is refused, and nothing of it is stored") { library in
      let ids = try library.pull([post(1)]).posts
      let wrong: [(Mark, MarkError)] = [
        (.rating(6), .rating(6)), (.rating(-1), .rating(-1)), (.ownTag(" + "), .name(" + ")),
        (.ownTag("a\u{1B}[31m"), .name("a\u{1B}[31m")), (.ownTag("a\u{202E}b"), .name("a\u{202E}b")),
        (.note(String(repeating: "x", count: Mark.longestNote + 1)), .longNote),
      ]
      for (mark, error) in wrong {
        try expect(throws: error) { try library.store.mark(ids, [.favourite(true), mark], by: person, now: noon) }
      }
      try expect(try require(try library.other.post(ids[0])).post.marks.isFavourite, false)
    },
    StoreClaim("a rule's mark never replaces what a person said, and a person's always replaces a rule's") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.mark([ids[0]], [.rating(5)], by: person, now: noon)
      try expect(try library.store.mark(ids, [.rating(1)], by: rule, now: noon + 60).changed, [ids[1]])
      try expect(try library.store.mark([ids[1]], [.rating(3)], by: person, now: noon - 60).changed, [ids[1]])
      try expect(try library.other.posts(numbered: ids).map(\.marks.rating).sorted(), [3, 5])
    },
    StoreClaim("filters find marked posts") { library in
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      try library.store.mark(
        [ids[0]], [.favourite(true), .rating(5), .note("a"), .ownTag("rating:5")], by: person, now: noon)
      try library.store.mark([ids[1]], [.rating(2), .seen(true)], by: person, now: noon)
      for (text, found) in [
        ("is:favourite", [0]), ("-is:favourite", [1, 2]), ("rating:>=2", [0, 1]), ("rating:0", [2]),
        ("rating:2|5", [0, 1]), ("own:\"rating:5\"", [0]), ("own:RATING:5", [0]), ("own:none", []), ("is:seen", [1]),
        ("is:unseen", [0, 2]), ("has:note", [0]), ("post rating:>1", [0, 1]), ("is:favourite OR is:seen", [0, 1]),
      ] as [(String, [Int])] {
        try expect(try library.numbers(text), found.map { ids[$0] }, file: text)
      }
    },
  ]

  private static func unmarked(_ library: NewLibrary, _ id: Int64) throws -> PostMarks {
    let other = try library.pull([post(99)]).posts
    return try require(try library.store.post(other[0])).post.marks
  }

  private static let undoing = [
    StoreClaim("the last change of a machine is undone, then the one before, and what was changed since stays") {
      library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.mark(ids, [.rating(2), .ownTag("a")], by: person, now: noon)
      try library.store.mark(ids, [.rating(4)], by: person, now: noon)
      let elsewhere = Marker(machine: "laptop", program: .command)
      try library.store.mark([ids[0]], [.rating(5)], by: elsewhere, now: noon)
      try expect(try library.store.undo(by: person, now: noon)?.posts, [ids[1]])
      try expect(try library.other.posts(numbered: ids).map(\.marks.rating).sorted(), [2, 5])
      try expect(try library.store.undo(by: person, now: noon)?.posts.count, 2)
      try expect(try library.other.posts(numbered: ids).map(\.marks.rating).sorted(), [0, 5])
      try expect(try library.other.posts(numbered: ids).map(\.marks.ownTags), [[], []])
      try expect(try library.store.undo(by: person, now: noon), nil)
    },
    StoreClaim("a deletion and a restoration are undone") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.delete(ids, by: person, now: noon)
      try library.store.restore([ids[0]], by: person, now: noon + 1)
      try expect(try library.store.undo(by: person, now: noon + 2)?.posts, [ids[0]])
      try expect(try library.captions(), [])
      try expect(try library.store.undo(by: person, now: noon + 3)?.words, "delete 2 posts")
      try expect(try library.captions(), ["post 2", "post 1"])
    },
    StoreClaim("a note that was replaced is kept") { library in
      let ids = try library.pull([post(1)]).posts
      try library.store.mark(ids, [.note("one")], by: person, now: noon)
      try library.store.mark(ids, [.note("two")], by: person, now: noon)
      var notes: [String?] = []
      try library.store.eachRecord(of: nil, raw: false) { record in
        if case .post(let post) = record { notes = post.earlierNotes.map { $0[.note].text } }
      }
      try expect(notes, ["one"])
      let whole = try require(try library.other.post(ids[0]))
      try expect(whole.earlierNotes.map(\.text), ["one"])
      try expect(whole.earlierNotes.map(\.writtenAt), [noon])
    },
  ]

  private static let albums = [
    StoreClaim("names with capitals beyond ASCII are found, and are apart where only these differ") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      for (number, name) in ["Österreich", "österreich"].enumerated() {
        try library.store.createAlbum(name, by: person, now: noon)
        try library.store.add([ids[number]], toAlbum: name, by: person, now: noon)
        try library.store.save(try Filter(parsing: "in:\(name)"), as: name, by: person, now: noon)
      }
      for (filter, number) in [
        ("in:Österreich", 0), ("in:ÖSTERREICH", 0), ("in:österreicH", 1), ("saved:ÖsterreicH", 0),
      ] {
        try expect(try library.numbers(filter), [ids[number]])
      }
      try library.store.renameAlbum("Österreich", to: "ÄGYPTEN", by: person, now: noon)
      try expect(try library.numbers("saved:Österreich"), [ids[0]])
      try expect(throws: MarkError.albumExists("ÄGYPTEN")) {
        try library.store.createAlbum("Ägypten", by: person, now: noon)
      }
    },
    StoreClaim("an album keeps the order that it is given, and its posts once") { library in
      let ids = try library.pull((1...6).reversed().map { post($0) }).posts
      let store = library.store
      try store.createAlbum(" Winter  2025 ", by: person, now: noon)
      try store.add(ids, toAlbum: "winter 2025", by: person, now: noon)
      try expect(try store.add([ids[0]], toAlbum: "Winter 2025", by: person, now: noon).changed, [])
      try store.move(ids[5], inAlbum: "Winter 2025", before: ids[0], by: person, now: noon)
      try store.move(ids[1], inAlbum: "Winter 2025", before: nil, by: person, now: noon)
      try store.move(ids[4], inAlbum: "Winter 2025", before: ids[3], by: person, now: noon)
      try store.remove([ids[2]], fromAlbum: "Winter 2025", by: person, now: noon)
      let wanted = [5, 0, 4, 3, 1].map { ids[$0] }
      try expect(try library.other.posts(ofAlbum: "Winter 2025"), wanted)
      try expect(Set(try library.numbers("in:\"Winter 2025\"")), Set(wanted))
      try store.delete([ids[5]], now: noon)
      try expect(try library.other.albums().map(\.posts), [4])
      try expect(try store.undo(by: person, now: noon)?.posts, [ids[2]])
      try expect(try library.other.posts(ofAlbum: "Winter 2025"), [0, 2, 4, 3, 1].map { ids[$0] })
      try expect(try require(try library.other.post(ids[0])).post.marks.albums, ["Winter 2025"])
    },
    StoreClaim("an album is read in its order, part by part, from any of its places") { library in
      let ids = try library.pull((1...9).reversed().map { post($0) }).posts
      try library.store.createAlbum("Winter", by: person, now: noon)
      try library.store.add(ids, toAlbum: "Winter", by: person, now: noon)
      try library.store.move(ids[8], inAlbum: "Winter", before: ids[0], by: person, now: noon)
      try library.store.delete([ids[3]], now: noon)
      let order = [8, 0, 1, 2, 4, 5, 6, 7].map { ids[$0] }
      let window = { (anchor: AlbumAnchor, before: Int, after: Int) in
        try require(try library.other.window(ofAlbum: "winter", around: anchor, before: before, after: after))
      }
      var (read, anchor) = ([Int64](), AlbumAnchor.start)
      while true {
        let part = try window(anchor, 0, 3)
        try expect(part.name, "Winter")
        try expect(part.reading.total, .exactly(8))
        read += part.reading.rows.map(\.post.id).filter { !read.contains($0) }
        guard part.reading.hasMoreAfter, let last = part.positions.last else { break }
        anchor = .position(try require(AlbumPosition(last.description)))
      }
      try expect(read, order)
      let around = try window(.post(ids[4]), 2, 2)
      try expect(around.reading.rows.map(\.post.id), [1, 2, 4, 5].map { ids[$0] })
      try expect([around.reading.hasMoreBefore, around.reading.hasMoreAfter], [true, true])
      try expect(around.positions.map(\.description).sorted(), around.positions.map(\.description))
      let end = try window(.end, 2, 2)
      try expect(end.reading.rows.map(\.post.id), [ids[6], ids[7]])
      try expect([end.reading.hasMoreBefore, end.reading.hasMoreAfter], [true, false])
      // A place stays one when its post has left.
      try library.store.remove([ids[4]], fromAlbum: "Winter", by: person, now: noon)
      try expect(try window(.position(around.positions[2]), 1, 1).reading.rows.map(\.post.id), [ids[2], ids[5]])
      try expect(try library.other.count(before: ids[2], inAlbum: "Winter"), .exactly(3))
      try expect(try library.other.count(before: ids[4], inAlbum: "Winter"), nil)
      try expect(try library.other.window(ofAlbum: "Summer"), nil)
      try expect(["", "a0/x", "//1", "a0/x/y", "a00000/x/1"].map(AlbumPosition.init), [nil, nil, nil, nil, nil])
    },
    StoreClaim("albums are renamed, deleted and brought back") { library in
      let ids = try library.pull([post(1)]).posts
      try library.store.createAlbum("a", by: person, now: noon)
      try library.store.createAlbum("b", by: person, now: noon)
      try library.store.add(ids, toAlbum: "a", by: person, now: noon)
      try expect(throws: MarkError.albumExists("b")) {
        try library.store.renameAlbum("a", to: "B", by: person, now: noon)
      }
      try expect(throws: MarkError.albumExists("a")) { try library.store.createAlbum("A", by: person, now: noon) }
      try library.store.renameAlbum("a", to: "c", by: person, now: noon)
      try library.store.deleteAlbum("c", by: person, now: noon)
      try expect(try library.other.albums().map(\.name), ["b"])
      try expect(throws: MarkError.noAlbum("c", nearest: nil)) {
        try library.store.add(ids, toAlbum: "c", by: person, now: noon)
      }
      try library.store.undo(by: person, now: noon)
      try library.store.undo(by: person, now: noon)
      try expect(try library.other.albums().map(\.name), ["a", "b"])
      try expect(try library.other.albums().map(\.posts), [1, 0])
      try expect(throws: MarkError.notInAlbum(post: ids[0], album: "b")) {
        try library.store.move(ids[0], inAlbum: "b", before: nil, by: person, now: noon)
      }
    },
    StoreClaim("an album comes back under a free name if another one has its own by now") { library in
      let ids = try library.pull([post(1)]).posts
      let elsewhere = Marker(machine: "laptop", program: .command)
      try library.store.createAlbum("Winter", by: person, now: noon)
      try library.store.add(ids, toAlbum: "Winter", by: person, now: noon)
      try library.store.deleteAlbum("Winter", by: person, now: noon)
      try library.store.createAlbum("winter", by: elsewhere, now: noon)
      try expect(try library.store.undo(by: person, now: noon)?.renamed, ["Winter 2"])
      try expect(try library.other.albums().map(\.name), ["winter", "Winter 2"])
      try expect(try library.other.posts(ofAlbum: "Winter 2"), ids)
      try library.store.renameAlbum("Winter 2", to: "Cold", by: person, now: noon)
      try library.store.createAlbum("Winter 2", by: elsewhere, now: noon)
      try expect(try library.store.undo(by: person, now: noon)?.renamed, ["Winter 2 2"])
    },
    StoreClaim("an album is numbered anew where a place has no room") { library in
      let ids = try library.pull((1...3).reversed().map { post($0) }).posts
      try library.store.createAlbum("a", by: person, now: noon)
      try library.store.add(ids, toAlbum: "a", by: person, now: noon)
      // Each move halves the room between the first two.
      for round in 0..<400 {
        let (first, second) = round.isMultiple(of: 2) ? (ids[2], ids[1]) : (ids[1], ids[2])
        try library.store.move(first, inAlbum: "a", before: second, by: person, now: noon)
        try expect(try library.other.posts(ofAlbum: "a"), [ids[0], first, second])
      }
      var longest = 0
      try library.store.eachRecord(of: nil, raw: false) { record in
        guard case .post(let post) = record else { return }
        longest = max(longest, post.albums.compactMap { $0[.place].text?.count }.max() ?? 0)
      }
      try expect(longest <= 60, true)
    },
  ]

  private static let merging = [
    StoreClaim("records without stamps, and with strange ones, count least and harm nothing") { library in
      let ids = try library.pull([post(1)]).posts
      try library.store.mark(ids, [.rating(2)], by: person, now: noon)
      var records: [LibraryRecord] = []
      try library.store.eachRecord(of: nil, raw: false) { records.append($0) }
      for stamp in [
        nil, "", "9", "1 9999", "1 2026-13-01T00:00:00.000Z 00000000 x", "2 2026-01-01T00:00:00.000Z 00000000 x",
      ] {
        let changed = records.map { record -> LibraryRecord in
          guard case .post(var post) = record else { return record }
          post.state?[.rating] = .integer(5)
          post.state?[.ratingStamp] = stamp.map { .text($0) } ?? .null
          post.state?[.favourite] = .integer(1)
          post.state?[.favouriteStamp] = .null
          return .post(post)
        }
        try library.store.beginMerge()
        try expect(try library.store.merge(changed, stored: [], dryRun: false, now: noon).refused, [:])
        try expect(try require(try library.other.post(ids[0])).post.marks.rating, 2)
        try expect(try require(try library.other.post(ids[0])).post.marks.isFavourite, true)
      }
    },
    StoreClaim("an album that comes back, or is renamed, where another has its name becomes one with it") { library in
      let store = library.store
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      func merge(_ change: (inout RecordFields<TransferColumns.Album>) -> Void, onlyOf name: String) throws {
        var records: [LibraryRecord] = []
        try store.eachRecord(of: nil, raw: false) { record in
          guard case .album(var album) = record, album[.name] == .text(name) else { return }
          change(&album)
          records.append(.album(album))
        }
        try store.beginMerge()
        try expect(try store.merge(Array(records.prefix(1)), stored: [], dryRun: false, now: noon).refused, [:])
      }
      let later = TransferValue.text("1 2099-01-01T00:00:00.000Z 00000000 far")
      try store.createAlbum("Winter", by: person, now: noon)
      try store.add([ids[0], ids[1]], toAlbum: "Winter", by: person, now: noon)
      let deletion = try require(try store.deleteAlbum("Winter", by: person, now: noon).change)
      try store.createAlbum("winter", by: person, now: noon)
      try store.add([ids[2], ids[1]], toAlbum: "winter", by: person, now: noon)
      try merge({ ($0[.isDeleted], $0[.deletedStamp]) = (.integer(0), later) }, onlyOf: "Winter")
      try expect(try library.other.albumNames(), ["winter"])
      try expect(Set(try library.other.posts(ofAlbum: "winter")), Set(ids))
      // What undoes the deletion finds it undone.
      try store.undo(deletion, by: person, now: noon)
      try expect(try library.other.albumNames(), ["winter"])
      // So does one that gets the name of another.
      try store.createAlbum("Cold", by: person, now: noon)
      try store.remove([ids[0]], fromAlbum: "winter", by: person, now: noon)
      try store.add([ids[0]], toAlbum: "Cold", by: person, now: noon)
      // The clock goes on from what was merged.
      let latest = TransferValue.text("1 2100-01-01T00:00:00.000Z 00000000 far")
      try merge({ ($0[.name], $0[.nameStamp]) = (.text("Winter"), latest) }, onlyOf: "Cold")
      try expect(try library.other.albumNames(), ["Winter"])
      try expect(Set(try library.other.posts(ofAlbum: "winter")), Set(ids))
    },
  ]
}

extension NewLibrary {
  /// Brings in a saved search as a copy does, which is not asked whether it can be used.
  func bring(_ name: String, _ filter: String, stamp: String = "0 2023-01-01T00:00:00.000Z 00000000 far") throws {
    let record = RecordFields<TransferColumns.SavedSearch> { column in
      switch column {
      case .name: .text(name)
      case .filter: .text(filter)
      case .stamp: .text(stamp)
      }
    }
    try store.beginMerge()
    try expect(try store.merge([.search(record)], stored: [], dryRun: false, now: noon).refused, [:])
  }

  /// The posts that a filter finds, as the other process lists them.
  func numbers(_ filter: String) throws -> [Int64] {
    var list = PostListQuery()
    list.filter = PostFilter(try Filter(parsing: filter), now: noon)
    return try other.window(list, around: nil, before: 0, after: 100).rows.map(\.post.id)
  }
}

/// - Throws: `BrokenClaim` if `body` throws nothing, or another error.
func expect(
  throws wanted: MarkError, file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws {
  do { try body() } catch let error as MarkError { return try expect(error, wanted, file: file, line: line) }
  throw BrokenClaim(description: "\(file):\(line): no error instead of \(wanted)")
}
