import Synchronization

/// Passes new observers, leaving observers and commits of this process to the watching thread.
final class ObserverRegistry: Sendable {
  /// A request to observe.
  struct Request: Sendable {
    enum Kind: Sendable {
      case changes(ChangeObserver.Changes.Continuation, startsWithEverything: Bool)
      case window(PostListQuery, WindowPosition, WindowObserver.Readings.Continuation)
    }

    let id: Int
    let kind: Kind

    func finish(_ error: (any Error)?) {
      switch kind {
      case .changes(let changes, _): changes.finish(throwing: error)
      case .window(_, _, let readings): readings.finish(throwing: error)
      }
    }
  }

  /// What has arrived since the thread last read it.
  struct Post: Sendable {
    var requests: [Request] = []
    var removals: Set<Int> = []
    var hasCommits = false
    var isClosed = false
  }

  let writer: any StoreConnections
  /// Where the library is.
  let path: String
  let interval: Int32
  let directoryWatcher: DirectoryWatcher
  private let post = Mutex(Post())
  private let number = Atomic(0)

  init(_ writer: any StoreConnections, path: String, interval: Int32, watchesFolder: Bool) {
    self.writer = writer
    self.path = path
    self.interval = interval
    directoryWatcher = DirectoryWatcher(folder: watchesFolder ? writer.folder : nil)
  }

  func explained(_ error: any Error) -> StorageError { StorageError(error, path: path) }

  var isClosed: Bool { post.withLock { $0.isClosed } }

  func nextNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

  func commit() {
    post.withLock { $0.hasCommits = true }
    directoryWatcher.ring()
  }

  /// Queues a request.
  ///
  /// - Returns: False if the store is closed.
  func enqueue(_ request: Request) -> Bool {
    let isAccepted = post.withLock { post in
      if !post.isClosed { post.requests.append(request) }
      return !post.isClosed
    }
    directoryWatcher.ring()
    return isAccepted
  }

  func remove(_ id: Int) {
    post.withLock { post in
      guard !post.isClosed else { return }
      post.requests.removeAll { $0.id == id }
      post.removals.insert(id)
    }
    directoryWatcher.ring()
  }

  func close() {
    post.withLock { $0.isClosed = true }
    directoryWatcher.ring()
  }

  /// Removes and returns what has arrived.
  func drain() -> Post {
    post.withLock { post in
      let current = post
      post = Post(isClosed: current.isClosed)
      return current
    }
  }
}
