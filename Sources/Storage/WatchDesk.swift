import Synchronization

/// Where those who begin and end looking, and commits of this process, are left for the thread.
final class WatchDesk: Sendable {
  /// Somebody who begins to look.
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

  /// What was left since the thread last looked.
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

  /// False where the store is closed.
  func take(_ arrival: Arrival) -> Bool {
    let isTaken = post.withLock { post in
      if !post.isClosed { post.arrivals.append(arrival) }
      return !post.isClosed
    }
    bell.ring()
    return isTaken
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

  /// What was left; it is gone from the desk then.
  func clear() -> Post {
    post.withLock { post in
      let left = post
      post = Post(isClosed: left.isClosed)
      return left
    }
  }
}
