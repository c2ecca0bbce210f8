import Filters
import Foundation
import Posts
import Storage
import Testing
import Transfer

/// Albums, saved searches, rules and what is hidden, in two libraries.
struct MergedMarksTests {
  private let person = Marker(machine: "desk", program: .command)

  @discardableResult
  private func copy(_ one: RandomLibrary, into other: RandomLibrary) throws -> MergedMarks {
    var records: [LibraryRecord] = []
    try one.store.eachRecord(of: nil, raw: true) { records.append($0) }
    try other.store.beginMerge()
    let merged = try other.store.merge(records, stored: [], dryRun: false, now: one.now)
    #expect(merged.refused.isEmpty)
    return merged.marks
  }

  private func add(_ text: String, in library: RandomLibrary) throws -> Int64 {
    let post = Post(source: .manual, uri: "urn:\(text)", createdAt: library.now, caption: text)
    return try library.store.add(post, id: UUID(), now: library.now)
  }

  private func save(_ filter: String, as name: String, in library: RandomLibrary) throws {
    try library.store.save(try Filter(parsing: filter), as: name, by: person, now: library.now)
  }

  private func differences(_ one: RandomLibrary, _ other: RandomLibrary) throws -> [String] {
    var found: [String] = []
    _ = try LibraryComparison(one.store, one.blobs, with: other.store, other.blobs).run { found.append("\($0)") }
    return found
  }

  private func rename(_ name: String, to new: String, in library: RandomLibrary) throws {
    try library.store.renameAlbum(name, to: new, by: person, now: library.now)
  }

  @Test func `albums get their new names by one copy, whichever had them before`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    for name in ["Winter", "Zoo"] { try one.store.createAlbum(name, by: person, now: one.now) }
    try copy(one, into: other)
    for (name, new) in [("Zoo", "Tmp"), ("Winter", "Zoo"), ("Tmp", "Winter")] { try rename(name, to: new, in: one) }
    #expect(try differences(one, other).sorted() == ["album Winter: name differs", "album Zoo: name differs"])
    try copy(one, into: other)
    #expect(try differences(one, other) == [])
    try rename("Winter", to: "Winter 2025", in: one)
    try rename("Zoo", to: "Winter", in: one)
    try copy(one, into: other)
    #expect(try differences(one, other) == [])
    // A new album is not the one that had its name.
    try rename("Winter", to: "Cold", in: one)
    try one.store.createAlbum("Winter", by: person, now: one.now)
    try one.store.deleteAlbum("Winter 2025", by: person, now: one.now)
    try one.store.createAlbum("Winter 2025", by: person, now: one.now)
    try copy(one, into: other)
    #expect(try differences(one, other) == [])
    #expect(try other.store.albumNames() == ["Cold", "Winter", "Winter 2025"])
    // Of two that have one name by now, both libraries make one.
    try other.store.createAlbum("Spring", by: person, now: other.now)
    try rename("Cold", to: "Spring", in: one)
    try copy(one, into: other)
    try copy(other, into: one)
    #expect(try differences(one, other) == [])
    for library in [one, other] { #expect(try library.store.albumNames() == ["Spring", "Winter", "Winter 2025"]) }
  }

