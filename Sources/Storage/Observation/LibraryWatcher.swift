import Synchronization

/// Watches a library for all observers of one store. Its one thread starts with the first observer and ends when the
/// store is closed or deallocated.
final class LibraryWatcher: Sendable {
  let registry: ObserverRegistry
  private let thread = Mutex<JoinedThread?>(nil)
  private let isStopped = Atomic(false)

  /// Creates a watcher.
  ///
  /// - Parameters:
  ///   - writer: The library's connections.
  ///   - path: Where the library is.
  ///   - interval: Milliseconds between two reads without an event.
  ///   - watchesFolder: Whether the system reports other processes' commits.
  init(_ writer: any StoreConnections, path: String, interval: Int32 = 1000, watchesFolder: Bool = true) {
    registry = ObserverRegistry(writer, path: path, interval: interval, watchesFolder: watchesFolder)
  }

  deinit { stop() }

  /// Adds an observer.
  ///
  /// - Returns: The number by which to remove it.
  func add(_ kind: ObserverRegistry.Request.Kind) -> Int {
    let request = ObserverRegistry.Request(id: registry.nextNumber(), kind: kind)
    thread.withLock { thread in
      if thread == nil, !registry.isClosed { thread = startThread() }
    }
    if !registry.enqueue(request) { request.finish(nil) }
    return request.id
  }

  /// Ends every stream, and returns when the thread has ended.
  ///
  /// - Returns: False if it was stopped before.
  @discardableResult
  func stop() -> Bool {
    let isFirst = !isStopped.exchange(true, ordering: .acquiringAndReleasing)
    registry.close()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    // No thread starts after this.
    registry.writer.removeListener(registry)
    return isFirst
  }

  private func startThread() -> JoinedThread? {
    let registry = registry
    registry.directoryWatcher.watch()
    registry.writer.addListener(registry) { registry.commit() }
    guard let thread = JoinedThread({ ObservationLoop.run(at: registry) }) else {
      registry.close()
      return nil
    }
    return thread
  }
}
