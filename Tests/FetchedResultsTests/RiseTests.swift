import Series
import Testing

@testable import FetchedResults

struct RiseTests {
  /// The heaviest of all rising runs there are.
  private func heaviest(_ places: [Int], _ weights: [Int]) -> Int {
    var best = 0
    for choice in 0..<(1 << places.count) {
      let run = places.indices.filter { choice & (1 << $0) != 0 }
      guard zip(run, run.dropFirst()).allSatisfy({ places[$0] < places[$1] }) else { continue }
      best = max(best, run.reduce(0) { $0 + weights[$1] })
    }
    return best
  }

  private func check(_ places: [Int], _ weights: [Int], _ said: Comment) {
    let rise = Rise(in: places, of: 0..<20, weights: weights)
    let run = rise.members.map { places[$0] }
    #expect(run == run.sorted(), said)
    #expect(rise.members == rise.members.sorted(), said)
    #expect(rise.weight == rise.members.reduce(0) { $0 + weights[$1] }, said)
    #expect(rise.weight == heaviest(places, weights), said)
  }

  @Test(arguments: Series.seeds(sample: 100, whole: 2_000))
  func `no rising run is heavier than the one that is found`(seed: UInt64) {
    var dice = Dice(state: seed)
    let places = Array((0..<20).shuffled(using: &dice).prefix(dice.below(11)))
    check(places, places.map { _ in 1 }, "seed \(seed)")
    check(places, places.map { _ in 1 + dice.below(9) }, "seed \(seed)")
  }

  @Test func `every order of six rows moves as few as can be`() {
    var orders: [[Int]] = [[]]
    for place in 0..<6 {
      orders = orders.flatMap { order in (0...order.count).map { Array(order[..<$0]) + [place] + Array(order[$0...]) } }
    }
    #expect(orders.count == 720)
    let old = (0..<6).map { Note(id: $0) }
    for order in orders {
      let changes = ListChanges(from: old, to: order.map { Note(id: $0) })
      #expect(changes.moves.count == 6 - heaviest(order, order.map { _ in 1 }), "\(order)")
      #expect(changes.deletions.isEmpty && changes.insertions.isEmpty && changes.updates.isEmpty, "\(order)")
    }
  }
}
