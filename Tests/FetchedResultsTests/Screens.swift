import Dispatch
import FetchedResults
import Synchronization

/// What a delegate received: a table after one change, or a failure.
enum DelegateCall: Sendable {
  case changed(Table, Update<Note>)
  case failed(any Error)
}

/// A delegate on the main actor.
@MainActor final class MainScreen: @MainActor FetchedResultsDelegate {
  private var table = Table()
  let events: AsyncStream<DelegateCall>
  private let continuation: AsyncStream<DelegateCall>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  func willChangeContent(_ update: Update<Note>) {
    MainActor.preconditionIsolated()
    table.will()
  }
  func didChange(_ section: ListSection, _ change: SectionChange) { table.section(section, change) }
  func didChange(_ row: Note, _ change: RowChange) { table.row(row, change) }
  func didChangeContent(_ update: Update<Note>) {
    table.did()
    continuation.yield(.changed(table, update))
  }
  func didFail(_ error: any Error) {
    MainActor.preconditionIsolated()
    continuation.yield(.failed(error))
  }

  /// Ends the stream of events.
  func finish() { continuation.finish() }
}

/// A global actor of these tests.
@globalActor actor Desk {
  static let shared = Desk()
}

/// A delegate on an actor of its own.
@Desk final class DeskScreen: @Desk FetchedResultsDelegate {
  private var table = Table()
  let events: AsyncStream<DelegateCall>
  private let continuation: AsyncStream<DelegateCall>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  func willChangeContent(_ update: Update<Note>) {
    Desk.shared.preconditionIsolated()
    table.will()
  }
  func didChange(_ section: ListSection, _ change: SectionChange) { table.section(section, change) }
  func didChange(_ row: Note, _ change: RowChange) { table.row(row, change) }
  func didChangeContent(_ update: Update<Note>) {
    table.did()
    continuation.yield(.changed(table, update))
  }
}

/// A delegate on a queue.
final class QueueScreen: FetchedResultsDelegate, Sendable {
  let queue: DispatchQueue
  private let table = Mutex(Table())
  let events: AsyncStream<DelegateCall>
  private let continuation: AsyncStream<DelegateCall>.Continuation

  init(_ queue: DispatchQueue = DispatchQueue(label: "screen")) {
    self.queue = queue
    (events, continuation) = AsyncStream.makeStream()
  }

  func willChangeContent(_ update: Update<Note>) {
    dispatchPrecondition(condition: .onQueue(queue))
    table.withLock { $0.will() }
  }
  func didChange(_ section: ListSection, _ change: SectionChange) { table.withLock { $0.section(section, change) } }
  func didChange(_ row: Note, _ change: RowChange) { table.withLock { $0.row(row, change) } }
  func didChangeContent(_ update: Update<Note>) {
    dispatchPrecondition(condition: .onQueue(queue))
    let shown = table.withLock { table in
      table.did()
      return table
    }
    continuation.yield(.changed(shown, update))
  }
  func didFail(_ error: any Error) {
    dispatchPrecondition(condition: .onQueue(queue))
    continuation.yield(.failed(error))
  }
}

/// A delegate whose first call takes as long as a test wants.
final class SlowScreen: FetchedResultsDelegate, Sendable {
  let begun = Tally()
  let ended = Tally()
  let mayEnd = DispatchSemaphore(value: 0)

  func didChangeContent(_ update: Update<Note>) {
    begun.count()
    mayEnd.wait()
    ended.count()
  }
}
