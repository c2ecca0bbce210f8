import FoundationEssentials
import HTTP
import Machine
import Posts
import Services
import Storage
import Synchronization

/// Looks at a network's stream of posts for followed tags: from where the last look ended to the moment at which this one began.
///
/// It claims nothing: servers of such streams promise no order and no completeness, and what came while none was looked at is not
/// known. So posts are stored beside the coverage of their feeds, whose gaps stay what they are.
public struct TagStream: Sendable {
  /// The bounds of one look.
  public struct Bounds: Sendable {
    /// How long it may take.
    public var time: TimeInterval = 600
    /// How many bytes it may read.
    public var bytes = 1 << 30
    /// How long the server may say nothing.
    public var silence = Duration.seconds(15)

    /// The usual bounds.
    public init() {}
  }

  /// What came of a look.
  public struct Report: Sendable, Equatable {
    /// Why it ended.
    public enum End: Sendable, Equatable {
      /// It reached the moment at which it began.
      case caughtUp
      /// The server said nothing more.
      case silent
      /// It had taken so long, or read so much, as it may.
      case bounded
    }

    /// The first moment that it looked at; nil if no event came.
    public var from: Date?
    /// The last one.
    public var to: Date?
    /// The moment from which it was to look, if the server's events begin later: what lies between was not looked at.
    public var gapSince: Date?
    /// The messages that came, whatever they said.
    public var events = 0
    /// Posts that the library had not.
    public var new = 0
    /// Posts that it had, and that were edited or deleted. They are looked up with the next rechecks.
    public var changed = 0
    /// The bytes that came.
    public var bytes = 0
    /// Why it ended.
    public var end = End.silent
    /// The posts that came, with their feeds' limits.
    public var stored: [Int64] = []
  }

  /// How far a look begins before the last one's end: events of one moment come in any order.
  private static let overlap: Int64 = 10_000_000
  /// How far back the first look goes.
  private static let first: Int64 = 3_600_000_000
  /// A pause in the events from which it is told that some may be missing.
  private static let leastGap: Int64 = 60_000_000
  private static let mostTries = 3

  private let store: Store
  private let feeds: [Feed]
  private let network: SourceName
  private let stream: PostStream
  private let cursor: String
  private let source: any Source
  private let pictures: Bool
  private let bounds: Bounds
  private let time: TimeSource
  private let open: @Sendable (_ cursor: Int64) throws(WebSocketError) -> WebSocket
  private let queue = BlockingExecutor("stream")

  /// Creates a look.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - feeds: The feeds, tags at one server.
  ///   - descriptor: Their source.
  ///   - stream: Its stream.
  ///   - source: Looks the posts up that the stream names.
  ///   - pictures: Whether their pictures are wanted.
  ///   - bounds: When it ends at the latest.
  ///   - time: The clock.
  ///   - open: Opens the stream from a moment on.
  public init(
    store: Store, feeds: [Feed], of descriptor: SourceDescriptor, stream: PostStream, source: any Source,
    pictures: Bool, bounds: Bounds = Bounds(), time: TimeSource,
    open: @escaping @Sendable (_ cursor: Int64) throws(WebSocketError) -> WebSocket
  ) {
    (self.store, self.feeds, self.source, self.pictures) = (store, feeds, source, pictures)
    (network, self.stream) = (descriptor.network, stream)
    // In the library, so that whoever harvests it next goes on there: the last moment, in microseconds since 1970.
    cursor = "stream-cursor \(descriptor.name.rawValue) \(feeds.first?.server.name ?? "")"
    (self.bounds, self.time, self.open) = (bounds, time, open)
  }

  /// Looks. What was stored before a failure stays, and the next look goes on from there.
  ///
  /// - Returns: What came of it, and what ended it before its time; nil if nothing did.
  public func run() async -> (Report, failure: (any Error)?) {
    var report = Report()
    do {
      let begun = Self.microseconds(time.now())
      let known = try store.setting(cursor).flatMap { Int64($0) }.map { min($0, begun) }
      let tags = Set(feeds.map(\.value))
      let reading = StreamReading(
        from: (known ?? begun - Self.first) - (known == nil ? 0 : Self.overlap), to: begun, of: stream,
        wanting: tags, bounds: bounds, time: time, open: open)
      defer { reading.end() }
      while true {
        try Task.checkCancellation()
        let batch = try await read(reading)
        if report.from == nil, let first = batch.first {
          report.from = Self.date(first)
          if let known, first > known + Self.leastGap { report.gapSince = Self.date(known) }
        }
        try await keep(batch, &report)
        if let end = batch.end {
          report.end = end
          return (report, nil)
        }
      }
    } catch {
      return (report, error)
    }
  }

  /// The next events. A connection that broke is made again from the last event, as long as that leads on.
  private func read(_ reading: StreamReading) async throws -> StreamReading.Batch {
    var tries = 0
    while true {
      do {
        return try await withTaskCancellationHandler {
          try await queue.run { try reading.next() }
        } onCancel: {
          reading.cancel()
        }
      } catch let error as WebSocketError {
        tries += 1
        guard case .transport = error, tries < Self.mostTries, !Task.isCancelled else { throw error }
        try await time.sleep(.seconds(tries))
      }
    }
  }