  @Test func `an album that was made anew before its deletion was undone is one again`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    try one.store.createAlbum("Z", by: person, now: one.now)
    try copy(one, into: other)
    try one.store.deleteAlbum("Z", by: person, now: one.now)
    try copy(one, into: other)
    try other.store.createAlbum("Z", by: person, now: other.now)
    try one.store.undo(by: person, now: one.now)
    try copy(one, into: other)
    try copy(other, into: one)
    #expect(try differences(one, other) == [])
    try other.store.deleteAlbum("z", by: person, now: other.now)
    try copy(other, into: one)
    #expect(try differences(one, other) == [] && one.store.albumNames() == [])
  }

  @Test func `albums of one name that were made apart are equal`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    for (library, name) in [(one, "Winter"), (other, "winter")] {
      try library.store.createAlbum(name, by: person, now: library.now)
    }
    #expect(try differences(one, other) == [])
    try copy(one, into: other)
    #expect(try differences(one, other) == [])
    #expect(try other.store.albumNames() == ["winter"])
  }

  @Test func `a comparison finds other albums, saved searches, rules and hidden names`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    let rule = Rule(name: "r", filter: "tag:a", actions: [.notice])
    for name in ["a", "b"] { try one.store.save(.term(.init(.tag, [.word("x")])), as: name, by: person, now: one.now) }
    try one.store.save(rule, by: person, now: one.now)
    try one.store.hide([], [.tag("x")], by: person, now: one.now)
    try one.store.createAlbum("Winter", by: person, now: one.now)
    #expect(
      try differences(one, other) == [
        "album Winter: only here", "saved search a: only here", "saved search b: only here", "rule r: only here",
        "hidden tag x: only here",
      ])
    try copy(one, into: other)
    #expect(try differences(one, other) == [])
    try other.store.deleteSearch("a", by: person, now: other.now)
    try other.store.save(.term(.init(.tag, [.word("a")])), as: "b", by: person, now: other.now)
    try other.store.save(Rule(name: "r", filter: "tag:a", actions: []), by: person, now: other.now)
    try other.store.hide([], [.tag("x")], false, by: person, now: other.now)
    try other.store.hide([], [.tag("y")], by: person, now: other.now)
    try other.store.deleteAlbum("Winter", by: person, now: other.now)
    #expect(
      try differences(one, other) == [
        "album Winter: removal differs", "saved search a: removal differs", "saved search b: filter differs",
        "rule r: actions differs", "hidden tag x: removal differs", "hidden tag y: only there",
      ])
  }

  @Test func `what names an album names it by the new name that a copy brings, in both libraries`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    for name in ["Trip", "Zoo"] { try one.store.createAlbum(name, by: person, now: one.now) }
    try copy(one, into: other)
    for (library, name) in [(one, "mine"), (other, "theirs")] { try save("in:Trip -in:zoo", as: name, in: library) }
    let rule = Rule(name: "r", filter: "-in:Trip", actions: [.album("trip"), .notice])
    try other.store.save(rule, by: person, now: other.now)
    for (name, new) in [("Trip", "Tmp"), ("Zoo", "Trip"), ("Tmp", "Zoo")] { try rename(name, to: new, in: one) }
    // The names are those of the other library until it has the new ones.
    #expect(try copy(other, into: one).searches == ["theirs"])
    #expect(try copy(one, into: other).albums == ["Trip", "Zoo"])
    for library in [one, other] {
      #expect(try library.store.savedSearches().map(\.filter) == ["in:Zoo -in:Trip", "in:Zoo -in:Trip"])
      #expect(
        try library.store.rules() == [Rule(name: "r", filter: "-in:Zoo", actions: [.album("Zoo"), .notice])])
    }
    #expect(try differences(one, other) == [])
  }

  @Test func `what names an album names it rightly behind very many albums, too`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    try one.store.createAlbum("Trip", by: person, now: one.now)
    try copy(one, into: other)
    try rename("Trip", to: "Travels", in: other)
    let albums = (0..<1200).map { number in
      LibraryRecord.album(
        RecordFields { column in
          switch column {
          case .identity: .text("made \(number)")
          case .name: .text("Album \(number)")
          case .isDeleted: .integer(0)
          case .nameStamp, .deletedStamp: .text("1 2023-01-01T00:00:00.000Z 00000000 far")
          }
        })
    }
    try one.store.beginMerge()
    _ = try one.store.merge(albums, stored: [], dryRun: false, now: one.now)
    try save("in:Trip", as: "best", in: one)
    try one.store.save(Rule(name: "r", filter: "-in:Trip", actions: [.album("Trip")]), by: person, now: one.now)
    _ = try LibraryCopy(from: .init(one.store, one.blobs), to: .init(other.store, other.blobs), now: one.now).run()
    #expect(try other.store.savedSearches().map(\.filter) == ["in:Travels"])
    #expect(
      try other.store.rules() == [Rule(name: "r", filter: "-in:Travels", actions: [.album("Travels")])])
  }

  @Test func `a saved search finds pictures like those of the same post in a library that numbers it otherwise`() throws
  {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    for number in 0..<3 { _ = try add("other \(number)", in: other) }
    var ids: [Int64] = []
    for number in 0..<3 {
      let post = Post(
        source: .manual, uri: "", createdAt: one.now, caption: "heron \(number)",
        attachments: [Attachment(kind: .file, url: nil, name: "a.txt")])
      let file = try one.keep([UInt8(number / 2)])
      ids.append(try one.store.add(post, id: UUID(), pictures: [file], now: one.now))
    }
    try save("like:\(ids[0])", as: "alike", in: one)
    _ = try LibraryCopy(from: .init(one.store, one.blobs), to: .init(other.store, other.blobs), now: one.now).run()
    for library in [one, other] {
      var query = PostQuery(limit: nil)
      query.filter = PostFilter(try Filter(parsing: "saved:alike"), now: library.now)
      #expect(try Set(library.store.posts(query).map(\.caption)) == ["heron 0", "heron 1"])
    }
    #expect(try other.store.savedSearches().map(\.filter) != one.store.savedSearches().map(\.filter))
    #expect(try differences(one, other).allSatisfy { !$0.contains("saved search") })
    #expect(try copy(other, into: one) == MergeResult().marks)
  }

  @Test func `a saved search that was renamed elsewhere has its new name alone, and is found by what names it`() throws
  {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    try save("tag:a", as: "old", in: one)
    try save("saved:old", as: "up", in: one)
    try copy(one, into: other)
    try one.store.renameSearch("old", to: "new", by: person, now: one.now)
    for _ in 0..<2 {
      try copy(one, into: other)
      #expect(try other.store.savedSearches().map(\.name) == ["new", "up"])
      #expect(try other.store.savedSearches().map(\.filter) == ["tag:a", "saved:new"])
      try copy(other, into: one)
      #expect(try one.store.savedSearches().map(\.name) == ["new", "up"])
    }
  }

  @Test func `saved searches and rules whose names differ in capitals become one, the later one`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    try save("tag:cats", as: "Fav", in: one)
    try one.store.save(Rule(name: "Boats", filter: "tag:a", actions: [.notice]), by: person, now: one.now)
    try save("tag:stars", as: "other", in: other)
    try save("tag:stars", as: "fav", in: other)
    try other.store.save(Rule(name: "boats", filter: "tag:b", actions: [.notice]), by: person, now: other.now)
    try other.store.save(Rule(name: "boats", filter: "tag:b", actions: []), by: person, now: other.now)
    let merged = try copy(one, into: other)
    #expect(merged.searches == [] && merged.rules == [])
    let back = try copy(other, into: one)
    #expect(back.searches == ["fav", "other"] && back.rules == ["boats"])
    for library in [one, other] {
      #expect(try library.store.savedSearches().map(\.name) == ["fav", "other"])
      #expect(try library.store.rules() == [Rule(name: "boats", filter: "tag:b", actions: [])])
    }
    #expect(try differences(one, other) == [])
    #expect(try copy(one, into: other) == MergeResult().marks && copy(other, into: one) == MergeResult().marks)
    // So does one that was written in other letters, and one that was removed.
    try other.store.renameSearch("fav", to: "FAV", by: person, now: other.now)
    try copy(other, into: one)
    #expect(try one.store.savedSearches().map(\.name) == ["FAV", "other"])
    try one.store.deleteSearch("fav", by: person, now: one.now)
    try one.store.deleteRule("boats", by: person, now: one.now)
    #expect(try copy(one, into: other).searches == ["FAV"])
    #expect(try other.store.savedSearches().map(\.name) == ["other"] && other.store.rules() == [])
    #expect(try differences(one, other) == [])
  }

  @Test func `posts whose albums became one with others are equal, whatever order the albums have`() throws {
    let (one, other, third) = (try RandomLibrary(), try RandomLibrary(), try RandomLibrary())
    let post = try add("a heron", in: one)
    try copy(one, into: other)
    for name in ["W", "C"] {
      try one.store.createAlbum(name, by: person, now: one.now)
      try one.store.add([post], toAlbum: name, by: person, now: one.now)
    }
    // Made later, its identity comes last.
    for name in ["X", "Y", "W"] { try other.store.createAlbum(name, by: person, now: other.now + 60) }
    let merged = try copy(one, into: other)
    #expect(merged.albums == ["C", "W"])
    try copy(other, into: third)
    #expect(
      try differences(other, third) == [] && differences(one, other) == ["album X: only there", "album Y: only there"])
  }

  @Test func `a merge tells what it changes beside posts, and nothing where it changes nothing`() throws {
    let (one, other) = (try RandomLibrary(), try RandomLibrary())
    try one.store.createAlbum("Winter", by: person, now: one.now)
    try save("tag:a", as: "best", in: one)
    try one.store.save(Rule(name: "r", filter: "tag:a", actions: [.notice]), by: person, now: one.now)
    try one.store.hide([], [.tag("x")], by: person, now: one.now)
    let first = try copy(one, into: other)
    #expect(first.albums == ["Winter"] && first.searches == ["best"] && first.rules == ["r"] && first.hidden.count == 1)
    #expect(try copy(one, into: other) == MergeResult().marks)
    try save("tag:b", as: "best", in: one)
    #expect(try copy(one, into: other).searches == ["best"])
    let post = try add("a heron", in: one)
    try one.store.add([post], toAlbum: "Winter", by: person, now: one.now)
    #expect(try copy(one, into: other).albums == ["Winter"])
    try one.store.deleteAlbum("Winter", by: person, now: one.now)
    let last = try copy(one, into: other)
    #expect(last.albums == ["Winter"] && last.searches == [])
  }
}
