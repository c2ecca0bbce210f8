import Foundation
import HTTP
import Posts
import Services
import Storage

/// What looking the posts of a feed up again came to; it encodes as the JSON object that ends it.
public struct RecheckSummary: Sendable, Equatable, Encodable {
  /// The feed's name.
  public var feed: String
  /// Posts looked up: the four that follow add up to them.
  public var lookedUp = 0
  /// Caption, warning, attachments, alt text or tags had changed.
  public var edited = 0
  /// As they are held.
  public var unchanged = 0
  /// Gone from the server.
  public var gone = 0
  /// The server said nothing of them that could be read.
  public var unanswered = 0
  /// Requests, repeated ones included.
  public var requests = 0

  enum CodingKeys: String, CodingKey {
    case feed, edited, unchanged, gone, unanswered, requests
    case lookedUp = "looked_up"
  }

  /// Nothing yet, of a feed of that name.
  public init(feed: String) { self.feed = feed }

  fileprivate mutating func add(_ result: Rechecked, of count: Int) {
    lookedUp += count
    edited += result.edited.count
    unchanged += result.unchanged
    gone += result.gone
    unanswered += result.unanswered
  }
}

/// How it ended, and what stopped it early.
public struct RecheckReport: Sendable {
  /// What came of it, whether or not it ended well.
  public var summary: RecheckSummary
  /// What stopped it before all were looked up; nil when nothing did.
  public var failure: (any Error)?
  /// The posts that were edited, in whose attachments there may be new ones.
  public var edited: [Int64] = []
}

/// Looks posts of a feed up again at its server, as many at once as its source allows. What a look brought is stored
/// before the next one.
public struct FeedRecheck: Sendable {
  /// Which posts are looked up.
  public enum Scope: Sendable {
    /// All that were written since a date, or all; those that one of other feeds brought first are left to it.
    case all(since: Date?, leaving: [Feed])
    /// These, which the schedule wants to be looked up; those that are left at the end of its time wait a day.
    case due([KnownPost], until: Date = .distantFuture)
  }

  /// How long posts wait that could not be looked up when they were due.
  static let delay: TimeInterval = 86_400

  private let source: any Source
  private let store: Store
  private let pictures: Bool
  private let time: Timekeeper
  private let requests: @Sendable () -> Int
  private let locks: FeedLocks?
  private let rates: RateGate?
  private let queue = BlockingQueue("rechecks")

  /// One from its parts. `requests` tells how many requests were sent so far; `locks` keeps pulls of the same feed
  /// waiting; without `pictures`, new attachments of edited posts are not wanted. `rates` is the gate that its requests go
  /// through; what it has taken is given back at the end.
  public init(
    source: any Source, store: Store, pictures: Bool = true, time: Timekeeper, locks: FeedLocks? = nil,
    rates: RateGate? = nil, requests: @escaping @Sendable () -> Int
  ) {
    self.source = source
    self.store = store
    self.pictures = pictures
    self.time = time
    self.locks = locks
    self.rates = rates
    self.requests = requests
  }

  /// Looks posts of a feed up. Never throws: the report says what came and what went wrong. `onLook` is told how many
  /// were looked up so far.
  public func run(
    _ feed: Feed, _ scope: Scope, onLook: @escaping @Sendable (Int) -> Void
  ) async -> RecheckReport {
    defer { rates?.giveBack() }
    let before = requests()
    var report = RecheckReport(summary: RecheckSummary(feed: feed.name))
    do {
      let lock = try await locks?.hold(feed, within: patience(scope), time: time) {}
      defer { withExtendedLifetime(lock) {} }
      switch scope {
      case .all(let since, let others): try await lookUpAll(feed, since, others, &report, onLook)
      case .due(let posts, let end): try await lookUp(posts, until: end, &report, onLook)
      }
    } catch {
      report.failure = error
    }
    report.summary.requests = requests() - before
    return report
  }

  private func patience(_ scope: Scope) -> Duration? {
    if case .due = scope { FeedPull.harvestPatience } else { nil }
  }

  private func lookUpAll(
    _ feed: Feed, _ since: Date?, _ others: [Feed], _ report: inout RecheckReport, _ onLook: (Int) -> Void
  ) async throws {
    var last: KnownPost?
    // How many at once may change on the way: a budget does for fewer and fewer.
    while let most = source.mostLookedUp {
      try Task.checkCancellation()
      let posts = try await queue.run { [store, last] in
        try store.knownPosts(of: feed, leaving: others, since: since, after: last, limit: most)
      }
      guard let end = posts.last else { return }
      try await look(at: posts, &report, onLook)
      last = end
    }
  }

  private func lookUp(
    _ posts: [KnownPost], until end: Date, _ report: inout RecheckReport, _ onLook: (Int) -> Void
  ) async throws {
    guard let most = source.mostLookedUp else { return }
    var rest = posts[...]
    do {
      while !rest.isEmpty, time.now() < end {
        try Task.checkCancellation()
        try await look(at: Array(rest.prefix(most)), &report, onLook)
        rest = rest.dropFirst(most)
      }
    } catch {
      if !(error is CancellationError), !Task.isCancelled { try await postpone(rest) }
      throw error
    }
    try await postpone(rest)
  }

  /// A server that is down for long, or slow, must not keep the others' posts waiting behind its own.
  private func postpone(_ posts: ArraySlice<KnownPost>) async throws {
    guard !posts.isEmpty else { return }
    let (left, then) = (Array(posts), time.now().addingTimeInterval(Self.delay))
    try await queue.run { [store] in try store.postpone(left, to: then) }
  }

  private func look(at posts: [KnownPost], _ report: inout RecheckReport, _ onLook: (Int) -> Void) async throws {
    let looked = try await source.lookUp(posts.map(\.remoteID))
    let result = try await queue.run { [store, pictures, time] in
      try store.save(looked, of: posts, pictures: pictures, now: time.now())
    }
    report.summary.add(result, of: posts.count)
    report.edited += result.edited
    onLook(report.summary.lookedUp)
  }
}
