import Synchronization

/// Watches a library for all observers of one store. Its one thread starts with the first observer and ends when the
/// store is closed or deallocated.
final class Watcher: Sendable {
  let desk: WatchDesk
  private let thread = Mutex<JoinedThread?>(nil)
  private let isStopped = Atomic(false)

  /// Creates a watcher.
  ///
  /// - Parameters:
  ///   - interval: Milliseconds between two reads without an event.
  ///   - watchesFolder: Whether the system reports other processes' commits.
  init(_ writer: Connections, interval: Int32 = 1000, watchesFolder: Bool = true) {
    desk = WatchDesk(writer, interval: interval, watchesFolder: watchesFolder)
  }

  deinit { stop() }

  /// Adds an observer.
  ///
  /// - Returns: The number by which to remove it.
  func add(_ wish: WatchDesk.Arrival.Wish) -> Int {
    let arrival = WatchDesk.Arrival(id: desk.nextNumber(), wish: wish)
    thread.withLock { thread in
      if thread == nil, !desk.isClosed { thread = startThread() }
    }
    if !desk.take(arrival) { arrival.finish(nil) }
    return arrival.id
  }

  /// Ends every stream, and returns when the thread has ended.
  ///
  /// - Returns: False if it was stopped before.
  @discardableResult
  func stop() -> Bool {
    let isFirst = !isStopped.exchange(true, ordering: .acquiringAndReleasing)
    desk.close()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    // No thread starts after this.
    desk.writer.tellNoMore(desk)
    return isFirst
  }

  private func startThread() -> JoinedThread? {
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
