import Foundation

/// What a server says about how much may be asked of it, in any of the dialects servers speak.
///
/// - `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3).
/// - `X-RateLimit-Reset` of Mastodon: RFC 3339 with microseconds; of X: seconds since 1970; of Tumblr and the RateLimit
///   drafts: seconds from now. `x-rate-limit-…`, `ratelimit-…`, `x-ratelimit-perhour-…` and `…-perday-…` are the same.
/// - `RateLimit` and `RateLimit-Policy` of the IETF drafts: `"hour";r=50;t=30`, before draft 8
///   `limit=100, remaining=50, reset=30`.
/// - `X-App-Usage`, `X-Business-Use-Case-Usage` of Meta: JSON with per cents used and minutes to wait.
///
/// Times are clamped: one that has passed is now, one more than a day ahead is a day ahead. A time of the server's clock
/// is taken as a wait from the answer's `Date` on, so that it does not matter whose clock is wrong.
public struct RateLimit: Sendable, Equatable {
  /// Requests left, or per cents left where the server counts those.
  public var remaining: Int?
  /// Requests allowed in a window.
  public var limit: Int?
  /// Whether `remaining` and `limit` are per cents.
  public var isShare = false
  /// When `Retry-After` says to come back.
  public var retryAt: Date?
  /// When to come back: `retryAt`, else when the window ends.
  public var resetsAt: Date?

  /// Reads an answer's fields; where several limits are told, the tightest counts.
  public init(headers: Headers, now: Date) {
    // Of most answers there is no time to be told: the server's clock is read where there is one.
    let theirs = { headers["Date"].flatMap(HTTPDate.read) ?? now }
    let windows =
      RateLimit.names.compactMap { Window(headers, $0, now: now, theirs: theirs) }
      + RateLimit.structured(headers, now) + RateLimit.usage(headers, now)
    let tightest = windows.min { ($0.remaining ?? .max, $1.reset ?? now) < ($1.remaining ?? .max, $0.reset ?? now) }
    remaining = tightest?.remaining
    limit = tightest?.limit
    isShare = tightest?.isShare ?? false
    retryAt = headers["Retry-After"].flatMap { RateLimit.retryTime($0, now: now, theirs: theirs) }
    resetsAt = retryAt ?? tightest?.reset
  }

  private static let names = [
    "X-RateLimit-", "X-Rate-Limit-", "RateLimit-", "X-RateLimit-PerHour-", "X-RateLimit-PerDay-",
  ]
  .map { Names(remaining: "\($0)Remaining", limit: "\($0)Limit", reset: "\($0)Reset") }

  /// The fields that tell of one window.
  fileprivate struct Names {
    let remaining: String
    let limit: String
    let reset: String
  }

  struct Window {
    var remaining: Int?
    var limit: Int?
    var reset: Date?
    var isShare = false
  }

  /// Between now and a day ahead.
  static func clamped(_ seconds: Double, from now: Date) -> Date {
    now.addingTimeInterval(min(max(seconds, 0), 86_400))
  }

  private static func retryTime(_ text: String, now: Date, theirs: () -> Date) -> Date? {
    if let seconds = number(text) { return clamped(seconds, from: now) }
    return HTTPDate.read(text).map { clamped($0.timeIntervalSince(theirs()), from: now) }
  }

  /// A number above this is a time and not a wait: 30 years of seconds.
  private static let epoch = 1e9

  fileprivate static func resetTime(_ text: String, now: Date, theirs: () -> Date) -> Date? {
    if let number = number(text) {
      let seconds = number >= epoch * 1000 ? number / 1000 : number
      return clamped(seconds >= epoch ? seconds - theirs().timeIntervalSince1970 : seconds, from: now)
    }
    let moment = HTTPDate.readTimestamp(text) ?? HTTPDate.read(text)
    return moment.map { clamped($0.timeIntervalSince(theirs()), from: now) }
  }

  /// A plain decimal number; neither `inf` nor hexadecimal, which `Double` would read.
  static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 32, text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }) else { return nil }
    return Double(text)
  }
}

extension RateLimit.Window {
  /// Nil where none of the fields says anything.
  fileprivate init?(_ headers: Headers, _ names: RateLimit.Names, now: Date, theirs: () -> Date) {
    let count = { (name: String) in headers[name].flatMap(RateLimit.number).map { Int(min(max($0, 0), 1e9)) } }
    remaining = count(names.remaining)
    limit = count(names.limit)
    reset = headers[names.reset].flatMap { RateLimit.resetTime($0, now: now, theirs: theirs) }
    if remaining == nil, limit == nil, reset == nil { return nil }
  }
}

extension RateLimit {
  /// Meta's counts of per cents used, the worst of each first in what is left.
  private struct Usage: Decodable {
    var call_count: Double?
    var total_time: Double?
    var total_cputime: Double?
    var estimated_time_to_regain_access: Double?

    func window(_ now: Date) -> Window {
      let used = [call_count, total_time, total_cputime].compactMap { $0 }.max()
      let minutes = estimated_time_to_regain_access.flatMap { $0 > 0 ? $0 : nil }
      return Window(
        remaining: used.map { Int((100 - min(max($0, 0), 100)).rounded(.down)) }, limit: used == nil ? nil : 100,
        reset: minutes.map { RateLimit.clamped($0 * 60, from: now) }, isShare: used != nil)
    }
  }

  private static func usage(_ headers: Headers, _ now: Date) -> [Window] {
    let json = { (name: String) in headers[name].map { Data($0.utf8.prefix(16 << 10)) } }
    let app = json("X-App-Usage").flatMap { try? JSONDecoder().decode(Usage.self, from: $0) }
    let business = json("X-Business-Use-Case-Usage").flatMap {
      try? JSONDecoder().decode([String: [Usage]].self, from: $0)
    }
    return ([app].compactMap { $0 } + (business ?? [:]).values.joined()).map { $0.window(now) }
  }
}
