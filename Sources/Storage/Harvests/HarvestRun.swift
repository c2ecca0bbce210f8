import FoundationEssentials
import Machine
import Posts
import Rows

/// The record of one harvest, or of a pull by hand.
public struct HarvestRun: Sendable, Hashable, Identifiable {
  /// How it ended.
  public enum State: String, Sendable {
    /// It is running, or its process disappeared without recording an end.
    case open
    /// It finished.
    case done
    /// A signal ended it.
    case interrupted
    /// Its process disappeared without recording an end.
    case cutOff = "cut off"
  }

  /// The counts of a harvest, or of one of its feeds.
  public struct Counts: Sendable, Hashable {
    /// Pages that were stored.
    public var pages = 0
    /// Posts that were not in the library before.
    public var new = 0
    /// Posts that had changed.
    public var updated = 0
    /// Posts that had not changed.
    public var unchanged = 0
    /// Deleted posts that were shown again and stay deleted.
    public var deleted = 0
    /// Items that could not be read.
    public var unreadable = 0
    /// Downloaded pictures.
    public var pictures = 0
    /// Pictures that could not be downloaded.
    public var picturesFailed = 0
    /// Requests for pages, retries included.
    public var requests = 0
    /// Received bytes.
    public var bytes: Int64 = 0

    /// Creates zero counts.
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
    /// Its counts.
    public var counts: Counts
    /// Why it failed or was limited.
    public var failure: String?

    /// Creates a part.
    public init(feed: Feed, outcome: Outcome, counts: Counts = Counts(), failure: String? = nil) {
      self.feed = feed
      self.outcome = outcome
      self.counts = counts
      self.failure = failure
    }

    /// Whether there is anything to report about it.
    var isEventful: Bool {
      outcome != .well || failure != nil || counts.new + counts.updated + counts.deleted + counts.unreadable > 0
        || counts.pictures + counts.picturesFailed > 0
    }
  }

  /// Its number.
  public let id: Int64
  /// Its process id; 0 for a pull by hand.
  public let process: Int32
  /// Whether it is a pull by hand, which is recorded once it has ended.
  public var isByHand: Bool { process == 0 }
  /// The name of the feed of a pull by hand; nil for a harvest, or if nothing was kept that names it.
  public let feed: String?
  /// When it began.
  public let startedAt: Date
  /// When it ended. Nil if it is running or the end is unknown.
  public let finishedAt: Date?
  /// How it ended.
  public let state: State
  /// Its exit status.
  public let code: Int32?
  /// The number of feeds it was to pull.
  public let planned: Int
  /// The number of feeds it processed.
  public let feeds: Int
  /// The number of feeds that failed.
  public let failed: Int
  /// The number of feeds postponed to their server's next window.
  public let limited: Int
  /// The number of planned feeds that it did not process. The next harvest continues with them. 0 until it is known to have
  /// ended.
  public var putOff: Int { state == .open ? 0 : max(0, planned - feeds) }
  /// The counts of all feeds.
  public let counts: Counts
  /// The total time that requests waited.
  public let waited: Duration
  /// The feeds with something to report, in the order in which they ended.
  public let parts: [Part]
  /// Its rechecks.
  public let rechecks: RecheckCounts
  /// Its notices, most urgent first.
  public let notices: [HarvestNotice]
}

extension HarvestRun.Counts: RowDecodable {
  package init(_ row: some RowReading) throws {
    self.init()
    (pages, requests, bytes) = try (row["pages"], row["requests"], row["bytes"])
    (new, updated, unchanged) = try (row["new"], row["updated"], row["unchanged"])
    (deleted, unreadable) = try (row["deleted"], row["unreadable"])
    (pictures, picturesFailed) = try (row["pictures"], row["pictures_failed"])
  }

  /// In the order of the columns in the ledger's statements.
  var arguments: Arguments {
    [pages, requests, new, updated, unchanged, deleted, unreadable, pictures, picturesFailed, bytes]
  }
}

extension HarvestRun {
  init(
    _ row: some RowReading, parts: (Int64) throws -> [Part], notices: (Int64) throws -> [HarvestNotice],
    feed: (Int64) throws -> String?
  ) throws {
    let id: Int64 = try row["id"]
    self.id = id
    process = try row["process"]
    startedAt = UTC.date(try row["started_at"]) ?? .distantPast
    finishedAt = try row.date("finished_at")
    state = State(rawValue: try row["state"]) ?? .cutOff
    code = try row["code"]
    (planned, feeds) = try (row.number("planned"), row.number("feeds"))
    (failed, limited) = try (row.number("failed"), row.number("limited"))
    counts = try Counts(row)
    waited = .milliseconds(Int64(exactly: (try row["waited"] as Double * 1000).rounded(.towardZero)) ?? 0)
    rechecks = try RecheckCounts(row)
    self.parts = try parts(id)
    self.feed = try process == 0 ? self.parts.first?.feed.name ?? feed(id) : nil
    self.notices = try notices(id)
  }
}
