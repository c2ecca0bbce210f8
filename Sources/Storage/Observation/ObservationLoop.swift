/// The watching thread's loop and its state, which no other thread uses.
struct ObservationLoop {
  private let registry: ObserverRegistry
  private let library: any WatchedLibrary
  private var log: ChangeLog
  private var windows: [Int: WindowObserver] = [:]
  private var changes: [Int: ChangeObserver] = [:]
  private var delay: CommitPollDelay

  /// Runs until the store is closed. Then, or if the library cannot be read, it ends every stream. New observers are
  /// served as soon as the library can be read again.
  static func run(at registry: ObserverRegistry) {
    while !registry.isClosed {
      do {
        var round = try ObservationLoop(registry)
        while round.runOnce() {}
      } catch {
        let reason = registry.explained(error)
        for request in registry.drain().requests { request.finish(reason) }
        _ = registry.directoryWatcher.wait(milliseconds: registry.interval)
      }
    }
    for request in registry.drain().requests { request.finish(nil) }
  }

  private init(_ registry: ObserverRegistry) throws {
    self.registry = registry
    delay = CommitPollDelay(interval: registry.interval)
    library = try registry.writer.watched()
    log = try library.read { try ChangeLog(in: $0) }
  }

  /// Waits for the next commit or request and handles it.
  ///
  /// A commit becomes readable only after its file was written and synced. The watcher's event comes before the commit,
  /// and no other follows. One read may also use up the event of the next commit. So this polls soon again after every
  /// event and after every read that found something.
  ///
  /// - Returns: False if the store is closed.
  private mutating func runOnce() -> Bool {
    while true {
      let isWoken = registry.directoryWatcher.wait(milliseconds: delay.next())
      let received = registry.drain()
      if received.isClosed {
        finish(received)
        return false
      }
      for id in received.removals { (windows[id], changes[id]) = (nil, nil) }
      if library.hasCommits(received.hasCommits) || !received.requests.isEmpty {
        read(with: received.requests)
        delay = CommitPollDelay(interval: registry.interval)
        return true
      }
      if isWoken { delay = CommitPollDelay(interval: registry.interval) }
    }
  }

  private mutating func read(with requests: [ObserverRegistry.Request]) {
    do {
      try library.read { db in
        if let change = try log.next(in: db) { notify(change, in: db) }
        for request in requests { add(request, in: db) }
      }
    } catch {
      finish(ObserverRegistry.Post(requests: requests), error)
    }
  }

  private mutating func notify(_ change: LibraryChange, in db: Database) {
    for observer in changes.values { observer.follow(change) }
    for id in windows.keys {
      do { try windows[id]?.follow(change, in: db) } catch {
        windows.removeValue(forKey: id)?.finish(registry.explained(error))
      }
    }
  }

  private mutating func add(_ request: ObserverRegistry.Request, in db: Database) {
    switch request.kind {
    case .changes(let continuation, let startsWithEverything):
      let observer = ChangeObserver(changes: continuation)
      if startsWithEverything { observer.follow(.everything) }
      changes[request.id] = observer
    case .window(let list, let position, let readings):
      do { windows[request.id] = try WindowObserver(list, at: position, for: readings, in: db) } catch {
        request.finish(registry.explained(error))
      }
    }
  }

  private mutating func finish(_ received: ObserverRegistry.Post, _ error: (any Error)? = nil) {
    let reason = error.map(registry.explained)
    for request in received.requests { request.finish(reason) }
    for observer in windows.values { observer.finish(reason) }
    for observer in changes.values { observer.finish(reason) }
    (windows, changes) = ([:], [:])
  }
}
