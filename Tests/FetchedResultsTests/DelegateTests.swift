import Dispatch
import FetchedResults
import PropertyTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct DelegateTests {
  private func table(_ events: DelegateCall?) throws -> Table {
    guard case .changed(let table, let update) = events else { throw Trouble() }
    #expect(table.shows(update.snapshot))
    return table
  }

  private func grouped() -> Notebook {
    var book = Notebook(isGrouped: true)
    for group in 0..<3 { for rank in 0..<2 { book.add(Note(id: 0, group: group, rank: rank)) } }
    return book
  }

  @Test func `calls come in order: the content will change, sections, rows, the content did change`() async throws {
    let ledger = Ledger(grouped())
    let (controller, screen) = (ledger.controller(), QueueScreen())
    controller.setDelegate(screen, on: screen.queue)
    try await controller.performFetch()
    var events = screen.events.makeAsyncIterator()
    let first = try table(await events.next())
    let (sections, rows) = (Array(repeating: "section", count: 3), Array(repeating: "row", count: 6))
    #expect(first.calls == ["will"] + sections + rows + ["did"])
    #expect(first.ids == [[1, 2], [3, 4], [5, 6]])
    ledger.change { book in
      book.notes[0].group = 4
      book.notes.remove(at: 5)
      book.notes[3].text = "new"
    }
    let second = try table(await events.next())
    #expect(second.ids == [[2], [3, 4], [5], [1]])
    // Three sections have other counts or are new. One row moved, one was deleted, one changed.
    #expect(second.calls == ["will", "section", "section", "section", "row", "row", "row", "did"])
    await controller.stop()
  }

  @Test @MainActor func `a delegate on the main actor is called on it`() async throws {
    let ledger = Ledger(grouped())
    let (controller, screen) = (ledger.controller(), MainScreen())
    controller.setDelegate(screen)
    try await controller.performFetch()
    var events = screen.events.makeAsyncIterator()
    #expect(try table(await events.next()).ids.count == 3)
    ledger.end(Trouble())
    guard case .failed(let error) = await events.next() else { throw Trouble() }
    #expect(error is Trouble)
    await controller.stop()
  }

  @Test @Desk func `a delegate on an actor of its own is called on it`() async throws {
    let (controller, screen) = (Ledger(grouped()).controller(), DeskScreen())
    controller.setDelegate(screen)
    try await controller.performFetch()
    var events = screen.events.makeAsyncIterator()
    #expect(try table(await events.next()).ids.count == 3)
    await controller.stop()
  }

  @Test func `a delegate gets a failure, and after the next fetch the changes from what it saw`() async throws {
    let ledger = Ledger(grouped())
    let (controller, screen) = (ledger.controller(), QueueScreen())
    controller.setDelegate(screen, on: screen.queue)
    try await controller.performFetch()
    var events = screen.events.makeAsyncIterator()
    _ = try table(await events.next())
    ledger.end(Trouble())
    guard case .failed(let error) = await events.next() else { throw Trouble() }
    #expect(error is Trouble)
    ledger.mend()
    ledger.change { $0.notes.remove(at: 1) }
    try await controller.performFetch()
    #expect(try table(await events.next()).ids == [[1], [3, 4], [5, 6]])
    await controller.stop()
  }

  @Test func `a later delegate gets the current list, the previous one gets nothing more`() async throws {
    let ledger = Ledger(grouped())
    let (controller, first, second) = (ledger.controller(), QueueScreen(), QueueScreen())
    controller.setDelegate(first, on: first.queue)
    try await controller.performFetch()
    var (toFirst, toSecond) = (first.events.makeAsyncIterator(), second.events.makeAsyncIterator())
    _ = try table(await toFirst.next())
    controller.setDelegate(second, on: second.queue)
    #expect(try table(await toSecond.next()).ids.count == 3)
    ledger.change { $0.notes.removeAll() }
    #expect(try table(await toSecond.next()).ids == [])
    controller.setDelegate(first, on: first.queue)
    // It starts from the empty list again. If it had received the change meanwhile, this would not be its next event.
    guard case .changed(_, let update) = await toFirst.next() else { throw Trouble() }
    #expect(update.isInitial)
    #expect(update.generation == 2)
    await controller.stop()
  }

  /// Blocks the main actor until another reader saw a reading.
  @MainActor private func wait(for seen: DispatchSemaphore) { seen.wait() }

  @Test @MainActor func `a delegate that is removed on its actor gets nothing from then on`() async throws {
    for _ in 0..<50 {
      let ledger = Ledger(grouped())
      let (controller, screen, seen) = (ledger.controller(), MainScreen(), DispatchSemaphore(value: 0))
      controller.setDelegate(screen)
      let reader = Task.detached { for try await _ in controller.updates() { seen.signal() } }
      try await controller.performFetch()
      var events = screen.events.makeAsyncIterator()
      _ = await events.next()
      wait(for: seen)
      ledger.change { $0.notes.removeAll() }
      // The reader saw it, so its delivery to the delegate has begun.
      wait(for: seen)
      controller.removeDelegate()
      await controller.stop()
      screen.finish()
      #expect(await events.next() == nil)
      try await reader.value
    }
  }

  @Test func `a stop waits for a call that is under way`() async throws {
    let (controller, screen) = (Ledger(grouped()).controller(), SlowScreen())
    controller.setDelegate(screen, on: DispatchQueue(label: "slow"))
    try await controller.performFetch()
    await screen.begun.reaches(1)
    let stopped = Task {
      await controller.stop()
      return screen.ended.total
    }
    for _ in 0..<100 { await Task.yield() }
    screen.mayEnd.signal()
    #expect(await stopped.value == 1)
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 1_000))
  func `a table that applies a delegate's calls shows the list, through all edits and moves of the window`(
    seed: UInt64
  ) async throws {
    var dice = Dice(state: seed)
    let ledger = Ledger(Notebook(isGrouped: true))
    let (controller, screen) = (ledger.controller(), QueueScreen())
    controller.setDelegate(screen, on: screen.queue)
    try await controller.performFetch()
    var events = screen.events.makeAsyncIterator()
    var seen: Snapshot<Note>?
    for edit in 0..<50 {
      if dice.below(5) == 0 { try await controller.move(to: ledger.book.window(&dice)) }
      ledger.change { $0.edit(&dice) }
      let expected = await ledger.book.read(controller.window)
      while seen != expected {
        guard case .changed(let table, let update) = await events.next() else { throw Trouble() }
        try #require(table.shows(update.snapshot), "seed \(seed), edit \(edit)")
        seen = update.snapshot
      }
    }
    await controller.stop()
  }
}
