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
  /// Reads the updates of one reader.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let controller: any Sendable
    private var reader: Reader<Row>?

    init(_ controller: any Sendable, _ board: Board<Row>) {
      self.controller = controller
      reader = Reader(board)
    }

    /// Waits for the next update; nil at the end.
    ///
    /// - Throws: The error with which the observation failed.
    public mutating func next() async throws -> Update<Row>? {
      // A reader may have no other reference to the controller, which must outlive the reading.
      defer { withExtendedLifetime(controller) {} }
      switch await reader?.next() {
      case .update(let update): return update
      case .halt(let error?):
        reader = nil
        throw error
      case .halt(nil), .over, nil:
        reader = nil
        return nil
      }
    }
  }

  private let controller: any Sendable
  private let board: Board<Row>

  init(_ controller: any Sendable, _ board: Board<Row>) {
    self.controller = controller
    self.board = board
  }

  /// An iterator that has returned nothing yet.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(controller, board) }
}
