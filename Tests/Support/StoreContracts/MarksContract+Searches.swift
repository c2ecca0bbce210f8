import Blobs
import Filters
import Foundation
import Posts
import Storage

// Saved searches, which name albums and each other.

extension MarksContract {
  static let searches = [
    StoreClaim("a saved search finds what its filter finds, whatever it is inside of") { library in
      let ids = try library.pull([post(3), post(2, tags: ["dogs"]), post(1)]).posts
      try library.store.mark([ids[0]], [.favourite(true)], by: person, now: noon)
      func save(_ name: String, _ filter: String) throws {
        try library.store.save(try Filter(parsing: filter), as: name, by: person, now: noon)
      }
      try save("Good", "is:favourite OR tag:dogs")
      try save("better", "saved:good -tag:dogs")
      try library.bring("round", "saved:Round OR post")
      try expect(try library.numbers("saved:good"), [ids[0], ids[1]])
      try expect(try library.numbers("-saved:good"), [ids[2]])
      try expect(try library.numbers("saved:better"), [ids[0]])
      try expect(try library.numbers("saved:better|none"), [ids[0]])
      try expect(try library.numbers("saved:none"), [])
      try save("good", "-tag:dogs")
      try expect(try library.numbers("saved:good"), [ids[0], ids[2]])
      try library.store.renameSearch("Good", to: "cats", by: person, now: noon)
      try library.store.deleteSearch("round", by: person, now: noon)
      try expect(try library.other.savedSearches().map(\.name), ["better", "cats"])
      for _ in 0..<3 { try library.store.undo(by: person, now: noon) }
      try expect(
        try library.other.savedSearches().map(\.filter),
        ["saved:good -tag:dogs", "is:favourite OR tag:dogs", "saved:Round OR post"])
      try expect(throws: MarkError.noSearch("goood", nearest: "Good")) {
        try library.store.deleteSearch("goood", by: person, now: noon)
      }
    },
    StoreClaim("what names an album or a saved search follows its new name, and goes back with it") { library in
      let store = library.store
      let ids = try library.pull([post(2), post(1)]).posts
      try store.createAlbum("Winter", by: person, now: noon)
      try store.add([ids[0]], toAlbum: "Winter", by: person, now: noon)
      func save(_ name: String, _ filter: String) throws {
        try store.save(try Filter(parsing: filter), as: name, by: person, now: noon)
      }
      try save("a", "in:winter")
      try library.bring("b", "saved:A -(tag:x OR saved:b)")
      try save("c", "saved:A -tag:x")
      let actions: [RuleAction] = [.album("winter"), .notice]
      try store.save(Rule(name: "r", filter: "in:WINTER saved:a", actions: actions), by: person, now: noon)
      let wanted = (try store.savedSearches(), try store.rules())
      try store.renameAlbum("winter", to: "Cold days", by: person, now: noon)
      try expect(
        try library.other.savedSearches().map(\.filter),
        ["in:\"Cold days\"", "saved:A -(tag:x OR saved:b)", "saved:A -tag:x"])
      try expect(try library.other.rules().map(\.filter), ["in:\"Cold days\" saved:a"])
      try expect(try library.other.rules()[0].actions, [.album("Cold days"), .notice])
      try store.renameSearch("b", to: "bb", by: person, now: noon)
      try store.renameSearch("a", to: "best", by: person, now: noon)
      try expect(try library.numbers("saved:c"), [ids[0]])
      try expect(
        try library.other.savedSearches().map(\.filter),
        ["saved:best -(tag:x OR saved:bb)", "in:\"Cold days\"", "saved:best -tag:x"])
      try expect(
        try library.other.holders(ofAlbum: "cold days"), ["the saved search \"best\"", "the rule \"r\""])
      try expect(throws: MarkError.searchInItself("best")) { try save("best", "tag:x OR saved:bb") }
      try expect(try library.other.holders(ofSearch: "bb"), [])
      for _ in 0..<3 { try store.undo(by: person, now: noon) }
      try expect(try library.other.savedSearches(), wanted.0)
      try expect(try library.other.rules(), wanted.1)
      try expect(try library.other.albumNames(), ["Winter"])
    },
    StoreClaim("a saved search or a rule that comes from elsewhere names posts by what they are, never by numbers") {
      library in
      let store = library.store
      let ids = try library.pull([post(2, pictures: 1), post(1, pictures: 1)]).posts
      for (number, task) in try store.pictures(ofPosts: ids, now: noon).enumerated() {
        try store.attach([(task, StoredBlob(id: BlobID(hashing: [UInt8(number)]), byteCount: 1))], now: noon)
      }
      let own = "like:\(ids[1]) -tag:none"
      try store.save(try Filter(parsing: own), as: "own", by: person, now: noon)
      try store.save(Rule(name: "r", filter: own, actions: [.notice]), by: person, now: noon)
      let identity = "\(SourceName.usual.rawValue) \(post(1).uri)"
      let sent = "like:\"\(identity)\" -tag:none"
      let found: [TransferValue] = try store.transferredMarks().compactMap { record in
        switch record {
        case .search(let search): search[.filter]
        case .rule(let rule): rule[.filter]
        default: nil
        }
      }
      try expect(found, [.text(sent), .text(sent)])
      try library.bring("theirs", sent)
      try expect(try library.numbers("saved:theirs"), [ids[1]])
      try expect(try library.numbers("saved:own"), [ids[1]])
      try expect(try library.other.savedSearches().map(\.filter), [own, own])
      // A post that is not here is no other one.
      for (name, filter, post) in [
        ("gone", "like:\"\(identity)404\"", "\(identity)404"), ("old", "like:\(ids[1])", "elsewhere \(ids[1])"),
      ] {
        try library.bring(name, filter)
        for filter in ["saved:\(name)", "-saved:\(name)"] {
          try expectUnusable(name, "there is no post \"\(post)\"") { _ = try library.numbers(filter) }
        }
      }
      // A copy of the same change that says which post it was counts, in whatever order they come.
      for filter in [sent, "like:\(ids[1])"] {
        try library.bring("old", filter)
        try expect(try library.numbers("saved:old"), [ids[1]])
      }
      let stamp: String? = try store.transferredMarks().compactMap { record in
        if case .search(let search) = record, search[.name] == .text("own") { search[.stamp].text } else { nil }
      }.first
      try library.bring("own", "like:\"\(identity)404\"", stamp: try require(stamp))
      try expect(try library.numbers("saved:own"), [ids[1]])
      try expect(throws: MarkError.noPost("\(identity)404")) {
        try library.store.expectNames(of: try Filter(parsing: "like:\"\(identity)404\""))
      }
    },
    StoreClaim("saved searches that hold each other many times over end") { library in
      try library.pull([post(1)])
      for number in 0..<20 {
        try library.bring("s\(number)", (0..<9).map { _ in "saved:s\(number + 1)" }.joined(separator: " OR "))
      }
      try library.bring("s20", "tag:cats")
      try expectUnusable("s10", "with it, the filter is too large") { _ = try library.numbers("saved:s0") }
    },
    StoreClaim("a saved search that names what is gone, or itself, is an error wherever it is used") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      func save(_ name: String, _ filter: String) throws {
        try library.store.save(try Filter(parsing: filter), as: name, by: person, now: noon)
      }
      try library.store.createAlbum("Keep", by: person, now: noon)
      try library.store.add([ids[0]], toAlbum: "Keep", by: person, now: noon)
      try save("keep", "in:keep")
      try save("other", "saved:keep OR tag:none")
      try expect(try library.numbers("-saved:other"), [ids[1]])
      try library.store.deleteAlbum("Keep", by: person, now: noon)
      for filter in ["saved:keep", "-saved:keep", "tag:none OR -(saved:other tag:x)"] {
        try expectUnusable("keep", "there is no album \"keep\"") { _ = try library.numbers(filter) }
      }
      try library.store.undo(by: person, now: noon)
      try expect(try library.numbers("saved:keep"), [ids[0]])
      try library.store.deleteSearch("keep", by: person, now: noon)
      try expectUnusable("other", "there is no saved search \"keep\"") { _ = try library.numbers("-saved:other") }
      // What was said once of a post is no mistake, whoever has it now.
      try library.store.mark(ids, [.ownTag("boat"), .ownTag("cars")], by: person, now: noon)
      try library.bring("boat", "own:boat")
      try library.bring("car", "own:car")
      try library.store.mark(ids, [.noOwnTag("boat"), .ownTag("boats")], by: person, now: noon)
      try expect(try library.numbers("-saved:boat"), ids)
      try expectUnusable("car", "no post has your own tag \"car\"") { _ = try library.numbers("saved:car") }
      for (name, filter) in [("ring", "saved:ring"), ("a", "saved:b"), ("b", "saved:A OR post"), ("empty", "")] {
        try library.bring(name, filter)
      }
      try library.bring("broken", "nonsense:\"")
      for (name, inner, reason) in [
        ("ring", "ring", "it names itself, or another one that does"),
        ("a", "a", "it names itself, or another one that does"), ("empty", "empty", "its filter is empty"),
        ("broken", "broken", "\"nonsense\" is no key of a filter"),
      ] {
        try expectUnusable(inner, reason) { _ = try library.numbers("-saved:\(name)") }
      }
      // Nothing like it is saved.
      try expect(throws: MarkError.emptySearch) { try save("x", "") }
      try expect(throws: MarkError.searchInItself("x")) { try save("x", "tag:a OR saved:X") }
      try expect(throws: MarkError.searchInItself("A")) { try save("A", "-saved:b") }
      try expect(throws: MarkError.noAlbum("none", nearest: nil)) { try save("x", "-in:none") }
      try expect(throws: MarkError.noSearch("none", nearest: nil)) { try save("x", "-saved:none") }
      try expectUnusable("empty", "its filter is empty") { try save("x", "saved:empty") }
    },
  ]
}

/// - Throws: `BrokenClaim` if `body` throws nothing, or another error.
private func expectUnusable(_ name: String, _ reason: String, _ body: () throws -> Void) throws {
  do { try body() } catch let error as StorageError {
    return try expect("\(error)", "\(StorageError.unusableSearch(name, reason: reason))")
  }
  throw BrokenClaim(description: "\(name) can be used")
}
