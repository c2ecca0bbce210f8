import Foundation
import Posts

/// Which hosts are left alone for the rest of a pull.
///
/// A host that is down costs a minute of patience a picture: those of one such host, asked for one after another, would
/// hold every worker while the pictures of all others wait.
struct HostTroubles {
  /// This many pictures without a success between them, each failed for reasons of their host, and it is left alone.
  static let most = 3

  private var failures: [String: Int] = [:]
  private var limits: [String: HostLimit] = [:]

  /// A picture could not be had for reasons of its host.
  mutating func failed(_ host: String) { failures[host, default: 0] += 1 }

  /// A picture came, and what was before is forgotten.
  mutating func succeeded(_ host: String) { failures[host] = nil }

  /// It takes no more requests until a time, or leads to a host that takes none: that is no failure, and its pictures are
  /// put off until then.
  mutating func limited(_ host: String, by limit: HostLimit) { (limits[host], limits[limit.host]) = (limit, limit) }

  /// What keeps it from being asked; nil where it may be.
  func limit(of host: String, now: Date) -> HostLimit? { limits[host].flatMap { $0.until > now ? $0 : nil } }

  /// Whether nothing more is asked of it.
  func isLeftAlone(_ host: String) -> Bool { failures[host, default: 0] >= Self.most }

  /// The host of a URL as it is remembered: with its port, for another port is another server. A URL that shows no host
  /// stands for itself alone.
  static func host(of url: String) -> String { WebAddress.host(of: url) ?? url }
}

/// That a host takes no more requests before a time.
struct HostLimit: Sendable, Equatable {
  /// The host that said so.
  let host: String
  /// The time.
  let until: Date
}
