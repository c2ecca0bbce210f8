import FetchedResults
import PropertyTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct UpdatesTests {
  @Test func `the first update is the current list, as changes from the empty one`() async throws {
    let controller = Ledger(Notebook(["a", "b"])).controller()
    try await controller.performFetch()
    let reader = controller.updates().makeAsyncIterator()
    let update = try #require(try await reader.next())
    #expect(update.isInitial)
    #expect(update.generation == 1)
    #expect(update.rows.map(\.text) == ["a", "b"])
    #expect(update.changes.insertions == [0, 1])
    #expect(update.changes.insertedSections == [0])
    #expect(update.previous == .empty)
    await controller.stop()
  }

  @Test func `an empty list is an update too`() async throws {
    let controller = Ledger().controller()
    let reader = controller.updates().makeAsyncIterator()
    try await controller.performFetch()
    let update = try #require(try await reader.next())
    #expect(update.isInitial && update.rows.isEmpty)
    #expect(update.total == .exactly(0))
    await controller.stop()
  }

  @Test func `a reader continues through any number of moves`() async throws {
    let ledger = Ledger(Notebook(["a", "b", "c"]))
    let controller = ledger.controller(Window(after: 1))
    try await controller.performFetch()
    let reading = Task {
      for try await update in controller.updates() where update.total == .exactly(4) { return true }
      return false
    }
    for move in PropertyTest.repetitions(sample: 1_000, whole: 20_000) {
      try await controller.move(to: Window(after: 1 + move % 3))
    }
    ledger.change { $0.add(Note(id: 0, rank: 9, text: "d")) }
    #expect(try await reading.value)
    await controller.stop()
  }

  @Test func `a slow reader skips to the newest list, with the changes from what it saw`() async throws {
    let ledger = Ledger(Notebook(["a", "b"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    let (fast, slow) = (controller.updates().makeAsyncIterator(), controller.updates().makeAsyncIterator())
    _ = try await (fast.next(), slow.next())
    for text in ["c", "d", "e"] {
      ledger.change { $0.add(Note(id: 0, rank: 9, text: text)) }
      let update = try #require(try await fast.next())
      #expect(update.changes.insertions.count == 1)
      #expect(update.previous.rows.count == update.rows.count - 1)
    }
    let update = try #require(try await slow.next())
    #expect(update.generation == 4)
    #expect(update.changes.insertions == [2, 3, 4])
    #expect(update.previous.rows.map(\.text) == ["a", "b"])
    #expect(!update.isInitial)
    await controller.stop()
  }

  @Test func `a changed total is an update, rows that changed and changed back are not`() async throws {
    let ledger = Ledger(Notebook(["a", "b"]))
    let controller = ledger.controller(Window(after: 1))
    try await controller.performFetch()
    let (fast, slow) = (controller.updates().makeAsyncIterator(), controller.updates().makeAsyncIterator())
    _ = try await (fast.next(), slow.next())
    for text in ["z", "a"] {
      ledger.change { $0.notes[0].text = text }
      #expect(try await fast.next()?.rows.map(\.text) == [text])
    }
    ledger.change { $0.notes.removeLast() }
    for update in try await [fast.next(), slow.next()] {
      #expect(update?.total == .exactly(1))
      #expect(update?.changes.updates == [])
      #expect(update?.changes.updatedSections == [0])
    }
    await controller.stop()
  }

  @Test func `a failure is thrown once the newest list was seen, and ends the sequence`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    let reader = controller.updates().makeAsyncIterator()
    let waiting = Task {
      let reader = controller.updates().makeAsyncIterator()
      while try await reader.next() != nil {}
    }
    ledger.end(Trouble())
    await #expect(throws: Trouble.self) { try await waiting.value }
    #expect(try await reader.next()?.rows.count == 1)
    await #expect(throws: Trouble.self) { _ = try await reader.next() }
    #expect(try await reader.next() == nil)

    ledger.mend()
    ledger.change { $0.add(Note(id: 0)) }
    try await controller.performFetch()
    #expect(try await reader.next() == nil)
    let next = controller.updates().makeAsyncIterator()
    #expect(try await next.next()?.rows.count == 2)
    await controller.stop()
  }

  @Test func `a slow reader that saw nothing of a failure reads on after the next fetch`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    let reader = controller.updates().makeAsyncIterator()
    _ = try await reader.next()
    let other = Task { for try await _ in controller.updates() {} }
    ledger.end(Trouble())
    await #expect(throws: Trouble.self) { try await other.value }
    ledger.mend()
    ledger.change { $0.add(Note(id: 0)) }
    try await controller.performFetch()
    #expect(try await reader.next()?.changes.insertions.count == 1)
    await controller.stop()
  }

  @Test func `sequences end after the newest list if the observation ends by itself`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    ledger.end()
    var generations: [Int] = []
    for try await update in controller.updates() { generations.append(update.generation) }
    #expect(generations == [1])
    await controller.stop()
  }

  @Test func `a stop ends every sequence, those that wait and those that begin later`() async throws {
    let controller = Ledger(Notebook(["a"])).controller()
    try await controller.performFetch()
    let seen = Tally()
    let readers = (0..<20).map { _ in
      Task { for try await _ in controller.updates() { seen.count() } }
    }
    await seen.reaches(20)
    await controller.stop()
    for reader in readers { try await reader.value }
    for try await _ in controller.updates() { Issue.record("a stopped controller has no news") }
  }

  @Test func `a reader that is cancelled ends, the others read on`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    let seen = Tally()
    let cancelled = Task { for try await _ in controller.updates() { seen.count() } }
    await seen.reaches(1)
    let reader = controller.updates().makeAsyncIterator()
    _ = try await reader.next()
    cancelled.cancel()
    try await cancelled.value
    ledger.change { $0.add(Note(id: 0)) }
    #expect(try await reader.next()?.rows.count == 2)
    #expect(seen.total == 1)
    await controller.stop()
  }

  @Test @MainActor func `updates are read on the main actor like anywhere`() async throws {
    let controller = Ledger(Notebook(["a"])).controller()
    try await controller.performFetch()
    for try await update in controller.updates() {
      MainActor.preconditionIsolated()
      #expect(update.rows.count == 1)
      break
    }
    await controller.stop()
  }

  /// A view model that keeps its place in the updates.
  private actor Model {
    let iterator: Updates<Note>.AsyncIterator
    var texts: [String] = []

    init(_ iterator: Updates<Note>.AsyncIterator) { self.iterator = iterator }

    func advance() async throws {
      if let update = try await iterator.next() { texts = update.rows.map(\.text) }
    }
  }

  @Test func `an actor can store an iterator, and read on with it`() async throws {
    let ledger = Ledger(Notebook(["a"]))
    let controller = ledger.controller()
    try await controller.performFetch()
    let model = Model(controller.updates().makeAsyncIterator())
    try await model.advance()
    #expect(await model.texts == ["a"])
    ledger.change { $0.add(Note(id: 0, rank: 9, text: "b")) }
    try await model.advance()
    #expect(await model.texts == ["a", "b"])
    #expect(controller.rows.map(\.text) == ["a", "b"])
    await controller.stop()
  }
}
