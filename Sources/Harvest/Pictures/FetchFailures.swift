import FoundationEssentials
import Posts
import Storage

/// Why the addresses of one picture failed, in the order of the requests.
struct FetchFailures {
  private var all: [(url: String, refusal: FetchFailure)] = []

  mutating func add(_ refusal: FetchFailure, of url: String) { all.append((url, refusal)) }

  /// The result: put off if one of the addresses may work later, gone if all report that. Names every address with its
  /// reason.
  func ending(of task: PictureTask) -> PictureCommitter.FetchResult {
    let limits = all.compactMap { $0.refusal.limit.map { PicturesPutOff(host: $0.host, until: $0.until) } }
    let failure = PictureFailure(
      owner: task.owner, reason: reason, isGone: !all.isEmpty && all.allSatisfy(\.refusal.isGone), urls: task.urls)
    if let first = limits.min(by: { $0.until < $1.until }) { return .putOff(failure, first) }
    let lines = all.map { "\($0.url.withoutQueries): \($0.refusal.reason)" }
    return .failed(failure, line: lines.isEmpty ? reason : lines.joined(separator: "; "))
  }

  private var reason: String {
    guard all.count > 1 else { return all.first?.refusal.reason ?? "it has no address" }
    return all.map { "\(HostCircuitBreaker.host(of: $0.url)): \($0.refusal.reason)" }.joined(separator: "; ")
  }
}

/// Pictures put off, because their host accepts no more requests before a time.
public struct PicturesPutOff: Sendable, Equatable {
  /// The host.
  public let host: String
  /// When it accepts requests again: the latest time that it named.
  public private(set) var until: Date
  /// Number of pictures.
  public private(set) var count = 1

  fileprivate mutating func add(_ other: PicturesPutOff) {
    until = max(until, other.until)
    count += other.count
  }
}

extension [PicturesPutOff] {
  /// Adds pictures of the same host.
  public mutating func add(_ other: PicturesPutOff) {
    if let index = firstIndex(where: { $0.host == other.host }) { self[index].add(other) } else { append(other) }
  }
}
