import FoundationEssentials
import Posts
import Storage

/// A feed for a harvest to pull, and its follow, if any.
public struct HarvestTask: Sendable {
  /// The feed.
  public let feed: Feed
  /// How it is followed; nil for a single pull.
  public let follow: Follow?

  /// Creates a task.
  public init(_ feed: Feed, follow: Follow? = nil) {
    self.feed = feed
    self.follow = follow
  }
}

/// The result for one feed of a harvest.
public struct HarvestEntry: Sendable {
  /// The feed.
  public let feed: Feed
  /// The pull's counts.
  public internal(set) var summary: PullSummary
  /// How it ended.
  public private(set) var outcome: FeedOutcome
  /// What failed, before or after its newest end was read; nil if nothing did.
  public let failure: (any Error)?
  /// The first twenty reasons for failed pictures, one line each.
  public let pictureFailures: [String]
  /// The hosts whose pictures were put off.
  public let picturesPutOff: [PicturesPutOff]

  init(_ feed: Feed, _ report: PullReport) {
    self.feed = feed
    summary = report.summary
    outcome = FeedOutcome(report)
    failure = report.failure
    pictureFailures = report.pictureFailures
    picturesPutOff = report.picturesPutOff
  }

  /// An entry for a feed that was skipped because of its server's answer to another feed, or its silence.
  init(_ feed: Feed, leftAloneFor failure: any Error) {
    self.init(feed, PullReport(failing: failure, of: feed))
    if case .failed(let failure) = outcome { outcome = .leftAlone(failure) }
  }

  /// Whether the harvest was stopped before the feed was finished.
  public var isStopped: Bool { if case .stopped = outcome { true } else { false } }
  /// Whether its server accepts no more requests for now.
  public var isLimited: Bool { if case .limited = outcome { true } else { false } }

  /// The record for the ledger.
  var part: HarvestRun.Part {
    let outcome: HarvestRun.Part.Outcome = isLimited ? .limited : failure == nil ? .well : .failed
    return HarvestRun.Part(
      feed: feed, outcome: outcome, counts: HarvestRun.Counts(summary), failure: failure.map(\.recorded))
  }
}

/// The result of a harvest.
public struct HarvestReport: Sendable {
  /// The feeds that ended, in that order.
  public var entries: [HarvestEntry] = []
  /// The counts of pictures that were tried again.
  public var pictures = PullSummary.MediaCounts()
  /// The first twenty reasons for failures, one line each.
  public internal(set) var pictureFailures: [String] = []
  /// The hosts whose pictures were put off.
  public internal(set) var picturesPutOff: [PicturesPutOff] = []
  /// Number of pictures missing in the whole library at the end, including failed and put-off ones.
  public internal(set) var missingPictures = 0
  /// The feeds that it did not reach, because their hosts took too long for others.
  public var putOff: [Feed] = []
  /// What stopped the harvest: a failure of the library itself.
  public var failure: (any Error)?

  /// The exit code: the common code of all failures if every feed failed with it, else `partial` if something failed;
  /// `tryLater` if nothing failed but feeds or pictures were put off.
  public func code(_ codeOf: (any Error) -> ExitCode) -> ExitCode {
    if let failure { return codeOf(failure) }
    let failures = entries.filter { !$0.isStopped }.compactMap(\.failure)
    guard !failures.isEmpty else {
      let media = entries.map(\.summary.media) + [pictures]
      if media.contains(where: { $0.failed > 0 }) { return .partial }
      return putOff.isEmpty && !media.contains { $0.putOff > 0 } ? .done : .tryLater
    }
    let codes = Set(failures.map(codeOf))
    return codes.count == 1 && failures.count == entries.count ? codes.first ?? .partial : .partial
  }
}

/// Progress of a harvest.
public enum HarvestEvent: Sendable {
  /// The pull of a feed begins.
  case asks(Feed)
  /// A feed ended; `done` feeds have ended so far.
  case ended(HarvestEntry, done: Int)
  /// Something happens in the pull of a feed.
  case pulls(Feed, PullEvent)
  /// Pictures of earlier pulls are tried again: `done` of `known` are finished.
  case pictures(done: Int, known: Int)
}

extension HarvestRun.Counts {
  /// The counts of a pull.
  init(_ summary: PullSummary) {
    self.init()
    (pages, requests) = (summary.pages, summary.requests)
    (new, updated, unchanged) = (summary.posts.new, summary.posts.updated, summary.posts.unchanged)
    (deleted, unreadable) = (summary.posts.deleted, summary.posts.unreadable)
    self.add(summary.media)
  }

  /// The counts of pictures alone.
  init(_ media: PullSummary.MediaCounts) {
    self.init()
    add(media)
  }

  private mutating func add(_ media: PullSummary.MediaCounts) {
    (pictures, picturesFailed) = (media.downloaded + media.deduplicated, media.failed)
    bytes = media.bytes
  }
}
