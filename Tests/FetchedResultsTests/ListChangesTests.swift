import FetchedResults
import PropertyTesting
import Testing

struct ListChangesTests {
  private func notes(_ ids: [Int]) -> [Note] { ids.map { Note(id: $0) } }

  @Test func `equal lists have no changes`() {
    let changes = ListChanges(from: notes([1, 2, 3]), to: notes([1, 2, 3]))
    #expect(changes.isEmpty)
  }

  @Test func `deletions have old indices, insertions new ones`() {
    let changes = ListChanges(from: notes([1, 2, 3, 4]), to: notes([9, 1, 3, 8]))
    #expect(changes.deletions == [1, 3])
    #expect(changes.insertions == [0, 3])
    #expect(changes.moves.isEmpty && changes.updates.isEmpty)
    #expect(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty && changes.updatedSections.isEmpty)
  }

  @Test func `one row that goes to the end is one move`() {
    let changes = ListChanges(from: notes(Array(1...9)), to: notes(Array(2...9) + [1]))
    #expect(changes.moves == [.init(from: 0, to: 8)])
  }

  @Test func `a row that moved and looks different is moved and updated`() {
    var new = notes([2, 3, 1])
    new[2].text = "new"
    new[0].text = "new"
    let changes = ListChanges(from: notes([1, 2, 3]), to: new)
    #expect(changes.moves == [.init(from: 0, to: 2)])
    #expect(changes.updates == [0, 2])
  }

  @Test func `rows of one id are paired in their order`() {
    let changes = ListChanges(from: notes([7, 7, 1]), to: notes([7, 1, 7, 7]))
    #expect(changes.deletions.isEmpty)
    #expect(changes.insertions == [3])
    #expect(changes.moves.count == 1)
  }

  /// 50 pairs of lists a seed.
  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2_000))
  func `an old list and its changes are the new list`(seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<50 {
      // Few ids for many rows: an id may be in a list more than once.
      let ids = 1 + dice.below(40)
      let lists = (0..<2).map { _ in
        (0..<dice.below(30)).map { _ in Note(id: dice.below(ids), text: ["", "new"].randomElement(using: &dice) ?? "") }
      }
      let changes = ListChanges(from: lists[0], to: lists[1])
      #expect(changes.applying(to: lists[0], with: lists[1]) == lists[1], "seed \(seed)")
      #expect(changes.isEmpty == (lists[0] == lists[1]), "seed \(seed)")
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 200, whole: 5_000))
  func `a row is deleted or inserted if only one list has it, else it stays or moves`(seed: UInt64) {
    var dice = Dice(state: seed)
    let lists = (0..<2).map { _ in (0..<30).shuffled(using: &dice).prefix(dice.below(30)) }
    let (old, new) = (notes(Array(lists[0])), notes(Array(lists[1])))
    let changes = ListChanges(from: old, to: new)
    #expect(changes.deletions.map { old[$0].id } == lists[0].filter { !lists[1].contains($0) }, "seed \(seed)")
    #expect(changes.insertions.map { new[$0].id } == lists[1].filter { !lists[0].contains($0) }, "seed \(seed)")
    #expect(changes.moves.allSatisfy { old[$0.from].id == new[$0.to].id }, "seed \(seed)")
    #expect(changes.stays(oldCount: old.count).allSatisfy { old[$0.from].id == new[$0.to].id }, "seed \(seed)")
  }
}
