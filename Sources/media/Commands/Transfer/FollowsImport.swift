import FoundationEssentials
import Harvest
import Posts
import Storage
import Terminal
import Transfer
import Wording

/// Follows the feeds of a list, another reader's or an exported one.
struct FollowsImport {
  let file: FollowsFile
  let parser: FeedParser
  let now: Date

  /// What came of a list.
  struct Report: Encodable {
    private enum CodingKeys: String, CodingKey { case new = "followed", known = "followed_before", unusable }

    var new = 0
    var known = 0
    /// Addresses and names that cannot be asked for.
    var unusable: [String] = []
    var isPlan = false

    var text: SafeText {
      let followed = isPlan ? "would be followed" : "followed"
      return "\(NumberText.count(new, "feed")) \(followed), \(known) followed before, \(unusable.count) unusable"
    }
  }

  /// Follows each feed that is not followed yet.
  ///
  /// - Parameter isPlan: Whether nothing is changed.
  func run(in store: Store, isPlan: Bool) throws -> Report {
    var report = Report(isPlan: isPlan)
    var known = Set(try store.follows().map(\.feed))
    var batch: [Follow] = []
    for entry in file.entries {
      guard let feed = try? feed(entry.name) else {
        report.unusable.append(entry.name.text)
        continue
      }
      guard known.insert(feed).inserted else {
        report.known += 1
        continue
      }
      report.new += 1
      // An interval that is none is as if the list had not said any.
      let every = entry.every.flatMap(Measures.duration).flatMap { $0 >= .seconds(60) ? $0 : nil }
      batch.append(FollowPlan(now: now).follow(feed, every: every, before: nil))
      if batch.count == Self.batchSize { try follow(&batch, in: store, isPlan: isPlan) }
    }
    try follow(&batch, in: store, isPlan: isPlan)
    return report
  }

  /// Many in one transaction, and none so long that others wait for it.
  private static let batchSize = 500

  private func follow(_ batch: inout [Follow], in store: Store, isPlan: Bool) throws {
    if !isPlan, !batch.isEmpty { try store.follow(batch, now: now) }
    batch = []
  }

  private func feed(_ name: FollowsFile.Entry.Name) throws -> Feed {
    switch name {
    case .address(let address): return try Feed(addressed: address)
    case .name(let name):
      if let page = try Feed(page: name) { return page }
      guard let (kind, value) = FeedNames.kind(of: name) else { throw UsageError.unusable(.tag, name) }
      return try parser.feed(kind, value, PullOptions.parse([]), cure: FeedNames.cure)
    }
  }
}

extension FollowsFile.Entry.Name {
  /// The address or the name.
  fileprivate var text: String {
    switch self {
    case .address(let text), .name(let text): text
    }
  }
}
