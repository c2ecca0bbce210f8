/// The watching thread's loop and its state, which no other thread uses.
struct ObservationLoop {
  private let registry: ObserverRegistry
  private let library: any WatchedLibrary
  private var log: ChangeLog
  private var windows: [Int: WindowObserver] = [:]
  private var changes: [Int: ChangeObserver] = [:]
  private var delay: CommitPollDelay
  /// How often the library could not be read in a row, although it may be soon.
  private var failures = 0
  /// Whether observers were told less than what changed.
  private var isBehind = false
  /// Observers that wait for the library.
  private var waiting: [ObserverRegistry.Request] = []

  /// After how many failures in a row, about as many intervals, streams end.
  private static let patience = 60

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
    library = try registry.writer.watched()
    delay = Self.freshDelay(of: library, registry)
    log = try library.read { try ChangeLog(in: $0) }
  }

  private static func freshDelay(of library: any WatchedLibrary, _ registry: ObserverRegistry) -> CommitPollDelay {
    library.signalsCommits ? CommitPollDelay(steady: registry.interval) : CommitPollDelay(interval: registry.interval)
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
      let isWoken = library.wait(registry.directoryWatcher, milliseconds: delay.next())
      let received = registry.drain()
      if received.isClosed {
        finish(received)
        return false
      }
      for id in received.removals { (windows[id], changes[id]) = (nil, nil) }
      waiting.removeAll { received.removals.contains($0.id) }
      if library.hasCommits(received.hasCommits) || isBehind || !received.requests.isEmpty {
        read(with: received.requests)
        delay = Self.freshDelay(of: library, registry)
        return true
      }
      if isWoken { delay = Self.freshDelay(of: library, registry) }
    }
  }

  private mutating func read(with requests: [ObserverRegistry.Request]) {
    waiting += requests
    do {
      try library.read { db in
        let change = try log.next(in: db)
        if let change = isBehind ? .everything : change { try notify(change, in: db) }
        for request in waiting { try add(request, in: db) }
      }
      (failures, isBehind, waiting) = (0, false, [])
    } catch  where library.mayRecover(from: error) && failures < Self.patience {
      (failures, isBehind) = (failures + 1, true)
      _ = registry.directoryWatcher.wait(milliseconds: registry.interval)
    } catch {
      finish(ObserverRegistry.Post(), error)
    }
  }

  private mutating func notify(_ change: LibraryChange, in db: Database) throws {
    for observer in changes.values { observer.follow(change) }
    for id in windows.keys {
      do { try windows[id]?.follow(change, in: db) } catch  where !library.mayRecover(from: error) {
        windows.removeValue(forKey: id)?.finish(registry.explained(error))
      }
    }
  }

  private mutating func add(_ request: ObserverRegistry.Request, in db: Database) throws {
    switch request.kind {
    case .changes(let continuation, let startsWithEverything):
      let observer = ChangeObserver(changes: continuation)
      if startsWithEverything { observer.follow(.everything) }
      changes[request.id] = observer
    case .window(let list, let position, let readings):
      do { windows[request.id] = try WindowObserver(list, at: position, for: readings, in: db) } catch
        where
        !library.mayRecover(from: error)
      {
        request.finish(registry.explained(error))
      }
    }
  }

  private mutating func finish(_ received: ObserverRegistry.Post, _ error: (any Error)? = nil) {
    let reason = error.map(registry.explained)
    for request in waiting + received.requests { request.finish(reason) }
    for observer in windows.values { observer.finish(reason) }
    for observer in changes.values { observer.finish(reason) }
    (windows, changes, waiting) = ([:], [:], [])
    (failures, isBehind) = (0, false)
  }
}
