import Harvest
import Posts
import Storage
import Terminal
import Wording

/// The results of a harvest as text.
struct HarvestText {
  let report: HarvestReport
  let traffic: TrafficMeter.Traffic
  let logins: AccountChooser
  var rechecks = HarvestRun.RecheckCounts()

  /// `20 feeds: 35 new, 1 updated; 12 pictures (3.1 MB); 1 failed; 22 requests`
  var line: SafeText {
    let asked = report.entries.filter { !$0.isStopped }
    var parts = posts.map { [$0] } ?? (asked.contains { $0.failure == nil } ? ["nothing new"] : [])
    if let pictures { parts.append(pictures) }
    let limited = asked.count(where: \.isLimited)
    let failed = asked.count { $0.failure != nil && !$0.isLimited }
    if failed > 0 { parts.append("\(failed) failed") }
    if limited > 0 { parts.append("\(limited) \(limited == 1 ? "waits for its" : "wait for their") server") }
    if let putOff { parts.append(putOff) }
    if rechecks.lookedUp > 0 { parts.append("looked up again \(RecheckText.of(rechecks))") }
    parts.append(NumberText.count(traffic.requests, "request"))
    return "\(NumberText.count(asked.count, "feed")): \(parts.joined(separator: "; "))"
  }

  /// `3 left for the next harvest, slow.example takes long`
  private var putOff: String? {
    guard !report.putOff.isEmpty else { return nil }
    var hosts: [String] = []
    for host in report.putOff.map({ $0.page == nil ? $0.server.name : $0.host }) where !hosts.contains(host) {
      hosts.append(host)
    }
    let named = hosts.count > 3 ? hosts.prefix(3) + ["others"] : hosts[...]
    let takes = hosts.count == 1 ? "takes" : "take"
    return "\(report.putOff.count) left for the next harvest, \(NumberText.list(Array(named))) \(takes) long"
  }

  /// The failures, a line for each reason. Feeds of a server that is down are listed on one line.
  var failures: [SafeText] {
    var reasons: [(reason: String, feeds: [Feed])] = []
    for entry in report.entries where !entry.isStopped {
      guard let failure = entry.failure, !isOurs(failure) else { continue }
      let reason = reason(for: failure, of: entry.feed)
      if let index = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[index].feeds.append(entry.feed)
      } else {
        reasons.append((reason, [entry.feed]))
      }
    }
    let pictures = report.entries.flatMap { entry in
      entry.pictureFailures.map { "could not download picture of \(entry.feed.spoken): \($0)" }
    }
    let earlier = report.pictureFailures.map { "could not download picture: \($0)" }
    let named = reasons.map { "\(Self.names($0.feeds)): \($0.reason)" } + (pictures + earlier).prefix(Self.mostPictures)
    return named.map { SafeText($0) } + putOffs
  }

  /// Maximum numbers listed: pictures that could not be downloaded, and hosts whose pictures were put off.
  private static let mostPictures = 20

  /// The pictures that were put off, a line for each host.
  private var putOffs: [SafeText] {
    var hosts: [PicturesPutOff] = []
    for host in report.entries.flatMap(\.picturesPutOff) + report.picturesPutOff { hosts.add(host) }
    let times = MomentText()
    return hosts.prefix(Self.mostPictures).map { PutOffText.line($0, times) }
  }

  private func reason(for failure: any Error, of feed: Feed) -> String {
    let advice = logins.advised(failure, of: feed, by: nil)
    let text = (advice as? any ExplainedError)?.description ?? String(describing: advice)
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func isOurs(_ failure: any Error) -> Bool { (failure as? any ExplainedError)?.exitCode == .storage }

  private static func names(_ feeds: [Feed]) -> String {
    let named = feeds.prefix(3).map(\.spoken)
    return NumberText.list(feeds.count > 3 ? named + ["\(feeds.count - 3) more"] : named)
  }

  private var posts: String? {
    let counts = report.entries.map(\.summary.posts)
    let said = [
      (counts.map(\.new), "new"), (counts.map(\.updated), "updated"),
      (counts.map(\.unreadable), "unreadable, kept as they came"),
    ].map { ($0.0.reduce(0, +), $0.1) }.filter { $0.0 > 0 }
    return said.isEmpty ? nil : said.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private var pictures: String? {
    var (came, failed, putOff, missing, bytes) = (0, 0, 0, report.missingPictures, Int64(0))
    for media in report.entries.map(\.summary.media) + [report.pictures] {
      came += media.downloaded + media.deduplicated
      failed += media.failed
      putOff += media.putOff
      missing -= media.stillMissing
      bytes += media.bytes
    }
    guard came + failed + putOff > 0 || missing > 0 else { return nil }
    let weight = came > 0 ? " (\(NumberText.bytes(Int(bytes))))" : ""
    let rest = [(failed, "not had"), (putOff, "put off"), (missing, "still missing")].filter { $0.0 > 0 }
    return (["\(NumberText.count(came, "picture"))\(weight)"] + rest.map { "\($0.0) \($0.1)" }).joined(separator: ", ")
  }
}

/// What one feed brought, in the form of a pull's summary; with the reason if it failed, and marked if it was put off to
/// the next harvest.
struct HarvestLine: Encodable {
  private let summary: PullSummary
  private let failure: (any Error)?
  private let isPutOff: Bool

  init(_ entry: HarvestEntry) { (summary, failure, isPutOff) = (entry.summary, entry.failure, false) }

  /// The line of a feed that was not pulled because its host took too long for other feeds.
  init(putOff feed: Feed) { (summary, failure, isPutOff) = (PullSummary(feed: feed.name), nil, true) }

  private enum Key: String, CodingKey {
    case failure
    case putOff = "put_off"
  }

  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    if isPutOff { try container.encode(true, forKey: .putOff) }
    guard let failure else { return }
    try container.encode((failure as? any ExplainedError)?.description ?? "\(failure)", forKey: .failure)
  }
}
