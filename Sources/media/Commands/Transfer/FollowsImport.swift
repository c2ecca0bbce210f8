import FoundationEssentials
import Harvest
import Posts
import Storage
import Terminal
import Transfer

/// Follows the feeds of another reader's list.
struct FollowsImport {
  let file: FollowsFile
  let now: Date

  /// What came of a list.
  struct Report: Encodable {
    private enum CodingKeys: String, CodingKey { case new = "followed", known = "followed_before", unusable }

    var new = 0
    var known = 0
    /// Addresses that cannot be asked for.
    var unusable: [String] = []

    var text: SafeText {
      "\(TextFormat.count(new, "feed")) followed, \(known) followed before, \(unusable.count) unusable"
    }
  }

  /// Follows each feed that is not followed yet.
  ///
  /// - Parameter isPlan: Whether nothing is changed.
  func run(in store: any HarvestRecords, isPlan: Bool) throws -> Report {
    var report = Report()
    for address in file.addresses {
      guard let feed = try? Feed(addressed: address) else {
        report.unusable.append(address)
        continue
      }
      if try store.follow(of: feed) != nil {
        report.known += 1
        continue
      }
      report.new += 1
      if !isPlan { _ = try store.follow(FollowPlan(now: now).follow(feed, every: nil, before: nil), now: now) }
    }
    return report
  }
}
