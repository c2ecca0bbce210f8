import Browse
import FoundationEssentials
import Posts
import Storage
import Terminal
import Wording

/// A post as text.
enum PostText {
  /// The caption on one line, after its warning and title. Before it stand that the person likes or rated it, that a search
  /// found it by the text in its pictures, that it is gone from its server, and that not everybody may see it.
  static func line(_ post: StoredPost) -> String {
    let found = post.isFoundInPicture ? "[in picture]" : ""
    let gone = post.goneAt == nil ? "" : "[gone]"
    let warning = post.warning.isEmpty ? "" : "[\(post.warning)]"
    let seenBy = post.visibility?.mark.map { "[\($0)]" } ?? ""
    let folded = post.foldedPosts > 0 ? "[+\(post.foldedPosts)]" : ""
    let worth = RowMarks(post.marks).worth.map(\.text).joined(separator: " ")
    let marks = worth.isEmpty ? "" : "[\(worth)]"
    return [marks, folded, found, gone, seenBy, warning, post.title ?? "", post.caption].joined(separator: " ")
      .onOneLine
  }

  /// The number of pictures and of missing ones: `3`, `1 of 3`, nothing for none.
  static func pictures(_ post: StoredPost) -> String {
    let all = post.attachments.count
    let stored = post.attachments.count { $0.state == .stored }
    return all == 0 ? "" : stored == all ? "\(all)" : "\(stored) of \(all)"
  }

  /// The whole post, for reading.
  static func whole(_ post: StoredPost, width: Int, style: Style, times: MomentText, library: String) -> [SafeText] {
    var lines: [SafeText] = []
    if let author = post.author {
      lines.append("\(style.apply(.bold, to: "\(author.name)"))  \(style.apply(.faint, to: "\(author.handle)"))")
    }
    let until = post.endsAt.map { " to \(times.minute($0))" } ?? ""
    let edited = post.editedAt.map { ", edited \(times.minute($0))" } ?? ""
    lines.append(style.apply(.faint, to: "\(times.minute(post.createdAt))\(until)\(edited)"))
    if let title = post.title { lines += [""] + wrapped(title, width).map { style.apply(.bold, to: $0) } }
    if !post.warning.isEmpty {
      lines += [""] + wrapped("Warning: \(post.warning)", width).map { style.apply(.accent, to: $0) }
    }
    if !post.caption.isEmpty { lines += [""] + wrapped(post.caption, width) }
    if !post.tags.isEmpty { lines += ["", style.apply(.accent, to: "\(tags(post))")] }
    lines += marks(RowMarks(post.marks), width, style, times)
    if let quote = post.quote {
      let held = quote.post.map { "post \($0), " } ?? ""
      lines += ["", style.apply(.faint, to: "Quotes \(held)\(quote.url ?? quote.uri)")]
    }
    for link in post.elsewhere {
      lines += ["", style.apply(.faint, to: "Also at \(link.address) (post \(link.post))")]
    }
    for attachment in post.attachments { lines += [""] + self.lines(attachment, width, style, library) }
    if let url = post.url { lines += ["", style.apply(.faint, to: "\(url)")] }
    if let license = post.license {
      let address = license.address.flatMap { $0 == license.name ? nil : " \($0)" } ?? ""
      lines += ["", style.apply(.faint, to: "Licence: \(license.name)\(address)")]
    }
    if let explanation = post.visibility?.explanation { lines += ["", style.apply(.accent, to: "\(explanation)")] }
    if let gone = post.goneAt {
      lines += ["", style.apply(.accent, to: "Gone from the server since \(times.minute(gone)); it stays here.")]
    }
    if post.isDeleted {
      lines += ["", style.apply(.bold, .accent, to: "Deleted; \"media restore \(post.id)\" brings it back.")]
    }
    return lines
  }

  /// What the person said of a post.
  private static func marks(_ marks: RowMarks, _ width: Int, _ style: Style, _ times: MomentText) -> [SafeText] {
    let facts = [marks.summary { "\(times.minute($0))" }, marks.tagText, marks.albumText].filter { !$0.isEmpty }
    let note: SafeText = marks.note.isEmpty ? "" : "Note: \(marks.note)"
    return [
      facts.isEmpty ? [] : [""] + facts.flatMap { $0.wrapped(to: width) },
      note.isEmpty ? [] : [""] + note.wrapped(to: width),
    ]
    .joined().map { style.apply(.accent, to: $0) }
  }

  private static func tags(_ post: StoredPost) -> String { post.tags.map { "#\($0)" }.joined(separator: " ") }

  private static func wrapped(_ text: String, _ width: Int) -> [SafeText] {
    SafeText(text, keepingLines: true).wrapped(to: width)
  }

  private static func lines(
    _ attachment: StoredAttachment, _ width: Int, _ style: Style, _ library: String
  ) -> [SafeText] {
    let size = attachment.width.flatMap { w in attachment.height.map { "\(w) × \($0)" } } ?? ""
    let location = attachment.blob.map { "\(library)/\($0.path)" } ?? attachment.url ?? ""
    let failure = (attachment.leftOut?.description ?? attachment.failure).map { "(\($0))" } ?? ""
    let head = ["[\(attachment.kind.rawValue)]", attachment.name ?? "", size, attachment.state.rawValue, failure].filter
    { !$0.isEmpty }
    let alt: [SafeText] = attachment.alt.map { wrapped($0, width - 2).map { "  \($0)" } } ?? []
    let facts =
      ((attachment.facts?.words(showsPlace: true) ?? []) + (attachment.findings?.words ?? [])).joined(separator: ", ")
    let described = facts.isEmpty ? [] : wrapped(facts, width - 2).map { style.apply(.faint, to: "  \($0)") }
    let read = attachment.text.map {
      wrapped("\($0.label)\n\($0.text)", width - 2).map { style.apply(.faint, to: "  \($0)") }
    }
    return [style.apply(.faint, to: "\(head.joined(separator: " "))")] + alt + described + (read ?? [])
      + ["  \(location)"]
  }
}
