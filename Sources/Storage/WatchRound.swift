/// The watching thread's loop and its state, which no other thread uses.
struct WatchRound {
  private let desk: WatchDesk
  private var library: WatchedLibrary
  private var log: ChangeLog
  private var windows: [Int: WindowObserver] = [:]
  private var changes: [Int: ChangeObserver] = [:]
  private var delay: LookPatience

  /// Runs until the store is closed. Then, or if the library cannot be read, it ends every stream. New observers are
  /// served as soon as the library can be read again.
  static func run(at desk: WatchDesk) {
    while !desk.isClosed {
      do {
        var round = try WatchRound(desk)
        while round.runOnce() {}
      } catch {
        let reason = WatchedLibrary.explained(error, of: desk.writer)
        for arrival in desk.clear().arrivals { arrival.finish(reason) }
        _ = desk.bell.wait(milliseconds: desk.interval)
      }
    }
    for arrival in desk.clear().arrivals { arrival.finish(nil) }
  }

  private init(_ desk: WatchDesk) throws {
    self.desk = desk
    delay = LookPatience(interval: desk.interval)
    library = try WatchedLibrary(desk.writer)
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
      let isWoken = desk.bell.wait(milliseconds: delay.next())
      let received = desk.clear()
      if received.isClosed {
        finish(received)
        return false
      }
      for id in received.departures { (windows[id], changes[id]) = (nil, nil) }
      if library.hasCommits(received.hasCommits) || !received.arrivals.isEmpty {
        read(with: received.arrivals)
        delay = LookPatience(interval: desk.interval)
        return true
      }
      if isWoken { delay = LookPatience(interval: desk.interval) }
    }
  }

  private mutating func read(with arrivals: [WatchDesk.Arrival]) {
    let library = library
    do {
      try library.read { db in
        if let change = try log.next(in: db) { notify(change, in: db) }
        for arrival in arrivals { add(arrival, in: db) }
      }
    } catch {
      finish(WatchDesk.Post(arrivals: arrivals), error)
    }
  }

  private mutating func notify(_ change: LibraryChange, in db: Database) {
    for observer in changes.values { observer.follow(change) }
    for id in windows.keys {
      do { try windows[id]?.follow(change, in: db) } catch {
        windows.removeValue(forKey: id)?.finish(library.explained(error))
      }
    }
  }

  private mutating func add(_ arrival: WatchDesk.Arrival, in db: Database) {
    switch arrival.wish {
    case .changes(let continuation): changes[arrival.id] = ChangeObserver(changes: continuation)
    case .window(let list, let place, let readings):
      do { windows[arrival.id] = try WindowObserver(list, at: place, for: readings, in: db) } catch {
        arrival.finish(library.explained(error))
      }
    }
  }

  private mutating func finish(_ received: WatchDesk.Post, _ error: (any Error)? = nil) {
    let reason = error.map(library.explained)
    for arrival in received.arrivals { arrival.finish(reason) }
    for observer in windows.values { observer.finish(reason) }
    for observer in changes.values { observer.finish(reason) }
    (windows, changes) = ([:], [:])
  }
}
