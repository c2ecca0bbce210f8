import FoundationEssentials
import HTTP
import Posts

extension RequestedDelay {
  /// The delay that an answer's fields request for its feed; nil if they request none.
  init?(_ headers: Headers, now: Date) {
    let retryAt = RateLimit(headers: headers, now: now).retryAt
    self.init(
      suggested: headers.freshness(now: now).flatMap(FeedRequestedDelay.duration),
      demanded: (retryAt?.timeIntervalSince(now)).flatMap(FeedRequestedDelay.duration))
    if suggested == nil, demanded == nil { return nil }
  }
}

/// The delays that RSS feeds request.
enum FeedRequestedDelay {
  /// The delay in a feed's head, the longer of `ttl` in minutes (https://www.rssboard.org/rss-specification) and the
  /// update period divided by its frequency (https://web.resource.org/rss/1.0/modules/syndication).
  static func of(_ head: XMLElement) -> Duration? {
    let ttl = (head.first("ttl")?.text).flatMap(number).flatMap { duration($0 * 60) }
    return [ttl, updateInterval(head)].compactMap(\.self).max()
  }

  /// From one second to one year, because the value is untrusted.
  static func duration(_ seconds: TimeInterval) -> Duration? {
    seconds >= 1 ? .seconds(Int64(min(seconds, 365 * 86_400))) : nil
  }

  private static let periods: [String: TimeInterval] = [
    "hourly": 3600, "daily": 86_400, "weekly": 7 * 86_400, "monthly": 30 * 86_400, "yearly": 365 * 86_400,
  ]

  private static func updateInterval(_ head: XMLElement) -> Duration? {
    let (period, frequency) = (head.first("sy:updatePeriod")?.text, head.first("sy:updateFrequency")?.text)
    guard period != nil || frequency != nil, let length = periods[period?.lowercased() ?? "daily"] else { return nil }
    return duration(length / max(1, frequency.flatMap(number) ?? 1))
  }

  private static func number(_ text: String) -> TimeInterval? {
    text.utf8.count <= 9 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? TimeInterval(text) : nil
  }
}
