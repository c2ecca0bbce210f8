import FoundationEssentials
import Machine

/// A line that a command prints to standard error with `--log-format json`: one event, as a JSON object.
public struct LogLine: Codable, Sendable, Equatable {
  /// How much it matters.
  public enum Level: String, Codable, Sendable { case info, notice, error }

  /// What happened.
  public enum Event: String, Codable, Sendable {
    case message
    /// A part of the work is done.
    case progress
    /// The command, or a part of it, failed.
    case failure
    /// A page of a feed is stored; counts its posts.
    case pageStored = "page_stored"
    /// A feed was read to its end, or as far as was wanted; counts new and updated posts.
    case feedRead = "feed_read"
    /// A feed could not be read.
    case feedFailed = "feed_failed"
    /// The server of a feed takes no more requests for now.
    case feedLimited = "feed_limited"
    /// A request waits, because its host asks for it or before another try.
    case hostWaits = "host_waits"
    /// Pictures of a feed could not be downloaded; counts them.
    case picturesFailed = "pictures_failed"
    /// Pictures were put off, because their host takes no more requests for now; counts them.
    case picturesPutOff = "pictures_put_off"
    /// Known posts of a feed could not be looked up again.
    case recheckFailed = "recheck_failed"
    /// A harvest ended because of the library itself.
    case runFailed = "run_failed"

    /// Whether the line is for whoever waits for the command. The others are for a log: people read them afterwards.
    public var isForPeople: Bool { [.message, .progress, .failure].contains(self) }
  }

  /// How far the work has come.
  public struct Progress: Codable, Sendable, Equatable {
    /// The part that is done.
    public var done: Int
    /// The whole; nil if it is unknown.
    public var total: Int?
    /// What is counted, in the plural.
    public var unit: String

    /// Creates a progress.
    public init(done: Int, total: Int?, unit: String) { (self.done, self.total, self.unit) = (done, total, unit) }

    /// The share that is done, from 0 to 1; nil if the whole is unknown.
    public var share: Double? {
      guard let total, total > 0 else { return nil }
      return min(max(Double(done) / Double(total), 0), 1)
    }
  }

  /// When, in UTC.
  public var time: String
  /// How much it matters.
  public var level: Level
  /// What happened.
  public var event: Event
  /// The same for people.
  public var message: String
  /// How far the work has come; nil for other events.
  public var progress: Progress?
  /// The exit code of a failure.
  public var status: Int32?
  /// The server at which a login resolves a failure; nil if none does, or if it needs more than the server's name.
  public var login: String?
  /// The feed it is about, of an address without its query; nil if it is about none.
  public var feed: String?
  /// The host it is about, with its port unless that is the usual one; nil if it is about none.
  public var host: String?
  /// How long it took, or takes, in seconds; nil if that means nothing.
  public var seconds: Double?
  /// How many came or failed; nil if it counts nothing.
  public var count: Int?

  /// Creates an event.
  public init(
    time: Date, level: Level, event: Event = .message, message: String, progress: Progress? = nil,
    status: Int32? = nil, login: String? = nil
  ) {
    (self.time, self.level, self.event, self.message) = (UTC.text(time), level, event, message)
    (self.progress, self.status, self.login) = (progress, status, login)
  }

  /// The longest sentence of an event for a log, in characters.
  private static let longest = 300

  /// Creates an event for a log. Logs are kept, sent and searched: its sentence is cut to 300 characters on one line, and
  /// loses the queries of addresses and the logins in them.
  ///
  /// - Parameters:
  ///   - message: The sentence, in the program's own words. What a server wrote does not belong into it.
  ///   - host: By default that of the feed's server.
  ///   - seconds: Kept to the millisecond.
  public init(
    _ event: Event, _ level: Level, at time: Date, feed: Feed? = nil, host: String? = nil, seconds: Double? = nil,
    count: Int? = nil, _ message: String
  ) {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.init(time: time, level: level, event: event, message: String(line.withoutQueries.prefix(Self.longest)))
    (self.feed, self.host, self.count) = (feed?.spoken, host ?? feed?.server.host, count)
    self.seconds = seconds.map { (max(0, $0) * 1000).rounded() / 1000 }
  }

  /// Reads a line; nil if it is none of these events.
  public init?(_ line: String) {
    guard line.hasPrefix("{"), let read = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = read
  }
}
