import PostgreSQL
import Synchronization

/// Tells other processes that something was committed, by a notification without content.
///
/// It has a connection of its own and rings at most once in 50 milliseconds: the server commits transactions that notify
/// one after another. A ring that is lost delays a list until it looks by itself.
final class Bell: Sendable {
  /// The channel of notifications.
  static let channel = "media"

  private let connect: @Sendable () throws -> PostgreSQLConnection
  private let thread = Mutex<JoinedThread?>(nil)
  private let state: State

  /// What the thread and its owner share.
  private final class State: Sendable {
    let isPending = Atomic(false)
    let isStopped = Atomic(false)
    let rings = DirectoryWatcher(folder: nil)
    let end = DirectoryWatcher(folder: nil)
  }

  private static let pause: Int32 = 50

  /// - Parameter connect: Makes a connection to the library.
  init(_ connect: @escaping @Sendable () throws -> PostgreSQLConnection) {
    self.connect = connect
    state = State()
  }

  deinit { stop() }

  /// Rings, soon. It does not wait for the server.
  func ring() {
    guard !state.isStopped.load(ordering: .acquiring) else { return }
    thread.withLock { thread in
      if thread == nil { thread = JoinedThread { [state, connect] in Self.run(state, connect) } }
    }
    if !state.isPending.exchange(true, ordering: .acquiringAndReleasing) { state.rings.ring() }
  }

  /// Rings a last time if that is due, and ends.
  func stop() {
    state.isStopped.store(true, ordering: .releasing)
    state.rings.ring()
    state.end.ring()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private static func run(_ state: State, _ connect: () throws -> PostgreSQLConnection) {
    var connection: PostgreSQLConnection?
    while true {
      let isLast = state.isStopped.load(ordering: .acquiring)
      if state.isPending.exchange(false, ordering: .acquiringAndReleasing) {
        do {
          let open = try connection ?? connect()
          connection = open
          try open.execute("NOTIFY \(channel)")
        } catch { connection = nil }
        if !isLast { _ = state.end.wait(milliseconds: pause) }
      }
      if isLast { return }
      if !state.isStopped.load(ordering: .acquiring) { _ = state.rings.wait(milliseconds: -1) }
    }
  }
}