  private func keep(_ batch: StreamReading.Batch, _ report: inout Report) async throws {
    report.events += batch.events
    report.bytes = batch.bytes
    var rest = batch.written[...]
    while !rest.isEmpty, let most = source.mostLookedUp {
      let looked = try await source.lookUp(Array(rest.prefix(most)))
      rest = rest.dropFirst(most)
      for feed in feeds {
        let items = looked.shown.filter { $0.post?.tags.contains(feed.value) == true }
        if items.isEmpty { continue }
        let saved = try await queue.run { [store, pictures, time] in
          try store.saveAside(
            items, of: feed, pictures: pictures, limits: try store.limits(of: feed), now: time.now())
        }
        report.new += saved.new
        report.stored += saved.posts
      }
    }
    let changed = batch.changed
    report.changed += try await queue.run { [store, network, time] in
      changed.isEmpty ? 0 : try store.makeDue(changed, of: network, now: time.now())
    }
    guard let last = batch.last else { return }
    report.to = Self.date(last)
    try await queue.run { [store, cursor] in try store.set(cursor, to: String(last)) }
  }

  static func microseconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970 * 1_000_000) }
  static func date(_ time: Int64) -> Date { Date(timeIntervalSince1970: Double(time) / 1_000_000) }
}

/// The reading of one look.
///
/// It is used by one thread at a time: `next` runs on the look's executor alone, `end` after the last `next` was waited for, and
/// `cancel` only sets an atomic.
final class StreamReading: @unchecked Sendable {
  /// Some events, of which those are told that concern the library.
  struct Batch {
    /// The first and the last moment; nil if no event came.
    var first: Int64?
    var last: Int64?
    /// The identities of posts with a wanted tag.
    var written: [String] = []
    /// Those of posts that were edited or deleted.
    var changed: [String] = []
    var events = 0
    /// All that was read so far.
    var bytes = 0
    /// Why nothing follows; nil if more may.
    var end: TagStream.Report.End?
  }

  /// What a batch holds at most.
  private static let most = (written: 25, changed: 500, events: 20_000)
  /// How many identities are remembered.
  private static let mostPassed = 200_000
  /// How often it connects. A server that closes each connection again leads nowhere.
  private static let mostConnections = 20
  /// How often it is asked whether the look was cancelled.
  private static let slice = Duration.milliseconds(500)
  /// How far an event may lie in the future. The clocks of two machines are never the same.
  private static let future: Int64 = 600_000_000

  private let start: Int64
  private let goal: Int64
  private let form: PostStream
  private let tags: Set<String>
  private let bounds: TagStream.Bounds
  private let time: TimeSource
  private let begun: Date
  private let open: @Sendable (Int64) throws(WebSocketError) -> WebSocket
  private var stream: WebSocket?
  /// What earlier connections brought.
  private var earlier = 0
  private var last: Int64?
  /// The identities that were passed on, so that none is looked up twice.
  private var passed: Set<String> = []
  private var connections = 0
  private let isCancelled = Atomic(false)

  init(
    from start: Int64, to goal: Int64, of stream: PostStream, wanting tags: Set<String>, bounds: TagStream.Bounds,
    time: TimeSource,
    open: @escaping @Sendable (Int64) throws(WebSocketError) -> WebSocket
  ) {
    (self.start, self.goal, self.tags, self.bounds, self.time) = (start, goal, tags, bounds, time)
    form = stream
    self.open = open
    begun = time.now()
  }

  /// Ends the reading soon, from any thread.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Ends the connection.
  func end() {
    stream?.close()
    stream = nil
  }

  private func lose(_ stream: WebSocket) {
    earlier += stream.received
    self.stream = nil
  }

  private var bytes: Int { earlier + (stream?.received ?? 0) }

  /// Reads until a batch is full or nothing follows.
  ///
  /// - Throws: `WebSocketError`, if nothing came before it. The next call connects again.
  func next() throws(WebSocketError) -> Batch {
    var batch = Batch()
    let stream: WebSocket
    if let known = self.stream {
      stream = known
    } else {
      connections += 1
      guard connections <= Self.mostConnections else {
        batch.end = .silent
        return batch
      }
      stream = try open(last ?? start)
    }
    self.stream = stream
    var heard = ContinuousClock.now
    while batch.end == nil, !isCancelled.load(ordering: .relaxed) {
      let event: WebSocket.Event
      do { event = try stream.next(within: Self.slice) } catch {
        lose(stream)
        // What came is kept first; another connection goes on behind it.
        if batch.events > 0 { break }
        throw error
      }
      switch event {
      case .text(let message):
        heard = .now
        add(message, to: &batch)
      case .silence: if .now - heard >= bounds.silence { batch.end = .silent }
      case .ended:
        lose(stream)
        if batch.events == 0 { throw .transport(.cut(host: "")) }
      }
      if self.stream == nil { break }
      if bytes >= bounds.bytes || time.now().timeIntervalSince(begun) >= bounds.time {
        batch.end = batch.end ?? .bounded
      }
      let isFull =
        batch.written.count >= Self.most.written || batch.changed.count >= Self.most.changed
        || batch.events >= Self.most.events
      if isFull { break }
    }
    batch.bytes = bytes
    return batch
  }

  private func add(_ message: [UInt8], to batch: inout Batch) {
    batch.events += 1
    // What is no event, lies before the beginning or in the future is passed over: it must not move the position.
    guard let event = form.event(message, tags), event.time >= start, event.time <= goal + Self.future
    else { return }
    let moment = min(event.time, goal)
    batch.first = batch.first ?? moment
    // A server may go back. What it says again is known.
    last = max(last ?? moment, moment)
    batch.last = last
    if event.time >= goal { batch.end = .caughtUp }
    // Without them, some are looked up once more.
    if passed.count >= Self.mostPassed { passed.removeAll() }
    switch event.change {
    case .written(let uri): if passed.insert(uri).inserted { batch.written.append(uri) }
    case .changed(let uri): if passed.insert("changed \(uri)").inserted { batch.changed.append(uri) }
    case nil: break
    }
  }
}
