import Posts
import Storage
import Terminal
import Wording

/// The earlier versions of a post: only what the next version does not also say.
struct RevisionText {
  private typealias Wording = (title: String?, caption: String, warning: String)

  private let revisions: [Revision]
  private let now: Wording

  init(_ whole: WholePost) {
    revisions = whole.revisions
    now = (whole.post.title, whole.post.caption, whole.post.warning)
  }

  func lines(width: Int, style: Style, times: MomentText) -> [SafeText] {
    let wordings = revisions.map { ($0.title, $0.caption, $0.warning) as Wording } + [now]
    return revisions.indices.flatMap { index -> [SafeText] in
      let head = style.apply(.faint, to: "Until \(times.minute(revisions[index].seenAt)) it read:")
      let texts = Self.texts(of: wordings[index], before: wordings[index + 1])
      return ["", head] + texts.flatMap { SafeText($0, keepingLines: true).wrapped(to: width) }
    }
  }

  private static func texts(of old: Wording, before new: Wording) -> [String] {
    var texts: [String] = []
    if old.title != new.title { texts.append(old.title.map { "Title: \($0)" } ?? "No title") }
    if old.warning != new.warning { texts.append(old.warning.isEmpty ? "No warning" : "Warning: \(old.warning)") }
    if old.caption != new.caption || texts.isEmpty { texts.append(old.caption) }
    return texts
  }
}
