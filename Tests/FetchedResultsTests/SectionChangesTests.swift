import FetchedResults
import PropertyTesting
import Testing

struct SectionChangesTests {
  /// A reading from its sections, each a key and the ids of its rows.
  private func reading(_ groups: [(String, [Int])]) -> Snapshot<Note> {
    var sections: [ListSection] = []
    var rows: [Note] = []
    for (key, ids) in groups {
      let range = rows.count..<rows.count + ids.count
      sections.append(ListSection(id: key, name: key, count: .exactly(ids.count), rows: range))
      rows += ids.map { Note(id: $0) }
    }
    return Snapshot(rows: rows, sections: sections, total: .exactly(rows.count))
  }

  @Test func `a row that changes its section moves, although its index in the window is the same`() {
    let changes = ListChanges(from: reading([("a", [1]), ("b", [2, 3])]), to: reading([("a", [1, 2]), ("b", [3])]))
    #expect(changes.moves == [.init(from: 1, to: 1)])
    #expect(changes.updatedSections == [0, 1])
    #expect(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty)
  }

  @Test func `sections come and go`() {
    let changes = ListChanges(from: reading([("a", [1]), ("b", [2])]), to: reading([("b", [2]), ("c", [3])]))
    #expect(changes.deletedSections == [0])
    #expect(changes.insertedSections == [1])
    #expect(changes.updatedSections.isEmpty)
    #expect(changes.deletions == [0])
    #expect(changes.insertions == [1])
  }

  @Test func `if two sections swap, the one with fewer rows moves`() {
    let changes = ListChanges(
      from: reading([("a", [1, 2, 3]), ("b", [4, 5])]), to: reading([("b", [4, 5]), ("a", [1, 2, 3])])
    )
    #expect(changes.deletedSections == [1])
    #expect(changes.insertedSections == [0])
    #expect(changes.moves == [.init(from: 3, to: 0), .init(from: 4, to: 1)])
  }

  @Test func `a section without rows stays if it can`() {
    let changes = ListChanges(from: reading([("a", []), ("b", [1])]), to: reading([("a", []), ("c", []), ("b", [1])]))
    #expect(changes.insertedSections == [1])
    #expect(changes.deletedSections.isEmpty)
    let turned = ListChanges(
      from: reading([("a", []), ("b", [1]), ("c", [])]), to: reading([("c", []), ("a", []), ("b", [1])])
    )
    #expect(turned.deletedSections == [2])
    #expect(turned.insertedSections == [0])
  }

  @Test func `sections of one key do no harm`() {
    let (old, new) = (reading([("a", [1]), ("a", [2])]), reading([("a", [1]), ("b", [3]), ("a", [2]), ("a", [4])]))
    let changes = ListChanges(from: old, to: new)
    #expect(changes.insertedSections == [1, 3])
    #expect(changes.applying(to: old.rows, with: new.rows) == new.rows)
  }

  @Test(arguments: PropertyTest.seeds(sample: 300, whole: 5_000))
  func `no choice of sections and rows that stay leaves fewer moves`(seed: UInt64) {
    var dice = Dice(state: seed)
    let readings = (0..<2).map { _ in
      var ids = (0..<8).shuffled(using: &dice)
      return reading(
        ["a", "b", "c", "d"].shuffled(using: &dice).prefix(dice.below(5)).map { key in
          let selected = Array(ids.prefix(dice.below(4)))
          ids.removeFirst(selected.count)
          return (key, selected)
        }
      )
    }
    let changes = ListChanges(from: readings[0], to: readings[1])
    let both = readings[1].rows.count { row in readings[0].path(of: row.id) != nil }
    #expect(both - changes.moves.count == mostStill(readings[0], readings[1]), "seed \(seed)")
    #expect(changes.applying(to: readings[0].rows, with: readings[1].rows) == readings[1].rows, "seed \(seed)")
  }

  /// The largest number of rows that can stay, by trying all subsets. They must be in the same sections, and neither they
  /// nor their sections may change their order.
  private func mostStill(_ old: Snapshot<Note>, _ new: Snapshot<Note>) -> Int {
    let pairs = new.rows.compactMap { row -> (ListPath, ListPath)? in
      guard let from = old.path(of: row.id), let to = new.path(of: row.id) else { return nil }
      return old.sections[from.section].id == new.sections[to.section].id ? (from, to) : nil
    }
    let choices = (0..<(1 << pairs.count)).lazy.map { choice in pairs.indices.filter { choice & (1 << $0) != 0 } }
    return choices.filter { zip($0, $0.dropFirst()).allSatisfy { pairs[$0].0 < pairs[$1].0 } }.map(\.count).max() ?? 0
  }
}
