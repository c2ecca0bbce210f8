/// Reads a `Board` for a delegate.
struct Courier<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What is delivered to a delegate.
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

  /// The next event; nil if there will be no more.
  mutating func next() async -> News? {
    while let state = await reader.next() {
      switch state {
      case .update(let update): return .changed(Delivery(update))
      case .halt(let error?): return .failed(error)
      case .halt(nil): continue
      case .over: return nil
      }
    }
    return nil
  }
}
