import FetchedResults
import Testing

@Suite(.timeLimit(.minutes(10))) struct ControllerTests {
  @Test func `the first reading is there when the fetch returns`() async throws {
    let controller = Ledger(Notebook(["a", "b", "c"])).controller(Window(after: 2))
    #expect(controller.rows.isEmpty)
    #expect(controller.sections.isEmpty)
    try await controller.performFetch()
    #expect(controller.rows.map(\.text) == ["a", "b"])
    #expect(controller.total == .exactly(3))
    #expect(controller.sections.map(\.rows) == [0..<2])
    #expect(controller.snapshot.hasMoreAfter)
    #expect(controller.snapshot.hasMoreBefore == false)
    await controller.stop()
  }

  @Test func `rows are found by path, and paths by id`() async throws {
    let controller = Ledger(Notebook(["a", "b"])).controller()
    try await controller.performFetch()
    let path = ListPath(section: 0, row: 1)
    #expect(controller.object(at: path)?.text == "b")
    #expect(controller.indexPath(for: 2) == path)
    #expect(controller.object(at: ListPath(section: 1, row: 0)) == nil)
    #expect(controller.indexPath(for: 3) == nil)
    await controller.stop()
  }

  @Test func `a second fetch does not observe again`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    async let first: Void = controller.performFetch()
    async let second: Void = controller.performFetch()
    _ = try await (first, second)
    try await controller.performFetch()
    #expect(ledger.begun.total == 1)
    await controller.stop()
  }

  @Test func `a window moves by key, over a row that is gone`() async throws {
    let ledger = Ledger(Notebook((0..<100).map(String.init)))
    let controller = ledger.controller(Window(after: 5))
    try await controller.performFetch()
    let window = Window(anchor: ledger.book.key(ledger.book.notes[50]), before: 2, after: 3)
    ledger.change { $0.notes.remove(at: 50) }
    try await controller.move(to: window)
    #expect(await controller.window == window)
    #expect(controller.rows.map(\.text) == ["48", "49", "51", "52", "53"])
    #expect(controller.snapshot.hasMoreBefore)
    #expect(ledger.begun.total == 2)
    try await controller.move(to: window)
    #expect(ledger.begun.total == 2)
    await controller.stop()
    #expect(ledger.ended.total == 2)
  }

  @Test func `a move begins to observe if nothing was fetched`() async throws {
    let controller = Ledger(Notebook(["a", "b", "c"])).controller(Window(after: 1))
    try await controller.move(to: Window(after: 1))
    #expect(controller.rows.map(\.text) == ["a"])
    await controller.stop()
  }

  @Test func `many concurrent moves all return, and the last requested window is shown`() async throws {
    let ledger = Ledger(Notebook((0..<100).map(String.init)))
    let controller = ledger.controller()
    let windows = (0..<40).map { Window(anchor: ledger.book.key(ledger.book.notes[$0]), after: 1) }
    try await withThrowingTaskGroup { group in
      for window in windows { group.addTask { try await controller.move(to: window) } }
      try await group.waitForAll()
    }
    #expect(await controller.rows == ledger.book.read(controller.window).rows)
    await controller.stop()
    #expect(ledger.begun.total == ledger.ended.total)
  }

  @Test func `the observation's error is thrown, and a new fetch observes again`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    ledger.end(Trouble())
    let controller = ledger.controller()
    await #expect(throws: Trouble.self) { try await controller.performFetch() }
    await #expect(throws: Trouble.self) { try await controller.performFetch() }
    ledger.mend()
    try await controller.performFetch()
    #expect(controller.rows.map(\.text) == ["a"])
    await controller.stop()
  }

  @Test func `a move that fails leaves the rows as they were, and a fetch then tries the new window`() async throws {
    let ledger = Ledger(Notebook(["a", "b"]))
    let controller = ledger.controller(Window(after: 1))
    try await controller.performFetch()
    ledger.end(Trouble())
    await #expect(throws: Trouble.self) { try await controller.move(to: Window(after: 2)) }
    #expect(controller.rows.map(\.text) == ["a"])
    ledger.mend()
    try await controller.performFetch()
    #expect(controller.rows.map(\.text) == ["a", "b"])
    await controller.stop()
  }

  @Test func `an observation that ends before its first reading is reported`() async {
    let controller = FetchedResultsController<Note, Key>(window: Window(after: 1)) { _ in
      AsyncThrowingStream { $0.finish() }
    }
    await #expect(throws: FetchedResultsError.nothingRead) { try await controller.performFetch() }
    await controller.stop()
  }

  @Test func `a fetch whose task is cancelled returns, and the observation goes on`() async throws {
    let (stream, readings) = AsyncThrowingStream<Snapshot<Note>, any Error>.makeStream()
    let controller = FetchedResultsController<Note, Key>(window: Window(after: 1)) { _ in stream }
    let fetch = Task { try await controller.performFetch() }
    fetch.cancel()
    await #expect(throws: CancellationError.self) { try await fetch.value }
    readings.yield(Snapshot(rows: [Note(id: 1)], total: .exactly(1)))
    try await controller.performFetch()
    #expect(controller.rows.count == 1)
    await controller.stop()
  }

  @Test func `a stopped controller keeps its rows and observes nothing`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    await controller.stop()
    #expect(ledger.ended.total == 1)
    #expect(controller.rows.count == 1)
    await #expect(throws: FetchedResultsError.stopped) { try await controller.performFetch() }
    await #expect(throws: FetchedResultsError.stopped) { try await controller.move(to: Window(after: 1)) }
    #expect(ledger.begun.total == ledger.ended.total)
    await controller.stop()
  }

  @Test func `a fetch that waits when the controller stops throws`() async throws {
    let begun = Tally()
    let controller = FetchedResultsController<Note, Key>(window: Window(after: 1)) { _ in
      begun.count()
      return AsyncThrowingStream { _ in }
    }
    let fetch = Task { try await controller.performFetch() }
    await begun.reaches(1)
    await controller.stop()
    await #expect(throws: FetchedResultsError.stopped) { try await fetch.value }
  }
}
