import Filters
import Storage
import Testing
import Transfer

/// Albums, saved searches, rules and what is hidden, in two libraries.
struct MergedMarksTests {
  private let person = Marker(machine: "desk", program: .command)

  private func copy(_ one: RandomLibrary, into other: RandomLibrary) throws {
    var records: [LibraryRecord] = []
    try one.store.eachRecord(of: nil, raw: true) { records.append($0) }
    try other.store.beginMerge()
    #expect(try other.store.merge(records, stored: [], dryRun: false, now: one.now).refused.isEmpty)
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
}
