import FoundationEssentials
import HTTP

extension RateDialect {
  /// The fields of Meta: `X-App-Usage` and `X-Business-Use-Case-Usage` hold JSON with per cents used and minutes to wait
  /// (https://developers.facebook.com/docs/graph-api/overview/rate-limiting).
  package static let meta = RateDialect(usage)

  /// Meta's per cents used. The highest of them decides what is left.
  private struct Usage: Decodable {
    var call_count: Double?
    var total_time: Double?
    var total_cputime: Double?
    var estimated_time_to_regain_access: Double?

    func window(_ now: Date) -> RateLimit.Window {
      let used = [call_count, total_time, total_cputime].compactMap { $0 }.max()
      let minutes = estimated_time_to_regain_access.flatMap { $0 > 0 ? $0 : nil }
      return RateLimit.Window(
        remaining: used.map { Int((100 - min(max($0, 0), 100)).rounded(.down)) }, limit: used == nil ? nil : 100,
        reset: minutes.map { RateLimit.clamped($0 * 60, from: now) }, isShare: used != nil)
    }
  }

  @Sendable private static func usage(_ headers: Headers, _ now: Date) -> [RateLimit.Window] {
    let json = { (name: String) in headers[name].map { Data($0.utf8.prefix(16 << 10)) } }
    let app = json("X-App-Usage").flatMap { try? JSONDecoder().decode(Usage.self, from: $0) }
    let business = json("X-Business-Use-Case-Usage").flatMap {
      try? JSONDecoder().decode([String: [Usage]].self, from: $0)
    }
    return ([app].compactMap { $0 } + (business ?? [:]).values.joined()).map { $0.window(now) }
  }
}
