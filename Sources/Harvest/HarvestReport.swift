import Foundation
import HTTP
import Posts
import Storage

/// A feed that a harvest is to pull, and how it is followed, where it is.
public struct Errand: Sendable {
  /// The feed.
  public let feed: Feed
  /// How it is followed; nil where it is pulled this once.
  public let follow: Follow?

  /// An errand from its parts.
  public init(_ feed: Feed, follow: Follow? = nil) {
    self.feed = feed
    self.follow = follow
  }
}

/// What came of one feed of a harvest.
public struct HarvestEntry: Sendable {
  /// The feed.
  public let feed: Feed
  /// What it brought.
  public internal(set) var summary: PullSummary
  /// How it ended.
  public private(set) var outcome: FeedOutcome
  /// What went wrong, before its newest end was read or after; nil where nothing did.
  public let failure: (any Error)?
  /// Why pictures could not be had, one line each, the first twenty.
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

  /// An entry of a feed that could not even be asked.
  init(_ feed: Feed, _ failure: any Error) {
    self.init(
      feed,
      PullReport(summary: PullSummary(feed: feed.name), failure: failure, pictureFailures: [], gaps: 0, head: nil))
  }

  /// An entry of a feed that was not asked, for what its server said to another, or did not.
  init(_ feed: Feed, leftAloneFor failure: any Error) {
    self.init(feed, failure)
    if case .failed(let failure) = outcome { outcome = .leftAlone(failure) }
  }

  /// Whether the harvest was stopped before the feed came to its end.
  public var isStopped: Bool { if case .stopped = outcome { true } else { false } }
  /// Whether its server takes no more requests for now.
  public var isLimited: Bool { if case .limited = outcome { true } else { false } }

  /// What the ledger is told.
  var part: HarvestRun.Part {
    let outcome: HarvestRun.Part.Outcome = isLimited ? .limited : failure == nil ? .well : .failed
    return HarvestRun.Part(
      feed: feed, outcome: outcome, counts: HarvestRun.Counts(summary), failure: failure.map(FollowPlan.words))
  }
}

/// What a harvest came to.
public struct HarvestReport: Sendable {
  /// The feeds that it has come to, in the order in which they ended.
  public var entries: [HarvestEntry] = []
  /// What came of pictures that were tried again.
  public var pictures = PullSummary.MediaCounts()
  /// Why they could not be had, one line each, the first twenty.
  public internal(set) var pictureFailures: [String] = []
  /// The hosts for which they were put off.
  public internal(set) var picturesPutOff: [PicturesPutOff] = []
  /// How many pictures of the whole library are missing at its end, those that failed or were put off included.
  public internal(set) var missingPictures = 0
  /// The feeds that it has not come to, since their hosts took too long over others.
  public var putOff: [Feed] = []
  /// What stopped all of it: trouble of the library's own.
  public var failure: (any Error)?

  /// The status that it ends with: that of all failures where no feed succeeded and they agree, else that some failed;
  /// where nothing did and feeds or pictures were put off, that they are to be asked later.
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

/// What happens during a harvest, for whoever shows it.
public enum HarvestEvent: Sendable {
  /// A feed is asked.
  case asks(Feed)
  /// A feed came to its end, of so many; this many have.
  case ended(HarvestEntry, done: Int)
  /// Something happens in the pull of a feed.
  case pulls(Feed, PullEvent)
  /// Pictures of earlier pulls are tried again: so many of so many are done.
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
