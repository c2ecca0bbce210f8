import FetchedResults
import PropertyTesting
import Testing

/// The list that one reader builds from its updates.
private struct Following {
  private var reader: Updates<Note>.AsyncIterator
  private(set) var rows: [Note] = []
  private(set) var seen = Snapshot<Note>.empty
  private var generation = 0

  init(_ updates: Updates<Note>) { reader = updates.makeAsyncIterator() }

  /// Reads until it sees the expected reading. Each update on the way must begin where the previous one ended.
  mutating func follow(to expected: Snapshot<Note>, _ comment: Comment) async throws {
    repeat {
      let update = try #require(try await reader.next(), comment)
      try #require(update.previous == seen && update.generation > generation, comment)
      rows = update.changes.applying(to: rows, with: update.rows)
      try #require(seen.rows.applying(update.difference) == update.rows, comment)
      let added = Set(update.changes.insertions + update.changes.moves.map(\.to) + update.changes.updates)
      try #require(Set(update.difference.insertions.map(\.offset)) == added, comment)
      (seen, generation) = (update.snapshot, update.generation)
      try #require(rows == seen.rows, comment)
    } while seen != expected
  }
}

@Suite(.timeLimit(.minutes(30))) struct LawTests {
  /// 50 edits a seed.
  @Test(arguments: PropertyTest.seeds(sample: 40, whole: 2_000))
  func `rows to which the changes are applied are the list, for fast and slow readers, wherever the window moves`(
    seed: UInt64
  ) async throws {
    var dice = Dice(state: seed)
    let ledger = Ledger(Notebook(isGrouped: dice.below(2) == 0))
    let controller = ledger.controller(ledger.book.window(&dice))
    try await controller.performFetch()
    var fast = Following(controller.updates())
    var slow = (0..<3).map { _ in Following(controller.updates()) }
    try await fast.follow(to: controller.snapshot, "seed \(seed)")
    for edit in 0..<50 {
      let comment: Comment = "seed \(seed), edit \(edit)"
      ledger.change { $0.edit(&dice) }
      if dice.below(6) == 0 { try await controller.move(to: ledger.book.window(&dice)) }
      let expected = await ledger.book.read(controller.window)
      if fast.seen != expected { try await fast.follow(to: expected, comment) }
      let pulled = dice.below(slow.count * 3)
      if slow.indices.contains(pulled), slow[pulled].seen != expected {
        try await slow[pulled].follow(to: expected, comment)
      }
    }
    await controller.stop()
  }

  @Test(arguments: PropertyTest.seeds(sample: 5, whole: 100))
  func `readers at any pace end with the same list while it is edited and its window moves`(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let ledger = Ledger(Notebook(isGrouped: true))
    let controller = ledger.controller()
    try await controller.performFetch()
    let readers = (0..<4).map { pace in
      Task {
        var rows: [Note] = []
        for try await update in controller.updates() {
          rows = update.changes.applying(to: rows, with: update.rows)
          try #require(rows == update.rows, "seed \(seed)")
          for _ in 0..<pace * 10 { await Task.yield() }
        }
        return rows
      }
    }
    for _ in 0..<200 {
      ledger.change { $0.edit(&dice) }
      if dice.below(10) == 0 { try await controller.move(to: ledger.book.window(&dice)) }
    }
    ledger.end()
    let expected = await ledger.book.read(controller.window).rows
    for reader in readers { #expect(try await reader.value == expected, "seed \(seed)") }
    await controller.stop()
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
