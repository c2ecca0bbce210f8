import Harvest
import Posts
import Storage
import Terminal

/// The results of a recheck as text.
enum RecheckText {
  /// `tag:cats@mastodon.social: 20 looked up: 1 edited, 2 gone`. Posts missing from the server's answer are no failure: it
  /// answered.
  static func line(_ summary: RecheckSummary) -> SafeText {
    let words = words(summary.lookedUp, summary.edited, summary.gone, summary.unanswered)
    let count = summary.lookedUp == 0 ? "nothing" : "\(summary.lookedUp)"
    return "\(Feed.spoken(summary.feed)): \(count) looked up\(words)"
  }

  /// `20: 1 edited, 2 gone`, for the run's record.
  static func words(_ looks: HarvestRun.Looks) -> String {
    "\(looks.lookedUp)\(words(looks.lookedUp, looks.edited, looks.gone, 0))"
  }

  private static func words(_ all: Int, _ edited: Int, _ gone: Int, _ unanswered: Int) -> String {
    let counts = [
      (edited, "edited"), (gone, "gone"), (unanswered, "of which the server says nothing"),
    ].filter { $0.0 > 0 }
    if counts.isEmpty { return all == 0 ? "" : ": nothing changed" }
    return ": \(counts.map { "\($0.0) \($0.1)" }.joined(separator: ", "))"
  }
}
