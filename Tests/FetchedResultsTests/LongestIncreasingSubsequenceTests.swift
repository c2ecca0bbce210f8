import PropertyTesting
import Testing

@testable import FetchedResults

struct RiseTests {
  /// The weight of the heaviest increasing subsequence, by trying all.
  private func heaviest(_ positions: [Int], _ weights: [Int]) -> Int {
    var best = 0
    for choice in 0..<(1 << positions.count) {
      let run = positions.indices.filter { choice & (1 << $0) != 0 }
      guard zip(run, run.dropFirst()).allSatisfy({ positions[$0] < positions[$1] }) else { continue }
      best = max(best, run.reduce(0) { $0 + weights[$1] })
    }
    return best
  }

  private func check(_ positions: [Int], _ weights: [Int], _ comment: Comment) {
    let subsequence = LongestIncreasingSubsequence(in: positions, of: 0..<20, weights: weights)
    let run = subsequence.members.map { positions[$0] }
    #expect(run == run.sorted(), comment)
    #expect(subsequence.members == subsequence.members.sorted(), comment)
    #expect(subsequence.weight == subsequence.members.reduce(0) { $0 + weights[$1] }, comment)
    #expect(subsequence.weight == heaviest(positions, weights), comment)
  }

  @Test(arguments: PropertyTest.seeds(sample: 100, whole: 2_000))
  func `no increasing subsequence is heavier than the one found`(seed: UInt64) {
    var dice = Dice(state: seed)
    let positions = Array((0..<20).shuffled(using: &dice).prefix(dice.below(11)))
    check(positions, positions.map { _ in 1 }, "seed \(seed)")
    check(positions, positions.map { _ in 1 + dice.below(9) }, "seed \(seed)")
  }

  @Test func `every permutation of six rows has the fewest possible moves`() {
    var orders: [[Int]] = [[]]
    for row in 0..<6 {
      orders = orders.flatMap { order in (0...order.count).map { Array(order[..<$0]) + [row] + Array(order[$0...]) } }
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
