/// What changes in a controller's window, pulled by its reader.
///
/// Each iterator remembers what it last saw: its first element is the present list, with changes from the empty one,
/// and each later one is the newest list with the changes from what this iterator gave before. A slow reader skips what
/// it missed, and never gets changes against a list that it did not see.
///
/// It ends when the controller is stopped, when the reading task is cancelled, and, after the newest list was seen, when
/// the observation ends of itself. It throws what the observation fails with, once the newest list was seen; a new
/// iterator reads on after `performFetch`. It keeps its controller.
public struct Updates<Row: Identifiable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// Reads the updates of one reader.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let controller: any Sendable
    private var reader: Reader<Row>?

    init(_ controller: any Sendable, _ board: Board<Row>) {
      self.controller = controller
      reader = Reader(board)
    }

    /// The next update, as soon as there is one; nil at the end.
    public mutating func next() async throws -> Update<Row>? {
      // Whoever only reads has no other use for the controller, and it must not go while it is read.
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

  /// A reader that saw nothing yet.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(controller, board) }
}
