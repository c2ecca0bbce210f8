import FoundationEssentials
import Machine
import Posts
import Rows

/// A feed that harvests pull, and when.
public struct Follow: Sendable, Hashable {
  /// The state of the feed.
  public enum State: String, Sendable {
    /// No harvest has pulled it.
    case new
    /// The last harvest read its newest posts.
    case well
    /// The last harvest failed to read its newest posts.
    case failing
    /// Its server accepts no more requests for now.
    case limited
    /// Its server wants a login, or another one.
    case login
    /// Its server removed it for good. It is not requested any more.
    case gone
  }

  /// What changes from harvest to harvest.
  public struct Schedule: Sendable, Hashable {
    /// The current time between two pulls.
    public var interval: Duration
    /// Posts an hour when the feed is busy. Nil before the first pull.
    public var pace: Double?
    /// When its next pull is due. Nil if it is not requested any more.
    public var dueAt: Date?
    /// When its newest posts were last read.
    public var pulledAt: Date?
    /// The state of the feed.
    public var state: State
    /// When its pulls began to fail. Nil if the last one succeeded.
    public var failingSince: Date?
    /// When a pull last failed.
    public var failedAt: Date?
    /// The number of consecutive failures.
    public var failures: Int
    /// The last failure's reason, as shown to people.
    public var failure: String?

    /// Creates a schedule. By default the feed was never pulled.
    public init(
      interval: Duration, pace: Double? = nil, dueAt: Date?, pulledAt: Date? = nil, state: State = .new,
      failingSince: Date? = nil, failedAt: Date? = nil, failures: Int = 0, failure: String? = nil
    ) {
      self.interval = interval
      self.pace = pace
      self.dueAt = dueAt
      self.pulledAt = pulledAt
      self.state = state
      self.failingSince = failingSince
      self.failedAt = failedAt
      self.failures = failures
      self.failure = failure
    }
  }

  /// The feed.
  public let feed: Feed
  /// The time between two pulls that a person set. Nil if it adapts.
  public var every: Duration?
  /// Which files pulls of the feed take, unless they say otherwise.
  public var limits: FileLimits
  /// What changes from harvest to harvest.
  public var schedule: Schedule

  /// Creates a followed feed.
  public init(feed: Feed, every: Duration?, limits: FileLimits = FileLimits(), schedule: Schedule) {
    self.feed = feed
    self.every = every
    self.limits = limits
    self.schedule = schedule
  }
}

