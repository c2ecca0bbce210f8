import FetchedResults
import Synchronization

/// A list that changes, with the observers of its windows.
final class Ledger: Sendable {
  private typealias Readings = AsyncThrowingStream<Snapshot<Note>, any Error>

  private struct State: Sendable {
    var book: Notebook
    var watchers: [Int: (window: Window<Key>, readings: Readings.Continuation)] = [:]
    var trouble: (any Error)?
  }

  private let state: Mutex<State>
  /// How often observations began and ended.
  let begun = Tally()
  let ended = Tally()

  init(_ book: Notebook = Notebook()) { state = Mutex(State(book: book)) }

  var book: Notebook { state.withLock(\.book) }

  func controller(_ window: Window<Key> = Window(after: 50)) -> FetchedResultsController<Note, Key> {
    FetchedResultsController(window: window) { [self] in observe($0) }
  }

  func observe(_ window: Window<Key>) -> AsyncThrowingStream<Snapshot<Note>, any Error> {
    let (stream, readings) = Readings.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = begun.count()
    readings.onTermination = { [self] _ in
      state.withLock { $0.watchers[number] = nil }
      ended.count()
    }
    let trouble = state.withLock { state in
      state.watchers[number] = (window, readings)
      if state.trouble == nil { readings.yield(state.book.read(window)) }
      return state.trouble
    }
    if let trouble { readings.finish(throwing: trouble) }
    return stream
  }

  func change(_ body: (inout Notebook) -> Void) {
    state.withLock { state in
      body(&state.book)
      for watcher in state.watchers.values { watcher.readings.yield(state.book.read(watcher.window)) }
    }
  }

  /// Ends all observations, with or without an error. New observations fail with the error until `mend()`.
  func end(_ error: (any Error)? = nil) {
    let watchers = state.withLock { state in
      state.trouble = error
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.readings.finish(throwing: error) }
  }

  func mend() { state.withLock { $0.trouble = nil } }
}

/// Counts events, and lets a test wait for a count.
final class Tally: Sendable {
  private struct State: Sendable {
    var count = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var total: Int { state.withLock(\.count) }

  @discardableResult func count() -> Int {
    let (count, reached) = state.withLock { state in
      state.count += 1
      let reached = state.waiting.filter { $0.count <= state.count }
      state.waiting.removeAll { $0.count <= state.count }
      return (state.count, reached)
    }
    for entry in reached { entry.continuation.resume() }
    return count
  }

  func reaches(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.count < count { state.waiting.append((count, continuation)) }
        return state.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}

/// The error with which observations fail in these tests.
struct Trouble: Error, Equatable {}
