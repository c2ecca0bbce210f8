import Storage
import Terminal
import Wording

/// The earlier versions of a post, only what the next version does not also say, and the person's earlier notes.
struct RevisionText {
  private typealias Wording = (title: String?, caption: String, warning: String)

  private let revisions: [Revision]
  private let now: Wording
  private let notes: [EarlierNote]

  init(_ whole: WholePost) {
    (revisions, notes) = (whole.revisions, whole.earlierNotes)
    now = (whole.post.title, whole.post.caption, whole.post.warning)
  }

  func lines(width: Int, style: Style, times: MomentText) -> [SafeText] {
    let wordings = revisions.map { ($0.title, $0.caption, $0.warning) as Wording } + [now]
    let earlier = revisions.indices.flatMap { index -> [SafeText] in
      let head = style.apply(.faint, to: "Until \(times.minute(revisions[index].seenAt)) it read:")
      let texts = Self.texts(of: wordings[index], before: wordings[index + 1])
      return ["", head] + texts.flatMap { SafeText($0, keepingLines: true).wrapped(to: width) }
    }
    return notes.reduce(into: earlier) { lines, note in
      lines += ["", style.apply(.faint, to: "An earlier note, of \(times.minute(note.writtenAt)):")]
      lines += SafeText(note.text, keepingLines: true).wrapped(to: width)
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
