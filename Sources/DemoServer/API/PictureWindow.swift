import FoundationEssentials
import HTTPTypes

/// Counts requests for pictures, and rejects those beyond a limit until the window's end. A window begins with its first
/// request and lasts five minutes.
struct PictureWindow: Sendable {
  private static let length: TimeInterval = 300

  private let limit: Int
  private var count = 0
  private var end = Date.distantPast

  init(limit: Int) { self.limit = limit }

  /// Counts one more request. Returns the header fields with the limit; throws if the limit is exceeded.
  mutating func record(at now: Date) throws(Refusal) -> HTTPFields {
    if now >= end { (count, end) = (0, now.addingTimeInterval(Self.length).roundedDown) }
    count += 1
    var fields = HTTPFields()
    fields[.rateLimit] = String(limit)
    fields[.rateRemaining] = String(max(0, limit - count))
    fields[.rateReset] = end.wire
    guard count <= limit else { throw Refusal(.tooManyRequests, "rate limit reached", headers: fields) }
    return fields
  }
}
