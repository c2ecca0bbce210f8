/// The watching thread's work: it alone holds this.
struct WatchRound {
  private let desk: WatchDesk
  private var library: WatchedLibrary
  private var log: ChangeLog
  private var windows: [Int: WindowObserver] = [:]
  private var changes: [Int: ChangeObserver] = [:]
  private var patience: LookPatience

  /// Goes on until the desk is closed. Then, and where the library cannot be read, every stream is ended; whoever looks
  /// again later is answered as soon as it can.
  static func run(at desk: WatchDesk) {
    while !desk.isClosed {
      do {
        var round = try WatchRound(desk)
        while round.goOn() {}
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
    patience = LookPatience(interval: desk.interval)
    library = try WatchedLibrary(desk.writer)
    log = try library.read { try ChangeLog(in: $0) }
  }

  /// A commit can be read only after its file was written and synced: the sign comes before the commit, and no other
  /// follows. A look that finds one commit may have used up the sign of the next. So it looks again soon after every sign
  /// and after every look that found something.
  private mutating func goOn() -> Bool {
    while true {
      let isWoken = desk.bell.wait(milliseconds: patience.next())
      let left = desk.clear()
      if left.isClosed {
        finish(left)
        return false
      }
      for id in left.departures { (windows[id], changes[id]) = (nil, nil) }
      if library.hasCommits(left.hasCommits) || !left.arrivals.isEmpty {
        look(with: left.arrivals)
        patience = LookPatience(interval: desk.interval)
        return true
      }
      if isWoken { patience = LookPatience(interval: desk.interval) }
    }
  }

  private mutating func look(with arrivals: [WatchDesk.Arrival]) {
    let library = library
    do {
      try library.read { db in
        if let change = try log.next(in: db) { tell(change, in: db) }
        for arrival in arrivals { welcome(arrival, in: db) }
      }
    } catch {
      finish(WatchDesk.Post(arrivals: arrivals), error)
    }
  }

  private mutating func tell(_ change: LibraryChange, in db: Database) {
    for observer in changes.values { observer.follow(change) }
    for id in windows.keys {
      do { try windows[id]?.follow(change, in: db) } catch {
        windows.removeValue(forKey: id)?.finish(library.explained(error))
      }
    }
  }

  private mutating func welcome(_ arrival: WatchDesk.Arrival, in db: Database) {
    switch arrival.wish {
    case .changes(let continuation): changes[arrival.id] = ChangeObserver(changes: continuation)
    case .window(let list, let place, let readings):
      do { windows[arrival.id] = try WindowObserver(list, at: place, for: readings, in: db) } catch {
        arrival.finish(library.explained(error))
      }
    }
  }

  private mutating func finish(_ left: WatchDesk.Post, _ error: (any Error)? = nil) {
    let reason = error.map(library.explained)
    for arrival in left.arrivals { arrival.finish(reason) }
    for observer in windows.values { observer.finish(reason) }
    for observer in changes.values { observer.finish(reason) }
    (windows, changes) = ([:], [:])
  }
}
