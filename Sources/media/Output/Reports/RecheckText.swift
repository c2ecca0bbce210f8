import Harvest
import Posts
import Storage
import Terminal

/// The results of a recheck as text.
enum RecheckText {
  /// `tag:cats@mastodon.social: 20 looked up: 1 edited, 2 gone`. Posts missing from the server's answer are not a failure: it
  /// answered.
  static func line(_ summary: RecheckSummary) -> SafeText {
    let details = details(summary.lookedUp, summary.edited, summary.gone, summary.unanswered)
    let count = summary.lookedUp == 0 ? "nothing" : "\(summary.lookedUp)"
    return "\(Feed.spoken(summary.feed)): \(count) looked up\(details)"
  }

  /// `20: 1 edited, 2 gone`, for the run's record.
  static func of(_ counts: HarvestRun.RecheckCounts) -> String {
    "\(counts.lookedUp)\(details(counts.lookedUp, counts.edited, counts.gone, 0))"
  }

  private static func details(_ all: Int, _ edited: Int, _ gone: Int, _ unanswered: Int) -> String {
    let counts = [
      (edited, "edited"), (gone, "gone"), (unanswered, "of which the server says nothing"),
    ].filter { $0.0 > 0 }
    if counts.isEmpty { return all == 0 ? "" : ": nothing changed" }
    return ": \(counts.map { "\($0.0) \($0.1)" }.joined(separator: ", "))"
  }
}
