import Synchronization

/// The updates of a controller's window, as a sequence.
///
/// Each iterator remembers what it returned last. Its first element is the current list, with changes from the empty
/// one. Each later one is the newest list, with the changes from this iterator's previous element. A slow reader skips
/// readings, and never gets changes against a list that it did not see.
///
/// The sequence ends when the controller is stopped or the reading task is cancelled. It ends after the newest list if
/// the observation ends by itself. If the observation fails, the iterator throws its error after the newest list. After
/// `performFetch`, a new iterator reads on. The sequence retains its controller.
public struct Updates<Row: Identifiable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// Reads the updates of one reader. Copies share their position, so an actor can store an iterator in a constant and
  /// call `next` on it. Calls must not overlap.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private let position: Position<Row>

    init(_ controller: any Sendable, _ board: LatestValue<Row>) { position = Position(controller, board) }

    /// Waits for the next update; nil at the end.
    ///
    /// - Throws: The error with which the observation failed.
    public func next() async throws -> Update<Row>? { try await position.next() }

    /// Waits for the next update; nil at the end.
    ///
    /// - Parameter actor: The caller's actor. The iterator is safe on any.
    /// - Throws: The error with which the observation failed.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Update<Row>? { try await position.next() }
  }

  private let controller: any Sendable
  private let board: LatestValue<Row>

  init(_ controller: any Sendable, _ board: LatestValue<Row>) {
    self.controller = controller
    self.board = board
  }

  /// An iterator that has returned nothing yet.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(controller, board) }
}

/// What an iterator returned last.
private final class Position<Row: Identifiable & Equatable & Sendable>: Sendable {
  // A reader may have no other reference to the controller, which must outlive the reading.
  private let controller: any Sendable
  private let reader: Mutex<Reader<Row>?>

  init(_ controller: any Sendable, _ board: LatestValue<Row>) {
    self.controller = controller
    reader = Mutex(Reader(board))
  }

  func next() async throws -> Update<Row>? {
    guard var current = reader.withLock({ $0 }) else { return nil }
    let state = await current.next()
    if case .update(let update)? = state {
      reader.withLock { [current] in $0 = current }
      return update
    }
    reader.withLock { $0 = nil }
    if case .halt(let error?)? = state { throw error }
    return nil
  }
}
