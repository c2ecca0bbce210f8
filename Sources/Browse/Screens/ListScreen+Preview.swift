import FoundationEssentials
import Terminal

// Previews a remote user's timeline while the name is typed.

/// A preview of a remote user's timeline.
public struct TimelinePreviewResult: Sendable, Equatable {
  /// The newest posts, or why there are none.
  public enum Content: Sendable, Equatable {
    case posts([ListRow])
    case none(String)
  }

  /// What was typed.
  public var text: String
  /// The list's name.
  public var title: SafeText
  /// The list at the server that answered, as people type it; nil if it is the one that was typed.
  public var elsewhere: String?
  /// The result.
  public var content: Content

  /// Creates a result.
  public init(text: String, title: SafeText = "", elsewhere: String? = nil, content: Content) {
    (self.text, self.title, self.elsewhere, self.content) = (text, title, elsewhere, content)
  }
}

/// The state of a timeline preview.
struct TimelinePreview: Sendable, Equatable {
  /// When to request it; nil if none is planned.
  var due: Date?
  /// The request that waits for an answer.
  var asked: String?
  var answer: TimelinePreviewResult?
}

extension ListScreen {
  // People type a name more slowly than a search term.
  static let previewPause = 0.4

  /// Whether the text names a user, so that a server can be asked.
  static func isUser(_ text: String) -> Bool {
    let name = text.hasPrefix("user:") ? text.dropFirst(5) : text.hasPrefix("@") ? text.dropFirst() : ""
    return name.count >= 2 && !name.contains(where: \.isWhitespace)
  }

  /// Handles a change of the field's text.
  mutating func schedulePreview(of text: String) {
    guard text != preview.answer?.text else { return preview.due = nil }
    preview.answer = nil
    preview.due = Self.isUser(text) ? now.addingTimeInterval(Self.previewPause) : nil
  }

  mutating func beginPreview() -> [Effect] {
    preview.due = nil
    guard case .choosing(let tag) = mode, tag.field.trimmed != preview.asked else { return [] }
    preview.asked = tag.field.trimmed
    return [.preview(tag.field.trimmed)]
  }

  /// Handles leaving the field. A pending answer is ignored.
  mutating func endPreview() -> [Effect] {
    defer { preview = TimelinePreview() }
    return preview.asked == nil ? [] : [.preview("")]
  }

  mutating func handle(_ answer: TimelinePreviewResult) {
    if answer.text == preview.asked { preview.asked = nil }
    guard case .choosing(let tag) = mode, tag.field.trimmed == answer.text else { return }
    preview.answer = answer
  }

  func drawPreview(_ tag: TagField, into page: inout Canvas) {
    let text = tag.field.trimmed
    guard Self.isUser(text), preview.due != nil || preview.asked != nil || preview.answer != nil else { return }
    page = Canvas(columns: page.columns, rows: page.rows)
    let width = max(0, page.columns - 2)
    switch preview.answer?.content {
    case nil: page.put("Asking for \(text)…", row: 0, column: 1, width: width, style: .faint)
    case .none(let message)?: page.put(SafeText(message), row: 0, column: 1, width: width, style: .faint)
    case .posts(let posts)?:
      let title = preview.answer?.title ?? ""
      let used = page.put(title, row: 0, column: 1, width: width, style: .bold)
      let hint: SafeText = posts.isEmpty ? "no posts" : "newest posts, not stored · Enter keeps them"
      page.put(hint, row: 0, column: used + 3, width: max(0, width - used - 2), style: .faint)
      draw(posts, into: &page)
    }
  }

  private func draw(_ posts: [ListRow], into page: inout Canvas) {
    let drawing = RowDrawing(
      metrics: Metrics(columns: metrics.columns, rows: metrics.rows), dates: dates, now: now, view: pictures)
    var row = 2
    for post in posts {
      guard row < page.rows else { return }
      let drawn = drawing.canvas(of: post, isSelected: false)
      page.paste(drawn, row: row, column: 0)
      row += drawn.rows
    }
  }
}
