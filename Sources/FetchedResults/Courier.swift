/// Reads a board for a delegate.
struct Courier<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What a delegate is told.
  enum News: Sendable {
    case changed(Delivery<Row>)
    case failed(any Error)

    func hand(to delegate: some FetchedResultsDelegate<Row>) {
      switch self {
      case .changed(let delivery): delivery.hand(to: delegate)
      case .failed(let error): delegate.didFail(error)
      }
    }
  }

  private var reader: Reader<Row>

  init(_ board: Board<Row>) { reader = Reader(board) }

  /// The next news; nil where there will be none any more.
  mutating func next() async -> News? {
    while let sight = await reader.next() {
      switch sight {
      case .update(let update): return .changed(Delivery(update))
      case .halt(let error?): return .failed(error)
      case .halt(nil): continue
      case .over: return nil
      }
    }
    return nil
  }
}
