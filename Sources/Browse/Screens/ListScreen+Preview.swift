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
  /// The result.
  public var content: Content

  /// Creates a result.
  public init(text: String, title: SafeText = "", content: Content) {
    (self.text, self.title, self.content) = (text, title, content)
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
  static let peekPause = 0.4

  /// Whether the text names a user, so that a server can be asked.
  static func isUser(_ text: String) -> Bool {
    let name = text.hasPrefix("user:") ? text.dropFirst(5) : text.hasPrefix("@") ? text.dropFirst() : ""
    return name.count >= 2 && !name.contains(where: \.isWhitespace)
  }

  /// Handles a change of the field's text.
  mutating func peek(at text: String) {
    guard text != peek.answer?.text else { return peek.due = nil }
    peek.answer = nil
    peek.due = Self.isUser(text) ? now.addingTimeInterval(Self.peekPause) : nil
  }

  mutating func beginPeek() -> [Effect] {
    peek.due = nil
    guard case .choosing(let tag) = mode, tag.field.trimmed != peek.asked else { return [] }
    peek.asked = tag.field.trimmed
    return [.peek(tag.field.trimmed)]
  }

  /// Handles leaving the field. A pending answer is ignored.
  mutating func endPeek() -> [Effect] {
    defer { peek = TimelinePreview() }
    return peek.asked == nil ? [] : [.peek("")]
  }

  mutating func handle(_ answer: TimelinePreviewResult) {
    if answer.text == peek.asked { peek.asked = nil }
    guard case .choosing(let tag) = mode, tag.field.trimmed == answer.text else { return }
    peek.answer = answer
  }

  func drawPeek(_ tag: TagField, into page: inout Canvas) {
    let text = tag.field.trimmed
    guard Self.isUser(text), peek.due != nil || peek.asked != nil || peek.answer != nil else { return }
    page = Canvas(columns: page.columns, rows: page.rows)
    let width = max(0, page.columns - 2)
    switch peek.answer?.content {
    case nil: page.put("Asking for \(text)…", row: 0, column: 1, width: width, style: .faint)
    case .none(let message)?: page.put(SafeText(message), row: 0, column: 1, width: width, style: .faint)
    case .posts(let posts)?:
      let title = peek.answer?.title ?? ""
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
