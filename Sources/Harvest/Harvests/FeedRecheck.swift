import FoundationEssentials
import HTTP
import Machine
import Posts
import Services
import Storage

/// The result of a recheck of a feed's posts. Encodes as the JSON object that ends it.
public struct RecheckSummary: Sendable, Equatable, Encodable {
  /// The feed's name.
  public var feed: String
  /// Posts looked up: the sum of the next four.
  public var lookedUp = 0
  /// Caption, warning, attachments, alt text or tags had changed.
  public var edited = 0
  /// As stored.
  public var unchanged = 0
  /// Gone from the server.
  public var gone = 0
  /// The server gave no readable answer for them.
  public var unanswered = 0
  /// Requests, repeated ones included.
  public var requests = 0

  enum CodingKeys: String, CodingKey {
    case feed, edited, unchanged, gone, unanswered, requests
    case lookedUp = "looked_up"
  }

  /// Creates an empty summary of the feed with this name.
  public init(feed: String) { self.feed = feed }

  fileprivate mutating func add(_ result: Rechecked, of count: Int) {
    lookedUp += count
    edited += result.edited.count
    unchanged += result.unchanged
    gone += result.gone
    unanswered += result.unanswered
  }
}

/// The result of a recheck, and what stopped it early.
public struct RecheckReport: Sendable {
  /// The counts, also after a failure.
  public var summary: RecheckSummary
  /// What stopped it before all posts were looked up; nil if nothing did.
  public var failure: (any Error)?
  /// The edited posts, which may have new attachments.
  public var edited: [Int64] = []
}

/// Rechecks posts of a feed at its server, as many at once as its source allows. Each result is stored before the next
/// request.
public struct FeedRecheck: Sendable {
  /// Which posts are looked up.
  public enum Scope: Sendable {
    /// All posts, or all since a date, without those that one of `leaving` brought first.
    case all(since: Date?, leaving: [Feed])
    /// Posts that the schedule selects. Those left at `until` wait a day.
    case due([KnownPost], until: Date = .distantFuture)
  }

  /// How long due posts wait that could not be looked up, in seconds.
  static let delay: TimeInterval = 86_400

  private let source: any Source
  private let store: Store
  private let pictures: Bool
  private let limits: FileLimits
  private let time: TimeSource
  private let requests: @Sendable () -> Int
  private let locks: FeedLocks?
  private let rates: RateGate?
  private let queue = BlockingExecutor("rechecks")

  /// Creates a recheck. `requests` returns the number of requests so far. `locks` makes pulls of the same feed wait.
  /// Without `pictures`, new attachments of edited posts are skipped; `limits` are the follow's. Requests pass through
  /// `rates`, which returns unused requests at the end.
  public init(
    source: any Source, store: Store, pictures: Bool = true,
    limits: FileLimits = FileLimits(), time: TimeSource,
    locks: FeedLocks? = nil,
    rates: RateGate? = nil, requests: @escaping @Sendable () -> Int
  ) {
    self.source = source
    self.store = store
    self.pictures = pictures
    self.limits = limits
    self.time = time
    self.locks = locks?.shared(by: store)
    self.rates = rates
    self.requests = requests
  }

  /// Rechecks posts of a feed. Never throws: the report holds the results and the failure. `onRecheck` receives the
  /// number of posts looked up so far.
  public func run(
    _ feed: Feed, _ scope: Scope, onRecheck: @escaping @Sendable (Int) -> Void
  ) async -> RecheckReport {
    let before = requests()
    var report = RecheckReport(summary: RecheckSummary(feed: feed.name))
    do {
      let lock = try await locks?.hold(feed, within: patience(scope), time: time) {}
      defer { withExtendedLifetime(lock) {} }
      switch scope {
      case .all(let since, let others): try await lookUpAll(feed, since, others, &report, onRecheck)
      case .due(let posts, let end): try await lookUp(posts, until: end, &report, onRecheck)
      }
    } catch {
      report.failure = error
    }
    report.summary.requests = requests() - before
    await rates?.giveBack()
    return report
  }

  private func patience(_ scope: Scope) -> Duration? {
    if case .due = scope { FeedPull.harvestPatience } else { nil }
  }

  private func lookUpAll(
    _ feed: Feed, _ since: Date?, _ others: [Feed], _ report: inout RecheckReport, _ onRecheck: (Int) -> Void
  ) async throws {
    var last: KnownPost?
    // The batch size may change between requests: it shrinks with the budget.
    while let most = source.mostLookedUp {
      try Task.checkCancellation()
      let posts = try await queue.run { [store, last] in
        try store.knownPosts(of: feed, leaving: others, since: since, after: last, limit: most)
      }
      guard let end = posts.last else { return }
      try await recheck(posts, &report, onRecheck)
      last = end
    }
  }

  private func lookUp(
    _ posts: [KnownPost], until end: Date, _ report: inout RecheckReport, _ onRecheck: (Int) -> Void
  ) async throws {
    guard let most = source.mostLookedUp else { return }
    var rest = posts[...]
    do {
      while !rest.isEmpty, time.now() < end {
        try Task.checkCancellation()
        try await recheck(Array(rest.prefix(most)), &report, onRecheck)
        rest = rest.dropFirst(most)
      }
    } catch {
      if !(error is CancellationError), !Task.isCancelled { try await postpone(rest) }
      throw error
    }
    try await postpone(rest)
  }

  /// A slow or broken server must not delay the posts of others.
  private func postpone(_ posts: ArraySlice<KnownPost>) async throws {
    guard !posts.isEmpty else { return }
    let (left, then) = (Array(posts), time.now().addingTimeInterval(Self.delay))
    try await queue.run { [store] in try store.postpone(left, to: then) }
  }

  private func recheck(_ posts: [KnownPost], _ report: inout RecheckReport, _ onRecheck: (Int) -> Void) async throws {
    let answer = try await source.lookUp(posts.map(\.remoteID))
    let result = try await queue.run { [store, pictures, limits, time] in
      try store.save(answer, of: posts, pictures: pictures, limits: limits, now: time.now())
    }
    report.summary.add(result, of: posts.count)
    report.edited += result.edited
    onRecheck(report.summary.lookedUp)
  }
}
