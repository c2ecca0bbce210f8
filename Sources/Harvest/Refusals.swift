import Foundation
import Storage

/// Why the places of one picture did not give it, in the order in which they were asked.
struct Refusals {
  private var all: [(url: String, refusal: Refusal)] = []

  mutating func add(_ refusal: Refusal, of url: String) { all.append((url, refusal)) }

  /// What that comes to: it is put off where one of the places may give it later, and gone where all say so. Every place
  /// is named with its reason.
  func ending(of task: PictureTask) -> PictureKeeper.Ending {
    let limits = all.compactMap { $0.refusal.limit.map { PicturesPutOff(host: $0.host, until: $0.until) } }
    let failure = PictureFailure(
      owner: task.owner, reason: reason, isGone: !all.isEmpty && all.allSatisfy(\.refusal.isGone), urls: task.urls)
    if let first = limits.min(by: { $0.until < $1.until }) { return .putOff(failure, first) }
    let places = all.map { "\($0.url): \($0.refusal.reason)" }
    return .failed(failure, line: places.isEmpty ? reason : places.joined(separator: "; "))
  }

  private var reason: String {
    guard all.count > 1 else { return all.first?.refusal.reason ?? "it has no address" }
    return all.map { "\(HostTroubles.host(of: $0.url)): \($0.refusal.reason)" }.joined(separator: "; ")
  }
}

/// Pictures that were put off, for their host takes no more requests before a time.
public struct PicturesPutOff: Sendable, Equatable {
  /// The host.
  public let host: String
  /// When it takes requests again: the latest time that it told.
  public private(set) var until: Date
  /// How many they are.
  public private(set) var count = 1

  init(host: String, until: Date) { (self.host, self.until) = (host, until) }

  fileprivate mutating func add(_ other: PicturesPutOff) {
    until = max(until, other.until)
    count += other.count
  }
}

extension [PicturesPutOff] {
  /// Adds to those of the same host.
  public mutating func add(_ other: PicturesPutOff) {
    if let place = firstIndex(where: { $0.host == other.host }) { self[place].add(other) } else { append(other) }
  }
}
