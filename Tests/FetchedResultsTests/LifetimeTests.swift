import Dispatch
import FetchedResults
import PropertyTesting
import Synchronization
import Testing

/// Counts when it is deallocated.
private final class Token: Sendable {
  private let gone: Tally

  init(_ gone: Tally) { self.gone = gone }

  deinit { gone.count() }
}

/// A row that retains a token, as does every task that saw the row.
private struct Held: Identifiable, Equatable, Sendable {
  let id: Int
  let token: Token

  static func == (first: Self, second: Self) -> Bool { first.id == second.id }
}

private final class Listener: FetchedResultsDelegate, Sendable {
  let calls = Tally()

  func didChangeContent(_ update: Update<Held>) { calls.count() }
}

@Suite(.timeLimit(.minutes(10))) struct LifetimeTests {
  /// A controller over one row. `gone` counts when neither it nor any of its tasks retains the row or the function.
  private func controller(_ gone: Tally) -> FetchedResultsController<Held, Int> {
    let token = Token(gone)
    return FetchedResultsController(window: Window(after: 1)) { _ in
      AsyncThrowingStream { $0.yield(Snapshot(rows: [Held(id: 1, token: token)], total: .exactly(1))) }
    }
  }

  @Test func `a controller that is dropped leaves no task behind`() async throws {
    let gone = Tally()
    try await controller(gone).performFetch()
    await gone.reaches(1)
  }

  @Test func `a controller that is dropped no longer calls its delegate`() async throws {
    let (gone, listener) = (Tally(), Listener())
    do {
      let controller = controller(gone)
      controller.setDelegate(listener, on: DispatchQueue(label: "listener"))
      try await controller.performFetch()
      await listener.calls.reaches(1)
    }
    await gone.reaches(1)
  }

  @Test @MainActor func `a controller that is dropped releases a delegate's actor`() async throws {
    let (gone, listener) = (Tally(), Listener())
    do {
      let controller = controller(gone)
      controller.setDelegate(listener)
      try await controller.performFetch()
      await listener.calls.reaches(1)
    }
    await gone.reaches(1)
  }

  @Test func `a delegate is not retained`() async throws {
    let gone = Tally()
    let controller = controller(gone)
    try await controller.performFetch()
    weak var weakly: Listener?
    do {
      let listener = Listener()
      weakly = listener
      controller.setDelegate(listener, on: DispatchQueue(label: "listener"))
      await listener.calls.reaches(1)
      // The call must have ended.
      controller.removeDelegate()
      await controller.stop()
    }
    #expect(weakly == nil)
  }

  @Test func `a reader retains the controller`() async throws {
    let gone = Tally()
    func updates() async throws -> Updates<Held> {
      let controller = controller(gone)
      try await controller.performFetch()
      return controller.updates()
    }
    for try await update in try await updates() {
      #expect(update.rows.count == 1)
      #expect(gone.total == 0)
      break
    }
    await gone.reaches(1)
  }

  @Test func `a reader that is cancelled releases the controller`() async throws {
    let gone = Tally()
    let seen = Tally()
    let updates = Mutex<Updates<Held>?>(controller(gone).updates())
    let reader = Task {
      guard let updates = updates.withLock({ $0.take() }) else { return }
      for try await _ in updates { seen.count() }
    }
    reader.cancel()
    try await reader.value
    await gone.reaches(1)
    #expect(seen.total == 0)
  }

  @Test func `the observation of a previous window is released`() async throws {
    let (begun, gone) = (Tally(), Tally())
    let controller = FetchedResultsController<Note, Int>(window: Window(after: 1)) { window in
      begun.count()
      let token = Token(gone)
      return AsyncThrowingStream { readings in
        readings.onTermination = { _ in withExtendedLifetime(token) {} }
        readings.yield(Snapshot(rows: [Note(id: window.after)], total: .exactly(1)))
      }
    }
    for number in 1...500 { try await controller.move(to: Window(after: number)) }
    await gone.reaches(begun.total - 1)
    #expect(controller.rows.map(\.id) == [500])
    await controller.stop()
    await gone.reaches(begun.total)
  }

  @Test func `a stop waits for the observation of a previous window`() async throws {
    let (begun, mayEnd, ended) = (Tally(), Tally(), Tally())
    let controller = FetchedResultsController<Note, Int>(window: Window(after: 1)) { window in
      guard window.after == 1 else {
        return AsyncThrowingStream { $0.yield(Snapshot(rows: [], total: .exactly(0))) }
      }
      return AsyncThrowingStream {
        begun.count()
        await mayEnd.reaches(1)
        ended.count()
        return nil
      }
    }
    let fetch = Task { try await controller.performFetch() }
    await begun.reaches(1)
    try await controller.move(to: Window(after: 2))
    try await fetch.value
    let stopped = Task {
      await controller.stop()
      return ended.total
    }
    for _ in 0..<100 { await Task.yield() }
    mayEnd.count()
    #expect(await stopped.value == 1)
  }

  @Test func `readers that are cancelled as they begin all end`() async throws {
    let controller = Ledger().controller()
    for _ in PropertyTest.repetitions(sample: 500, whole: 5_000) {
      let reader = Task { for try await _ in controller.updates() {} }
      await Task.yield()
      reader.cancel()
      try await reader.value
    }
    await controller.stop()
  }

  @Test func `a storm of moves, readers, fetches and cancellations ends`() async throws {
    let ledger = Ledger(Notebook((0..<50).map(String.init)))
    let controller = ledger.controller()
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          let task = Task {
            switch number % 4 {
            case 0: try? await controller.move(to: Window(after: number % 7))
            case 1: try? await controller.performFetch()
            case 2: ledger.change { $0.add(Note(id: 0)) }
            default: for try await _ in controller.updates() {}
            }
          }
          if number % 3 == 0 { task.cancel() }
          if number == 150 { await controller.stop() }
          _ = await task.result
        }
      }
    }
    await controller.stop()
    #expect(ledger.begun.total == ledger.ended.total)
  }
}
