import Filters
import Foundation
import Machine
import Posts
import Storage

/// What a store promises of shares.
public enum SharesContract {
  private static let person = MarksContract.person

  private static func share(
    _ filter: String, in library: NewLibrary, at token: String = "a", _ change: (inout ShareDraft) -> Void = { _ in }
  ) throws -> StoredShare {
    var draft = ShareDraft(of: try Filter(parsing: filter))
    change(&draft)
    _ = try library.store.makeShare(draft, tokenHash: token, now: noon)
    return try require(try library.other.share(tokenHash: token))
  }

  private static func captions(_ share: StoredShare, in library: NewLibrary) throws -> [String] {
    let ids = try library.other.posts(of: share, now: noon)
    let posts = try library.other.posts(numbered: ids)
    return ids.compactMap { id in posts.first { $0.id == id }?.caption }
  }

  /// The claims.
  public static let claims = [
    StoreClaim("a share is found by its hash, listed, and revoked once, at once for others") { library in
      let ids = try library.pull([post(1)]).posts
      try library.store.createAlbum("Winter", by: person, now: noon)
      try library.store.add(ids, toAlbum: "Winter", by: person, now: noon)
      let made = try share("in:Winter", in: library) {
        ($0.hasOriginals, $0.shows, $0.passwordHash, $0.endsAt) = (true, [.gone, .sensitive], "x", noon + 60)
      }
      try expect([made.title, made.album, made.filter, made.passwordHash], ["Winter", "Winter", nil, "x"])
      try expect([made.isLive, made.hasOriginals, made.hasPassword], [true, true, true])
      try expect([made.shows], [[.gone, .sensitive]])
      try expect([made.isOpen(at: noon), made.isOpen(at: noon + 60)], [true, false])
      try expect(try library.other.share(tokenHash: "b"), nil)
      let other = try share("cats", in: library, at: "b") { $0.title = "Cats" }
      try expect(try library.other.shares().map(\.id), [other.id, made.id])
      try expect(try library.store.revokeShares(made.id, now: noon), 1)
      try expect(try library.store.revokeShares(made.id, now: noon + 1), 0)
      try expect(try library.other.share(tokenHash: "a")?.revokedAt, noon)
      try expect(try library.store.revokeShares(nil, now: noon), 1)
      try expect(try library.other.shares().filter { $0.isOpen(at: noon) }, [])
    },
    StoreClaim("an album is shared in its order as it is, and not once it is deleted") { library in
      let ids = try library.pull((1...4).reversed().map { post($0) }).posts
      try library.store.createAlbum("Winter", by: person, now: noon)
      try library.store.add([ids[2], ids[0], ids[1]], toAlbum: "Winter", by: person, now: noon)
      let made = try share("in:winter", in: library)
      try expect(try captions(made, in: library), ["post 2", "post 4", "post 3"])
      try library.store.move(ids[1], inAlbum: "Winter", before: ids[2], by: person, now: noon)
      try library.store.delete([ids[0]], now: noon)
      try expect(try captions(made, in: library), ["post 3", "post 2"])
      try library.store.deleteAlbum("Winter", by: person, now: noon)
      try expect(try library.other.share(tokenHash: "a")?.isOpen(at: noon), false)
      try expect(throws: MarkError.noAlbum("Winter", nearest: nil)) { _ = try share("in:Winter", in: library, at: "b") }
    },
    StoreClaim("what a filter found stays shared in its order, and a live one follows") { library in
      try library.pull([post(2), post(1)])
      let (fixed, live) = (try share("post", in: library), try share("post", in: library, at: "b") { $0.isLive = true })
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      try expect(try captions(fixed, in: library), ["post 2", "post 1"])
      try expect(try captions(live, in: library), ["post 3", "post 2", "post 1"])
      try library.store.delete([ids[1]], now: noon)
      try expect(try captions(fixed, in: library), ["post 1"])
      try expect(try captions(live, in: library), ["post 3", "post 1"])
    },
    StoreClaim("a share shows nothing once its filter names what is gone") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.createAlbum("Mine", by: person, now: noon)
      try library.store.add([ids[0]], toAlbum: "Mine", by: person, now: noon)
      try library.store.save(try Filter(parsing: "in:Mine"), as: "mine", by: person, now: noon)
      let shares = try ["post -in:Mine", "post -saved:mine"].map { filter in
        try share(filter, in: library, at: filter) { $0.isLive = true }
      }
      for share in shares { try expect(try captions(share, in: library), ["post 1"]) }
      try library.store.deleteAlbum("Mine", by: person, now: noon)
      for share in shares { try expect(try captions(share, in: library), []) }
      try expect(throws: MarkError.noAlbum("Mine", nearest: nil)) { _ = try share("-in:Mine", in: library, at: "b") }
    },
    StoreClaim("what has the name of a deleted saved search or album is not shared with its friends") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      func begin(_ name: String) throws {
        try library.store.createAlbum(name, by: person, now: noon)
        try library.store.add([ids[0]], toAlbum: name, by: person, now: noon)
        try library.store.save(try Filter(parsing: "post"), as: name, by: person, now: noon)
      }
      func end(_ name: String) throws {
        try library.store.deleteAlbum(name, by: person, now: noon)
        try library.store.deleteSearch(name, by: person, now: noon)
      }
      try begin("Mine")
      let shares = try ["post in:Mine", "saved:Mine"].map { filter in
        try share(filter, in: library, at: filter) { $0.isLive = true }
      }
      let fixed = try share("saved:mine", in: library)
      try end("Mine")
      for share in shares { try expect(try captions(share, in: library), []) }
      // Undone, they are the same ones again.
      for _ in 0..<2 { _ = try library.store.undo(by: person, now: noon) }
      try expect(try shares.map { try captions($0, in: library) }, [["post 2"], ["post 2", "post 1"]])
      try end("Mine")
      try begin("mine")
      try expect(try library.other.shares().map { $0.isOpen(at: noon) }, [true, false, false])
      try expect(try captions(fixed, in: library), ["post 2", "post 1"])
      // So with another name.
      _ = try share("post in:mine", in: library, at: "c") { $0.isLive = true }
      try end("mine")
      try begin("Other")
      try library.store.renameAlbum("Other", to: "Mine", by: person, now: noon)
      try expect(try library.other.share(tokenHash: "c")?.isOpen(at: noon), false)
    },
    StoreClaim("an undo brings what others made into no share, nor takes what a share follows out of it") { library in
      let store = library.store
      let elsewhere = Marker(machine: "laptop", program: .command)
      let ids = try library.pull([post(2), post(1)]).posts
      for (id, rating) in zip(ids, [2, 1]) { try store.mark([id], [.rating(rating)], by: person, now: noon) }
      func make(_ name: String, _ number: Int, by marker: Marker) throws {
        try store.createAlbum(name, by: marker, now: noon)
        try store.add([ids[2 - number]], toAlbum: name, by: marker, now: noon)
        try store.save(try Filter(parsing: "rating:\(number)"), as: name, by: marker, now: noon)
      }
      func rename(_ name: String, _ new: String) throws {
        try store.renameAlbum(name, to: new, by: person, now: noon)
        try store.renameSearch(name, to: new, by: person, now: noon)
      }
      func delete(_ name: String, by marker: Marker) throws {
        try store.deleteAlbum(name, by: marker, now: noon)
        try store.deleteSearch(name, by: marker, now: noon)
      }
      func shareBoth(_ name: String) throws {
        for key in ["in", "saved"] {
          _ = try share("post \(key):\(name)", in: library, at: "\(key) \(name)") { $0.isLive = true }
        }
      }
      /// What both show; nil for one that has ended.
      func shown(_ name: String) throws -> [[String]?] {
        try ["in", "saved"].map { key in
          let share = try require(try library.other.share(tokenHash: "\(key) \(name)"))
          return share.isOpen(at: noon) ? try captions(share, in: library) : nil
        }
      }
      func undo() throws { for _ in 0..<2 { try store.undo(by: person, now: noon) } }
      // Another one has the name.
      try make("Winter", 1, by: person)
      try shareBoth("Winter")
      let both: [RuleAction] = [.album("Winter"), .notice]
      try store.save(Rule(name: "r", filter: "in:Winter saved:Winter", actions: both), by: person, now: noon)
      try rename("Winter", "Ski")
      try make("Winter", 2, by: elsewhere)
      try undo()
      try expect(try shown("Winter"), [["post 1"], ["post 1"]])
      try expect(try library.other.rules()[0].filter, "in:\"Winter 2\" saved:\"Winter 2\"")
      try expect(try library.other.rules()[0].actions, [.album("Winter 2"), .notice])
      // Another one had the name, and was shared.
      for (name, isRename) in [("Orig", true), ("Vx", false)] {
        try make(name, 1, by: person)
        if isRename { try rename(name, "Moved") } else { try delete(name, by: person) }
        try make(name, 2, by: elsewhere)
        try shareBoth(name)
        try delete(name, by: elsewhere)
        try undo()
        try expect(try library.other.albumNames().contains(name), true)
        try expect(try shown(name), [nil, nil])
      }
    },
    StoreClaim("a share follows its album to the name that a merge brings, and ends before another one has its name") {
      library in
      let ids = try library.pull([post(3), post(2), post(1)]).posts
      for name in ["Party", "Best"] { try library.store.createAlbum(name, by: person, now: noon) }
      try library.store.add([ids[0]], toAlbum: "Party", by: person, now: noon)
      try library.store.add([ids[1]], toAlbum: "Best", by: person, now: noon)
      try library.store.save(try Filter(parsing: "in:party"), as: "p", by: person, now: noon)
      _ = try share("in:Party", in: library, at: "whole")
      for filter in ["in:Party -tag:nix", "saved:p", "in:Best post"] {
        _ = try share(filter, in: library, at: filter) { $0.isLive = true }
      }
      func shown(_ token: String) throws -> [String]? {
        let share = try require(try library.other.share(tokenHash: token))
        return share.isOpen(at: noon) ? try captions(share, in: library).sorted() : nil
      }
      // Another album gets the name at once.
      try library.mergeAlbums("Party", to: "Fest", second: 10)
      try expect(try library.other.albumNames(), ["Best", "Fest", "Party"])
      try expect(try library.other.savedSearches().map(\.filter), ["in:Fest"])
      try library.store.add([ids[2]], toAlbum: "Party", by: person, now: noon)
      for token in ["whole", "in:Party -tag:nix", "saved:p"] { try expect(try shown(token), ["post 3"]) }
      // One that is joined with another one takes its shares along.
      try library.mergeAlbums("Fest", to: "Best", second: 20)
      for token in ["whole", "in:Party -tag:nix", "saved:p"] { try expect(try shown(token), ["post 2", "post 3"]) }
      try expect(try library.other.share(tokenHash: "whole")?.album, "Best")
      // What was deleted is not what has its name then.
      try library.store.deleteAlbum("Best", by: person, now: noon)
      try library.mergeAlbums(nil, to: "Best", second: 30)
      for token in ["in:Party -tag:nix", "saved:p", "in:Best post"] { try expect(try shown(token), nil) }
    },
    StoreClaim("a share follows its saved search in a merge, and ends before a new one has its name") { library in
      _ = try library.pull([post(2), post(1)])
      try library.bring("best", "tag:cats")
      _ = try share("saved:best", in: library, at: "a") { $0.isLive = true }
      try library.bring("Best", "post", stamp: "0 2024-01-01T00:00:00.000Z 00000000 far")
      try expect(try library.other.savedSearches().map(\.name), ["Best"])
      try expect(try captions(try require(try library.other.share(tokenHash: "a")), in: library).count, 2)
      try expect(try library.other.share(tokenHash: "a")?.isOpen(at: noon), true)
      try library.store.deleteSearch("best", by: person, now: noon)
      try library.bring("best", "post", stamp: "1 2099-01-01T00:00:00.000Z 00000000 far")
      try expect(try library.other.savedSearches().count, 1)
      try expect(try library.other.share(tokenHash: "a")?.isOpen(at: noon), false)
    },
    StoreClaim("an undo gives a search no filter whose album is another one by now, as far as friends see it") {
      library in
      let ids = try library.pull([post(2), post(1)]).posts
      func album(_ post: Int64) throws {
        try library.store.createAlbum("Trip", by: person, now: noon)
        try library.store.add([post], toAlbum: "Trip", by: person, now: noon)
      }
      let other = Marker(machine: "laptop", program: .gallery)
      try album(ids[0])
      for isDeleted in [false, true] {
        try library.store.save(try Filter(parsing: "in:Trip"), as: "best", by: person, now: noon)
        let made = try share("saved:best", in: library, at: "\(isDeleted)") { $0.isLive = true }
        if isDeleted {
          try library.store.deleteSearch("best", by: other, now: noon)
        } else {
          try library.store.save(try Filter(parsing: "tag:none"), as: "best", by: other, now: noon)
        }
        try library.store.deleteAlbum("Trip", by: person, now: noon)
        try album(ids[1])
        try library.store.undo(by: other, now: noon)
        try expect(try library.store.savedSearches().map(\.filter), ["in:Trip"])
        try expect(try library.other.shares().first { $0.id == made.id }?.isOpen(at: noon), false)
      }
    },
    StoreClaim("a share finds nothing by notes, and leaves out what they leave out") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.mark([ids[0]], [.note("blurred")], by: person, now: noon)
      try library.store.save(try Filter(parsing: "post -blurred"), as: "sharp", by: person, now: noon)
      for (filter, shown) in [("blurred", []), ("post -blurred", ["post 1"]), ("saved:sharp", ["post 1"])] {
        for isLive in [false, true] {
          let made = try share(filter, in: library, at: "\(filter) \(isLive)") { $0.isLive = isLive }
          try expect(try captions(made, in: library), shown)
        }
      }
    },
    StoreClaim("only what everybody may see is shared, and gone, hidden and sensitive posts where it is asked for") {
      library in
      var (secret, sensitive) = (post(4), post(3))
      (secret.visibility, sensitive.sensitive) = (.followers, true)
      try library.pull([secret, sensitive, post(2), post(1), post(0, caption: "hidden")])
      let hidden = try library.store.posts().filter { $0.caption == "hidden" }.map(\.id)
      try library.store.hide(hidden, by: person, now: noon)
      try library.enter("by hand", from: noon, to: noon)
      let known = try library.store.knownPosts(of: cats, leaving: [], since: nil, after: nil, limit: 9)
      _ = try library.store.save(LookupResult(shown: [], gone: ["1"]), of: known, pictures: true, now: noon + 60)
      for isLive in [false, true] {
        let plain = try share("tag:cats OR is:manual OR is:deleted OR is:hidden", in: library, at: "\(isLive)") {
          $0.isLive = isLive
        }
        try expect(try captions(plain, in: library), ["post 2"])
        let more = try share("tag:cats OR is:manual", in: library, at: "more \(isLive)") {
          ($0.isLive, $0.shows) = (isLive, [.gone, .hidden, .sensitive])
        }
        try expect(try captions(more, in: library), ["post 3", "post 2", "post 1", "hidden"])
      }
    },
  ]
}

extension NewLibrary {
  /// Brings an album's other name as a copy does, and a new album of its old name; of no album, only one of a name.
  fileprivate func mergeAlbums(_ name: String?, to new: String, second: Double) throws {
    let stamp = TransferValue.text("1 \(UTC.text(noon + second)) 00000000 far")
    func album(_ identity: TransferValue, _ name: String) -> LibraryRecord {
      .album(
        RecordFields<TransferColumns.Album> { column in
          switch column {
          case .identity: identity
          case .name: .text(name)
          case .nameStamp, .deletedStamp: stamp
          case .isDeleted: .integer(0)
          }
        })
    }
    var records: [LibraryRecord] = []
    for case .album(let known) in try store.transferredMarks() where known[.name].text == name {
      records.append(album(known[.identity], new))
    }
    records.append(album(.text("new \(second)"), name ?? new))
    try store.beginMerge()
    try expect(try store.merge(records, stored: [], dryRun: false, now: noon).refused, [:])
  }
}
