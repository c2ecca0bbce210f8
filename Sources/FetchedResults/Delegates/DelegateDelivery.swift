/// Reads a `LatestValue` for a delegate.
struct DelegateDelivery<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// What is delivered to a delegate.
  enum DelegateEvent: Sendable {
    case changed(Delivery<Row>)
    case failed(any Error)

    func deliver(to delegate: some FetchedResultsDelegate<Row>) {
      switch self {
      case .changed(let delivery): delivery.deliver(to: delegate)
      case .failed(let error): delegate.didFail(error)
      }
    }
  }

  private var reader: Reader<Row>

  init(_ board: LatestValue<Row>) { reader = Reader(board) }

  /// The next event; nil if there will be no more.
  mutating func next() async -> DelegateEvent? {
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
