import Harvest
import Posts
import Terminal
import Wording

/// The last line of a pull.
struct SummaryText {
  let summary: PullSummary
  /// The number of known gaps in the feed.
  let gaps: Int
  /// When the pictures that were put off can be downloaded.
  var putOffUntil: String?

  init(_ report: PullReport, _ times: MomentText) {
    (summary, gaps) = (report.summary, report.gaps)
    putOffUntil = report.picturesPutOff.map(\.until).max().map(times.minute)
  }

  /// `tag:cats@mastodon.social: 10 pages, 395 new, 1 updated, 3 unchanged; 512 pictures (61.2 MB); 1 gap (media gaps)`
  var line: SafeText {
    var parts = ["\(Feed.spoken(summary.feed)): \(posts)"]
    if let pictures { parts.append(pictures) }
    if summary.showsNothing { parts.append("the server shows nothing of it for now") }
    if !summary.complete { parts.append("not complete") }
    if gaps > 0 { parts.append("\(NumberText.count(gaps, "part")) missing (media gaps)") }
    return "\(parts.joined(separator: "; "))"
  }

  private var posts: String {
    let counts = summary.posts
    let parts = [
      (counts.new, "new"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
      (counts.deleted, "deleted before"), (counts.unreadable, "unreadable, kept as they came"),
    ].filter { $0.0 > 0 }
    let text = parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(NumberText.count(summary.pages, "page")), \(text.isEmpty ? "no posts" : text)"
  }

  private var pictures: String? {
    let counts = summary.media
    var parts: [String] = []
    if counts.downloaded > 0 {
      parts.append("\(NumberText.count(counts.downloaded, "picture")) (\(NumberText.bytes(Int(counts.bytes))))")
    }
    if counts.deduplicated > 0 { parts.append("\(counts.deduplicated) held already") }
    if counts.failed > 0 { parts.append("\(counts.failed) failed") }
    if counts.putOff > 0 {
      parts.append("\(counts.putOff) put off\(putOffUntil.map { " until \($0)" } ?? "")")
    }
    if counts.leftOut > 0 { parts.append("\(counts.leftOut) left out by limits") }
    if counts.waiting > 0 { parts.append("\(counts.waiting) still missing (--retry-failed tries again)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
