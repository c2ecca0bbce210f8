import Foundation
import Posts

/// What one harvest did.
public struct HarvestRun: Sendable, Hashable, Identifiable {
  /// How it ended.
  public enum State: String, Sendable {
    /// It goes on, or its process is gone without a word.
    case open
    /// It came to its end.
    case done
    /// A signal ended it.
    case interrupted
    /// Its process was gone without a word.
    case cutOff = "cut off"
  }

  /// The counts of a harvest, or of one of its feeds.
  public struct Counts: Sendable, Hashable {
    /// Pages that were stored.
    public var pages = 0
    /// Posts that were not in the library before.
    public var new = 0
    /// Posts of which something had changed.
    public var updated = 0
    /// Posts that were as they are.
    public var unchanged = 0
    /// Posts that came again and stay deleted.
    public var deleted = 0
    /// Items that could not be read.
    public var unreadable = 0
    /// Pictures that came.
    public var pictures = 0
    /// Pictures that could not be had.
    public var picturesFailed = 0
    /// Requests for pages, repeated ones included.
    public var requests = 0
    /// Bytes that came.
    public var bytes: Int64 = 0

    /// Nothing.
    public init() {}
  }

  /// A feed of a harvest.
  public struct Part: Sendable, Hashable {
    /// How it ended.
    public enum Outcome: String, Sendable { case well, failed, limited }

    /// The feed.
    public var feed: Feed
    /// How it ended.
    public var outcome: Outcome
    /// What came.
    public var counts: Counts
    /// Why it did not end well.
    public var failure: String?

    /// A part from what it is made of.
    public init(feed: Feed, outcome: Outcome, counts: Counts = Counts(), failure: String? = nil) {
      self.feed = feed
      self.outcome = outcome
      self.counts = counts
      self.failure = failure
    }

    /// Whether there is anything to tell of it.
    var isEventful: Bool {
      outcome != .well || failure != nil || counts.new + counts.updated + counts.deleted + counts.unreadable > 0
        || counts.pictures + counts.picturesFailed > 0
    }
  }

  /// Its number.
  public let id: Int64
  /// The process that it was.
  public let process: Int32
  /// When it began.
  public let startedAt: Date
  /// When it ended; nil where it goes on, or nobody knows.
  public let finishedAt: Date?
  /// How it ended.
  public let state: State
  /// The status it ended with.
  public let code: Int32?
  /// How many feeds it was to pull.
  public let planned: Int
  /// How many of them it has come to.
  public let feeds: Int
  /// How many of those failed.
  public let failed: Int
  /// How many were left to their server's next window.
  public let limited: Int
  /// How many of the planned ones it has ended without: the next harvest goes on with them. 0 while nobody knows that it
  /// has ended.
  public var putOff: Int { state == .open ? 0 : max(0, planned - feeds) }
  /// What came of all of them.
  public let counts: Counts
  /// For how long requests waited, taken together.
  public let waited: Duration
  /// The feeds of which there is something to tell, in the order in which they ended.
  public let parts: [Part]
  /// What it looked up again.
  public let looks: Looks
  /// What it said beside what came, the most urgent first.
  public let notices: [HarvestNotice]
}

extension HarvestRun.Counts {
  init(_ row: Row) {
    self.init()
    (pages, requests, bytes) = (row["pages"], row["requests"], row["bytes"])
    (new, updated, unchanged) = (row["new"], row["updated"], row["unchanged"])
    (deleted, unreadable) = (row["deleted"], row["unreadable"])
    (pictures, picturesFailed) = (row["pictures"], row["pictures_failed"])
  }

  /// In the order of their columns in the statements of the ledger.
  var arguments: Arguments {
    [pages, requests, new, updated, unchanged, deleted, unreadable, pictures, picturesFailed, bytes]
  }
}

extension HarvestRun {
  init(_ row: Row, parts: [Part], notices: [HarvestNotice]) {
    id = row["id"]
    process = row["process"]
    startedAt = UTC.date(row["started_at"]) ?? .distantPast
    finishedAt = (row["finished_at"] as String?).flatMap(UTC.date)
    state = State(rawValue: row["state"]) ?? .cutOff
    code = row["code"]
    (planned, feeds, failed, limited) = (row["planned"], row["feeds"], row["failed"], row["limited"])
    counts = Counts(row)
    waited = .milliseconds(Int64((row["waited"] as Double) * 1000))
    self.parts = parts
    looks = Looks(row)
    self.notices = notices
  }
}
