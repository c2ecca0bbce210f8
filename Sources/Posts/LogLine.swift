import FoundationEssentials

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

  /// Creates an event.
  public init(
    time: Date, level: Level, event: Event = .message, message: String, progress: Progress? = nil,
    status: Int32? = nil, login: String? = nil
  ) {
    (self.time, self.level, self.event, self.message) = (UTC.text(time), level, event, message)
    (self.progress, self.status, self.login) = (progress, status, login)
  }

  /// Reads a line; nil if it is none of these events.
  public init?(_ line: String) {
    guard line.hasPrefix("{"), let read = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = read
  }
}
