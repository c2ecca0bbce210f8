import FoundationEssentials
import Posts

/// Tracks which hosts to skip for the rest of a pull.
///
/// A host that is down costs a minute per picture: its pictures would occupy every worker while all others wait.
struct HostCircuitBreaker {
  /// Skip a host after this many consecutive pictures that failed because of it.
  static let most = 3

  private var failures: [String: Int] = [:]
  private var limits: [String: HostLimit] = [:]

  /// Records a picture that failed because of its host.
  mutating func failed(_ host: String) { failures[host, default: 0] += 1 }

  /// Records a downloaded picture, which clears earlier failures.
  mutating func succeeded(_ host: String) { failures[host] = nil }

  /// Records that the host, or the host that it redirects to, accepts no requests until a time. That is not a failure: its
  /// pictures are put off.
  mutating func limited(_ host: String, by limit: HostLimit) { (limits[host], limits[limit.host]) = (limit, limit) }

  /// The limit that applies now; nil if none does.
  func limit(of host: String, now: Date) -> HostLimit? { limits[host].flatMap { $0.until > now ? $0 : nil } }

  /// Whether the host is skipped.
  func isLeftAlone(_ host: String) -> Bool { failures[host, default: 0] >= Self.most }

  /// The host of a URL with its port, because another port is another server. A URL without a host is its own key.
  static func host(of url: String) -> String { WebAddress.host(of: url) ?? url }
}

/// A host accepts no more requests before a time.
struct HostLimit: Sendable, Equatable {
  /// The host that said so.
  let host: String
  /// The time.
  let until: Date
}
