import HTTP
import Synchronization

/// Keeps its bytes, and can refuse or fail.
final class TestSink: ByteSink {
  struct Full: Error, CustomStringConvertible { var description: String { "no space left" } }

  let state = Mutex((bytes: [UInt8](), heads: [Int](), writes: 0))
  let accepts: Bool
  let capacity: Int

  init(accepts: Bool = true, capacity: Int = .max) {
    self.accepts = accepts
    self.capacity = capacity
  }

  var bytes: [UInt8] { state.withLock(\.bytes) }
  var heads: [Int] { state.withLock(\.heads) }

  func begin(_ head: Response) -> Bool {
    state.withLock {
      $0.heads.append(head.status)
      $0.bytes = []
    }
    return accepts
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock {
      guard $0.bytes.count + bytes.count <= capacity else { throw Full() }
      $0.bytes.append(contentsOf: bytes)
    }
  }
}

/// Calls a closure when the first bytes of its body arrive, on the thread that delivers them.
final class WatchedSink: ByteSink {
  private let isBegun = Mutex(false)
  private let first: @Sendable () -> Void

  init(_ first: @escaping @Sendable () -> Void) { self.first = first }

  func begin(_ head: Response) -> Bool { true }

  func write(_ bytes: UnsafeRawBufferPointer) {
    let wasBegun = isBegun.withLock { begun in
      defer { begun = true }
      return begun
    }
    if !wasBegun { first() }
  }
}
