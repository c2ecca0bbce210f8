import FoundationEssentials

/// A server's rate limit, read from the fields that servers commonly use.
///
/// - `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3).
/// - `X-RateLimit-Reset`: RFC 3339 with microseconds at Mastodon, seconds since 1970 at X, seconds from now at Tumblr
///   and in the RateLimit drafts. `x-rate-limit-…`, `ratelimit-…`, `x-ratelimit-perhour-…` and `…-perday-…` mean the
///   same.
/// - `RateLimit` and `RateLimit-Policy` of the IETF drafts: `"hour";r=50;t=30`, before draft 8
///   `limit=100, remaining=50, reset=30`.
///
/// What only one service's servers send is read by a `RateDialect` of that service.
///
/// Times are clamped to between now and a day ahead. A time of the server's clock is converted to a wait after the
/// answer's `Date`, so it does not matter whose clock is wrong.
public struct RateLimit: Sendable, Equatable {
  /// The requests left, or the per cents left if the server counts those.
  public var remaining: Int?
  /// Requests allowed in a window.
  public var limit: Int?
  /// Whether `remaining` and `limit` are per cents.
  public var isShare = false
  /// The time that `Retry-After` names.
  public var retryAt: Date?
  /// When to try again: `retryAt`, or else the end of the window.
  public var resetsAt: Date?

  /// Reads an answer's fields. If they describe several limits, the tightest counts.
  ///
  /// - Parameters:
  ///   - headers: The fields of an answer.
  ///   - now: The current time.
  ///   - dialect: The fields of the service beside the common ones.
  public init(headers: Headers, now: Date, dialect: RateDialect = .common) {
    // Most answers name no time, so the server's clock is read only if needed.
    let serverTime = { headers["Date"].flatMap(HTTPDate.read) ?? now }
    let windows =
      RateLimit.names.compactMap { Window(headers, $0, now: now, serverTime: serverTime) }
      + RateLimit.structured(headers, now) + dialect.windows(headers, now)
    let tightest = windows.min { ($0.remaining ?? .max, $1.reset ?? now) < ($1.remaining ?? .max, $0.reset ?? now) }
    remaining = tightest?.remaining
    limit = tightest?.limit
    isShare = tightest?.isShare ?? false
    retryAt = headers["Retry-After"].flatMap { RateLimit.retryTime($0, now: now, serverTime: serverTime) }
    resetsAt = retryAt ?? tightest?.reset
  }

  private static let names = [
    "X-RateLimit-", "X-Rate-Limit-", "RateLimit-", "X-RateLimit-PerHour-", "X-RateLimit-PerDay-",
  ]
  .map { Names(remaining: "\($0)Remaining", limit: "\($0)Limit", reset: "\($0)Reset") }

  /// The names of the fields that describe one window.
  fileprivate struct Names {
    let remaining: String
    let limit: String
    let reset: String
  }

  /// One of the limits that an answer describes.
  public struct Window: Sendable, Equatable {
    /// The requests left, or the per cents left.
    public var remaining: Int?
    /// Requests allowed in the window, or 100.
    public var limit: Int?
    /// When the window ends.
    public var reset: Date?
    /// Whether the numbers are per cents.
    public var isShare = false

    /// Creates a window of a rate limit. What the server does not say is nil.
    public init(remaining: Int? = nil, limit: Int? = nil, reset: Date? = nil, isShare: Bool = false) {
      (self.remaining, self.limit, self.reset, self.isShare) = (remaining, limit, reset, isShare)
    }
  }

  /// Returns a time between now and a day ahead.
  public static func clamped(_ seconds: Double, from now: Date) -> Date {
    now.addingTimeInterval(min(max(seconds, 0), 86_400))
  }

  private static func retryTime(_ text: String, now: Date, serverTime: () -> Date) -> Date? {
    if let seconds = number(text) { return clamped(seconds, from: now) }
    return HTTPDate.read(text).map { clamped($0.timeIntervalSince(serverTime()), from: now) }
  }

  /// A greater number is a time, not a wait. As a wait it would be 30 years of seconds.
  private static let epoch = 1e9

  fileprivate static func resetTime(_ text: String, now: Date, serverTime: () -> Date) -> Date? {
    if let number = number(text) {
      let seconds = number >= epoch * 1000 ? number / 1000 : number
      return clamped(seconds >= epoch ? seconds - serverTime().timeIntervalSince1970 : seconds, from: now)
    }
    let moment = HTTPDate.readTimestamp(text) ?? HTTPDate.read(text)
    return moment.map { clamped($0.timeIntervalSince(serverTime()), from: now) }
  }

  /// Parses a plain decimal number. Rejects `inf` and hexadecimal, which `Double` accepts.
  static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 32, text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }) else { return nil }
    return Double(text)
  }
}

extension RateLimit.Window {
  /// Returns nil if none of the fields has a value.
  fileprivate init?(_ headers: Headers, _ names: RateLimit.Names, now: Date, serverTime: () -> Date) {
    let count = { (name: String) in headers[name].flatMap(RateLimit.number).map { Int(min(max($0, 0), 1e9)) } }
    remaining = count(names.remaining)
    limit = count(names.limit)
    reset = headers[names.reset].flatMap { RateLimit.resetTime($0, now: now, serverTime: serverTime) }
    if remaining == nil, limit == nil, reset == nil { return nil }
  }
}

/// The fields by which one service's servers state limits, beside the common ones.
public struct RateDialect: Sendable {
  /// The limits that the service's own fields describe.
  public let windows: @Sendable (Headers, Date) -> [RateLimit.Window]
  /// The requests that the service documents for an hour, if its answers state no limit; nil if they do.
  public let hourly: Int?

  /// A dialect that reads fields of its own, or knows a limit that no field states.
  public init(
    hourly: Int? = nil, _ windows: @escaping @Sendable (Headers, Date) -> [RateLimit.Window] = { _, _ in [] }
  ) {
    (self.windows, self.hourly) = (windows, hourly)
  }

  /// Only the common fields.
  public static let common = RateDialect()

  /// The same without a limit that no field states: files are not counted as requests.
  public var stated: RateDialect { RateDialect(windows) }
}
