import Synchronization

/// Watches a library for everybody who looks at it through one store: one thread, which begins with the first of them
/// and ends when the store is closed or gone.
final class Watcher: Sendable {
  let desk: WatchDesk
  private let thread = Mutex<JoinedThread?>(nil)
  private let isStopped = Atomic(false)

  /// How long it waits, in milliseconds, before it looks by itself; `watchesFolder` says whether the system is asked to
  /// tell of other processes' commits.
  init(_ writer: Connections, interval: Int32 = 1000, watchesFolder: Bool = true) {
    desk = WatchDesk(writer, interval: interval, watchesFolder: watchesFolder)
  }

  deinit { stop() }

  /// Lets somebody look; returns the number under which they leave.
  func add(_ wish: WatchDesk.Arrival.Wish) -> Int {
    let arrival = WatchDesk.Arrival(id: desk.nextNumber(), wish: wish)
    thread.withLock { thread in
      if thread == nil, !desk.isClosed { thread = begin() }
    }
    if !desk.take(arrival) { arrival.finish(nil) }
    return arrival.id
  }

  /// Ends every stream, and returns when the thread has ended; false where that was done before.
  @discardableResult
  func stop() -> Bool {
    let isFirst = !isStopped.exchange(true, ordering: .acquiringAndReleasing)
    desk.close()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    // Nobody begins any more.
    desk.writer.tellNoMore(desk)
    return isFirst
  }

  private func begin() -> JoinedThread? {
    let desk = desk
    desk.bell.watch()
    desk.writer.tell(desk) { desk.commit() }
    guard let thread = JoinedThread({ WatchRound.run(at: desk) }) else {
      desk.close()
      return nil
    }
    return thread
  }
}