extension Store {
  /// Follows a feed, or changes how it is followed. The feed need not be known. The change is on disk when this returns.
  ///
  /// - Parameters:
  ///   - follow: The feed and its schedule.
  ///   - now: The current time.
  /// - Returns: How the feed was followed before, or nil if it was not.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func follow(_ follow: Follow, now: Date) throws(StorageError) -> Follow? {
    try writeDurably { db in
      let before = try Self.follow(of: follow.feed, in: db)
      try write(follow, now: now, in: db)
      return before
    }
  }

  /// Follows feeds that are not followed, all of them or none. The change is on disk when this returns.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func follow(_ follows: [Follow], now: Date) throws(StorageError) {
    try writeDurably { db in for follow in follows { try write(follow, now: now, in: db) } }
  }

  private func write(_ follow: Follow, now: Date, in db: Database) throws {
    let id = try id(of: follow.feed, in: db)
    try db.run(
      """
      INSERT INTO follow (feed, followed_at, every, limits, interval, state) VALUES ($1, $2, $3, $4, 1, 'new')
      ON CONFLICT (feed) DO UPDATE SET every = excluded.every, limits = excluded.limits
      """,
      [id, UTC.text(now), follow.every?.wholeSeconds, follow.limits.stored]
    )
    try follow.schedule.write(of: id, in: db)
  }

  /// Stops following a feed. Its posts stay. The change is on disk when this returns.
  ///
  /// - Returns: False if the feed was not followed.
  /// - Throws: `StorageError` if the library cannot be written.
  public func unfollow(_ feed: Feed) throws(StorageError) -> Bool {
    try writeDurably { db in
      try db.run("DELETE FROM follow WHERE feed = (SELECT id FROM feed WHERE name = $1)", [feed.name])
      return db.changesCount > 0
    }
  }

  /// Removes a feed that never returned a post, such as a mistyped one, and its gaps. If it is followed, only its gaps
  /// are removed. The change is on disk when this returns.
  ///
  /// - Returns: False if the feed brought something, is followed, or is not known.
  /// - Throws: `StorageError` if the library cannot be written.
  public func forgetEmpty(_ feed: Feed) throws(StorageError) -> Bool {
    try writeDurably { db in
      let empty = """
        name = $1 AND NOT EXISTS (SELECT 1 FROM feed_post WHERE feed = feed.id)
          AND NOT EXISTS (SELECT 1 FROM unreadable WHERE feed = feed.id)
        """
      try db.run("DELETE FROM cursor WHERE feed = (SELECT id FROM feed WHERE \(empty))", [feed.name])
      try db.run(
        "DELETE FROM feed WHERE \(empty) AND NOT EXISTS (SELECT 1 FROM follow WHERE feed = feed.id)", [feed.name])
      return db.changesCount > 0
    }
  }

  /// The followed feeds, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func follows() throws(StorageError) -> [Follow] {
    try read { try Self.follows("ORDER BY f.name", [], in: $0) }
  }

  /// How a feed is followed. Nil if it is not.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func follow(of feed: Feed) throws(StorageError) -> Follow? {
    try read { try Self.follow(of: feed, in: $0) }
  }

  /// Which files pulls of a feed take, as its follow says. Nothing is said of a feed that is not followed.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func limits(of feed: Feed) throws(StorageError) -> FileLimits {
    try read { db in
      let stored: String? =
        try db.row(
          "SELECT w.limits FROM follow w JOIN feed f ON f.id = w.feed WHERE f.name = $1", [feed.name]
        ) { try $0["limits"] as String? } ?? nil
      return FileLimits(stored: stored)
    }
  }

  /// Changes the schedule of a feed if it is followed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - next: Returns the new schedule, or nil to leave it unchanged.
  /// - Throws: `StorageError` if the library cannot be written.
  public func reschedule(_ feed: Feed, _ next: (Follow) -> Follow.Schedule?) throws(StorageError) {
    try write { db in
      guard let follow = try Self.follow(of: feed, in: db), let schedule = next(follow) else { return }
      try schedule.write(of: try id(of: feed, in: db), in: db)
    }
  }

  /// The followed feeds that have failed since a moment or longer, the longest first.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func follows(failingSince moment: Date) throws(StorageError) -> [Follow] {
    let rest = "WHERE w.failing_since <= $1 ORDER BY w.failing_since, f.name"
    return try read { try Self.follows(rest, [UTC.text(moment)], in: $0) }
  }

  static func follow(of feed: Feed, in db: Database) throws -> Follow? {
    try follows("WHERE f.name = $1", [feed.name], of: feed, in: db).first
  }

  /// - Parameter known: The feed of all rows; nil if they are of several.
  private static func follows(
    _ rest: String, _ arguments: Arguments, of known: Feed? = nil, in db: Database
  ) throws -> [Follow] {
    try db.rows(
      """
      SELECT f.source, f.kind, f.value, f.server, w.* FROM follow w JOIN feed f ON f.id = w.feed \(rest)
      """,
      arguments
    ) { row -> Follow? in
      guard let feed = try known ?? Feed(row) else { return nil }
      return Follow(
        feed: feed, every: try (row["every"] as Int64?).map { .seconds($0) },
        limits: FileLimits(stored: try row["limits"]),
        schedule: try .init(row))
    }.compactMap(\.self)
  }
}

extension Follow.Schedule: RowDecodable {
  package init(_ row: some RowReading) throws {
    try self.init(
      interval: .seconds(row["interval"] as Int64), pace: row["pace"], dueAt: row.date("due_at"),
      pulledAt: row.date("looked_at"), state: Follow.State(rawValue: row["state"]) ?? .new,
      failingSince: row.date("failing_since"), failedAt: row.date("failed_at"), failures: row.number("failures"),
      failure: row["failure"])
  }

  /// Writes the schedule if the feed is followed.
  func write(of feed: Int64, in db: Database) throws {
    try db.run(
      """
      UPDATE follow SET interval = $1, pace = $2, due_at = $3, looked_at = $4, state = $5, failing_since = $6, failed_at = $7,
        failures = $8, failure = $9 WHERE feed = $10
      """,
      [
        max(1, interval.wholeSeconds), pace, dueAt.map(UTC.text), pulledAt.map(UTC.text), state.rawValue,
        failingSince.map(UTC.text), failedAt.map(UTC.text), failures, failure?.storable, feed,
      ]
    )
  }
}

extension Duration {
  /// Whole seconds, rounded towards zero.
  var wholeSeconds: Int64 { components.seconds }
}

extension Feed {
  /// Reads a feed from a row with its source, kind, value and server.
  init?(_ row: some RowReading) throws {
    let (source, kind): (String, String) = try (row["source"], row["kind"])
    let (value, server): (String, String) = try (row["value"], row["server"])
    guard let kind = Kind(rawValue: kind), let server = Server(server) else { return nil }
    self.init(source: SourceName(rawValue: source), kind: kind, value: value, server: server)
  }
}
