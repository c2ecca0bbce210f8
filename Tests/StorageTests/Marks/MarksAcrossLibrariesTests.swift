import Folders
import Foundation
import Posts
import PropertyTesting
import Testing

@testable import Storage

/// Three libraries of one person, on machines whose clocks differ, that are copied into each other now and then.
struct MarksAcrossLibrariesTests {
  private static let uris = (0..<6).map { "https://social.example/statuses/\($0)" }

  /// A library, its machine, and how much the machine's clock is ahead.
  private struct Machine {
    let store: Store
    let marker: Marker
    let ahead: TimeInterval
  }

  @Test(arguments: PropertyTest.seeds(sample: 2, whole: 100))
  func `the later mark counts everywhere, and no note is lost`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let scratches = try (0..<3).map { _ in try Scratch() }
    let machines = try scratches.enumerated().map { index, scratch in
      Machine(
        store: try Store.open(library: scratch.path, now: noon),
        marker: Marker(machine: "m\(index)", program: .command),
        ahead: Double(index - 1) * 7_200)
    }
    defer { for machine in machines { machine.store.close() } }
    var (notes, last): (Set<String>, [String: PostMarks]) = ([], [:])
    for machine in machines { try pull(into: machine.store) }
    for step in 0..<60 {
      let machine = machines[dice.below(3)]
      let now = noon + Double(step) + machine.ahead
      switch dice.below(10) {
      case 9: try deleteAlbum(machine, machines[dice.below(3)], &dice, now: now)
      case 8: try hide(machine, &dice, now: now)
      case 0: try pull(into: machine.store)
      case 1:
        let ids = try machine.store.posts(PostQuery(limit: nil)).map(\.id)
        if let id = ids.randomElement(using: &dice) { try machine.store.delete([id], by: machine.marker, now: now) }
      case 2: try machine.store.restore(try machine.store.deletedPosts(), by: machine.marker, now: now)
      case 3: try copy(machines[dice.below(3)].store, into: machine.store)
      case 4: try album(machine, &dice, now: now)
      case 5:
        // Of a change that is undone nothing stays, whatever it was.
        let before = try marks(of: machine.store)
        let id = try #require(try machine.store.transferredPosts(after: nil, limit: 1).first?[.id].integer)
        try machine.store.mark([id], [.rating(dice.below(6)), .ownTag("x"), .seen(true)], by: machine.marker, now: now)
        let after = try marks(of: machine.store)
        if before != after { try machine.store.undo(by: machine.marker, now: now) }
        #expect(try marks(of: machine.store) == before, "seed \(seed)")
      default:
        let note = dice.below(3) == 0 ? "note \(step)" : nil
        if let note { notes.insert(note) }
        try mark(machine, &dice, note, now: now)
      }
    }
    // Whoever marks last knows all that the others did, however slow the clock is.
    for _ in 0..<2 { for one in machines { for other in machines { try copy(one.store, into: other.store) } } }
    let slowest = machines[0]
    try mark(slowest, &dice, nil, now: noon - 7_200)
    for hidden in try slowest.store.hiddenNames() {
      try slowest.store.hide([], [hidden.name], false, by: slowest.marker, now: noon - 7_200)
    }
    try slowest.store.hide([], [.tag("birds")], by: slowest.marker, now: noon - 7_200)
    let rule = Rule(name: "sort", filter: "tag:last", actions: [.mark(.seen(true))])
    try slowest.store.save(rule, by: slowest.marker, now: noon - 7_200)
    try slowest.store.restore(try slowest.store.deletedPosts(), by: slowest.marker, now: noon - 7_200)
    let gone = try #require(try posts(of: slowest.store).first)
    try slowest.store.delete([gone.id], by: slowest.marker, now: noon - 7_200)
    last = try marks(of: slowest.store)
    for _ in 0..<2 { for one in machines { for other in machines { try copy(one.store, into: other.store) } } }
    for machine in machines {
      #expect(try marks(of: machine.store) == last, "seed \(seed)")
      #expect(try albums(of: machine.store) == albums(of: slowest.store), "seed \(seed)")
      #expect(try machine.store.hiddenNames().map(\.name) == [.tag("birds")], "seed \(seed)")
      #expect(try machine.store.rules() == [rule], "seed \(seed)")
      let deleted = try machine.store.posts(numbered: machine.store.deletedPosts())
      #expect(deleted.map(\.uri) == [gone.uri], "seed \(seed)")
      #expect(try self.notes(of: machine.store) == notes, "seed \(seed)")
    }
  }

  private func pull(into store: Store) throws {
    let pull = try store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    _ = try store.save(page((0..<6).reversed().map { post($0) }), in: pull, pictures: false, now: noon)
    try store.finishPull(pull, reached: true, now: noon)
  }

  private func copy(_ store: Store, into other: Store) throws {
    var records: [LibraryRecord] = []
    try store.eachRecord(of: nil, raw: false) { records.append($0) }
    try other.beginMerge()
    let merged = try other.merge(records, stored: [], dryRun: false, now: noon)
    #expect(merged.refused == [:])
  }

  private func mark(_ machine: Machine, _ dice: inout Dice, _ note: String?, now: Date) throws {
    var marks: [Mark] = [
      .favourite(dice.below(2) == 0), .hidden(dice.below(2) == 0), .rating(dice.below(6)), .seen(dice.below(2) == 0),
      dice.below(2) == 0 ? .ownTag("a") : .noOwnTag("a"), .ownTag("b\(dice.below(3))"),
    ].filter { _ in dice.below(2) == 0 }
    if let note { marks.append(.note(note)) }
    let ids = try machine.store.transferredPosts(after: nil, limit: 10).compactMap { $0[.id].integer }
    // Each note is written to one post.
    let chosen = note == nil ? ids.filter { _ in dice.below(3) == 0 } : [ids.randomElement(using: &dice)!]
    try machine.store.mark(chosen, marks, by: machine.marker, now: now)
  }

  private func hide(_ machine: Machine, _ dice: inout Dice, now: Date) throws {
    let authors = try machine.store.authorCounts(limit: 1).map { HiddenName.author($0.author.handle) }
    let names = ([.tag("cats"), .tag("birds")] + authors).filter { _ in dice.below(2) == 0 }
    try machine.store.hide([], names, dice.below(2) == 0, by: machine.marker, now: now)
    let rule = Rule(name: "sort", filter: "tag:r\(dice.below(3))", actions: [.mark(.favourite(true))])
    try machine.store.save(rule, by: machine.marker, now: now)
  }

  private func album(_ machine: Machine, _ dice: inout Dice, now: Date) throws {
    let name = ["Winter", "Cats"][dice.below(2)]
    if try !machine.store.albums().contains(where: { $0.name == name }) {
      try machine.store.createAlbum(name, by: machine.marker, now: now)
    }
    let ids = try machine.store.transferredPosts(after: nil, limit: 10).compactMap { $0[.id].integer }
    let some = ids.filter { _ in dice.below(2) == 0 }
    let held = try machine.store.posts(ofAlbum: name)
    switch dice.below(3) {
    case 0: try machine.store.remove(some, fromAlbum: name, by: machine.marker, now: now)
    case 1 where held.count > 1:
      try machine.store.move(
        held[0], inAlbum: name, before: held.randomElement(using: &dice)!, by: machine.marker, now: now)
    default: try machine.store.add(some.shuffled(using: &dice), toAlbum: name, by: machine.marker, now: now)
    }
  }

  /// Deletes an album, which another machine may make anew before that is undone.
  private func deleteAlbum(_ machine: Machine, _ other: Machine, _ dice: inout Dice, now: Date) throws {
    guard let name = try machine.store.albumNames().randomElement(using: &dice) else { return }
    let change = try machine.store.deleteAlbum(name, by: machine.marker, now: now).change
    if dice.below(2) == 0 { try copy(machine.store, into: other.store) }
    if dice.below(2) == 0, try !other.store.albumNames().contains(name) {
      try other.store.createAlbum(name, by: other.marker, now: now)
    }
    if dice.below(2) == 0 { try machine.store.undo(change, by: machine.marker, now: now) }
  }

  private func posts(of store: Store) throws -> [StoredPost] {
    let ids = try store.transferredPosts(after: nil, limit: 10).compactMap { $0[.id].integer }
    return try store.posts(numbered: ids)
  }

  private func marks(of store: Store) throws -> [String: PostMarks] {
    Dictionary(uniqueKeysWithValues: try posts(of: store).map { ($0.uri, $0.marks) })
  }

  private func albums(of store: Store) throws -> [String: [String]] {
    let posts = try posts(of: store)
    let names = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0.uri) })
    return Dictionary(
      uniqueKeysWithValues: try store.albums().map { album in
        (album.name, try store.posts(ofAlbum: album.name).compactMap { names[$0] })
      })
  }

  /// All notes that stand or stood on a post.
  private func notes(of store: Store) throws -> Set<String> {
    let posts = try store.transferredPosts(after: nil, limit: 10)
    return Set(
      posts.flatMap { $0.earlierNotes.compactMap { $0[.note].text } + [$0.state?[.note].text].compactMap(\.self) })
  }
}
