import Dispatch
import PostgreSQL
import Synchronization

/// Connections of one kind, made when they are first needed.
final class SessionPool: Sendable {
  /// A connection in use by one thread: it is removed from the idle ones under their lock, and returned after use.
  final class Slot: @unchecked Sendable {
    private let connect: @Sendable () throws -> PostgreSQLSession
    private var session: PostgreSQLSession?

    init(_ connect: @escaping @Sendable () throws -> PostgreSQLSession) { self.connect = connect }

    /// The connection. One that ended since its last use is replaced.
    func live() throws -> PostgreSQLSession {
      if let session, session.connection.isAlive { return session }
      let session = try connect()
      self.session = session
      return session
    }

    /// Gives up the connection: the next use makes another one.
    func drop() {
      session?.connection.close()
      session = nil
    }
  }

  private let count: Int
  private let slots: DispatchSemaphore
  private let idle: Mutex<[Slot]?>
  private let end = Mutex(())

  /// A pool of `count` connections.
  init(_ count: Int, _ connect: @escaping @Sendable () throws -> PostgreSQLSession) {
    self.count = count
    slots = DispatchSemaphore(value: count)
    idle = Mutex((0..<count).map { _ in Slot(connect) })
  }

  /// Uses a connection that nobody else uses meanwhile. `body` must not use the same pool.
  func use<Value>(_ body: (Slot) throws -> Value) throws -> Value {
    slots.wait()
    defer { slots.signal() }
    let slot: Slot? = idle.withLock { $0?.popLast() }
    guard let slot else { throw PostgreSQLError.misuse("the library is closed") }
    defer { idle.withLock { $0?.append(slot) } }
    return try body(slot)
  }

  /// Closes the connections when their users are done. Later uses fail; closing again does nothing.
  func close() {
    // Otherwise two concurrent calls would each wait for the slots that the other has.
    end.withLock { _ in
      for _ in 0..<count { slots.wait() }
      let unused = idle.withLock { idle in
        defer { idle = nil }
        return idle ?? []
      }
      for slot in unused { slot.drop() }
      for _ in 0..<count { slots.signal() }
    }
  }
}
