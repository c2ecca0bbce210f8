import Synchronization

/// Passes new observers, leaving observers and commits of this process to the watching thread.
final class WatchDesk: Sendable {
  /// A request to observe.
  struct Arrival: Sendable {
    enum Wish: Sendable {
      case changes(ChangeObserver.Changes.Continuation)
      case window(PostListQuery, WindowPlace, WindowObserver.Readings.Continuation)
    }

    let id: Int
    let wish: Wish

    func finish(_ error: (any Error)?) {
      switch wish {
      case .changes(let changes): changes.finish(throwing: error)
      case .window(_, _, let readings): readings.finish(throwing: error)
      }
    }
  }

  /// What has arrived since the thread last read it.
  struct Post: Sendable {
    var arrivals: [Arrival] = []
    var departures: Set<Int> = []
    var hasCommits = false
    var isClosed = false
  }

  let writer: Connections
  let interval: Int32
  let bell: FolderBell
  private let post = Mutex(Post())
  private let number = Atomic(0)

  init(_ writer: Connections, interval: Int32, watchesFolder: Bool) {
    self.writer = writer
    self.interval = interval
    bell = FolderBell(folder: watchesFolder ? writer.folder : nil)
  }

  var isClosed: Bool { post.withLock { $0.isClosed } }

  func nextNumber() -> Int { number.add(1, ordering: .relaxed).newValue }

  func commit() {
    post.withLock { $0.hasCommits = true }
    bell.ring()
  }

  /// Queues a request.
  ///
  /// - Returns: False if the store is closed.
  func take(_ arrival: Arrival) -> Bool {
    let isAccepted = post.withLock { post in
      if !post.isClosed { post.arrivals.append(arrival) }
      return !post.isClosed
    }
    bell.ring()
    return isAccepted
  }

  func leave(_ id: Int) {
    post.withLock { post in
      guard !post.isClosed else { return }
      post.arrivals.removeAll { $0.id == id }
      post.departures.insert(id)
    }
    bell.ring()
  }

  func close() {
    post.withLock { $0.isClosed = true }
    bell.ring()
  }

  /// Removes and returns what has arrived.
  func clear() -> Post {
    post.withLock { post in
      let current = post
      post = Post(isClosed: current.isClosed)
      return current
    }
  }
}
