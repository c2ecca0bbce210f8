import Terminal
import Wording

// The last rows: status or text field, and the keys of the moment.

extension ListScreen {
  func drawFoot(into canvas: inout Canvas) {
    guard metrics.bottom > 0 else { return }
    let row = canvas.rows - metrics.bottom - raisedRows
    if raisedRows > 0 { canvas.fill(row: row, column: 0, rows: raisedRows, columns: canvas.columns) }
    let textField = textField
    if let textField { draw(textField.field, textField.label, after: textField.hint, row, into: &canvas) }
    let rest = textField == nil ? drawStatus(row, isWrapped: metrics.bottom > 1, into: &canvas) : ""
    if hasNoticeBelowField {
      let rest = drawStatus(row + 1, isWrapped: raisedRows > 0, into: &canvas)
      canvas.put(rest.sparingKey(to: max(0, canvas.columns - 2)), row: row + 2, column: 1)
    } else if metrics.bottom > 1 {
      drawKeys(row + 1, after: rest, into: &canvas)
    } else if textField == nil, status.isEmpty {
      drawKeys(row, into: &canvas)
    }
  }

  /// The rows by which the text field rises above the status row, for a notice below it that is longer than one row.
  var raisedRows: Int {
    hasNoticeBelowField && metrics.height > 1 && TextWidth.of(status) > columns - 2 ? 1 : 0
  }

  /// Whether the notice replaces the keys until one is pressed: a text field takes the status row. A login's stands on its page.
  private var hasNoticeBelowField: Bool {
    metrics.bottom > 1 && !notice.isEmpty && loginPage == nil && textField != nil
  }

  /// Draws the status.
  ///
  /// - Parameter isWrapped: Whether a long one may go on in the next row.
  /// - Returns: How it goes on.
  @discardableResult
  private func drawStatus(_ row: Int, isWrapped: Bool = false, into canvas: inout Canvas) -> SafeText {
    let width = max(0, canvas.columns - 2)
    guard isWrapped, TextWidth.of(status) > width else {
      canvas.put(status.sparingKey(to: width), row: row, column: 1)
      return ""
    }
    let (first, rest) = status.broken(at: width)
    canvas.put(first, row: row, column: 1)
    return rest
  }

  /// Draws how a long status goes on, and behind it the keys for which there is room: the first one, which undoes, stays.
  private func drawKeys(_ row: Int, after rest: SafeText, into canvas: inout Canvas) {
    guard !rest.isEmpty else { return drawKeys(row, into: &canvas) }
    let first = keys.first.map { TextWidth.of($0.0) + TextWidth.of($0.1) + 4 } ?? 0
    let used = canvas.put(rest.sparingKey(to: max(0, canvas.columns - 2 - first)), row: row, column: 1)
    drawKeys(row, from: used + 3, into: &canvas)
  }

  private var status: SafeText {
    if case .restoring(let ids) = mode {
      let posts = NumberText.count(ids.count, "deleted post")
      return "Bring \(posts) of this list back? y brings \(ids.count == 1 ? "it" : "them") back, any other key does not"
    }
    if let unreadable { return SafeText(unreadable) }
    if !notice.isEmpty { return SafeText(notice) }
    if !reminder.isEmpty { return SafeText(reminder) }
    if let wait = pulling.wait { return SafeText(wait) }
    return newAbove > 0 ? "\(newAbove) new above · g shows \(newAbove == 1 ? "it" : "them")" : ""
  }

  /// The text field of the mode, its label, and what is said behind it; nil if the mode has none.
  private var textField: (field: TextField, label: SafeText, hint: SafeText)? {
    switch mode {
    case .adding(let field): (field, "New post", count(of: field))
    case .searching(let field): (field.field, "Search", "")
    case .choosing(let tag): (tag.field, "Show", hint(for: tag))
    case .marking(let field): (field.field.field, label(of: field).0, label(of: field).1)
    case .loggingIn(let screen) where screen.key == .id: (screen.field, "Client ID", "")
    case .loggingIn(let screen) where screen.key != nil: (screen.field.hidden, "Client secret", "")
    case .loggingIn(let screen) where !screen.url.isEmpty && !screen.isConfirmed: (screen.field, "Code", "")
    case .loggingIn, .list, .post, .picture, .help, .settings, .calendar, .restoring, .writing: nil
    }
  }

  /// What the field's text means.
  private func hint(for tag: TagField) -> SafeText {
    let text = tag.field.trimmed
    if text.isEmpty, !scope.isWhole { return "Enter shows all posts" }
    if text.isEmpty { return tags.isEmpty ? "cats@mastodon.social" : "↑ \(tags[0])" }
    if text.hasPrefix("in:") { return "an album" }
    if text.hasPrefix("saved:") { return "a saved search" }
    if text.hasPrefix("@") { return "a user" }
    return text.contains(where: \.isWhitespace) && !text.hasPrefix("user:") ? "a search" : ""
  }

  private func count(of field: TextField) -> SafeText {
    let count = field.trimmed.count
    return count < PostEntry.shortest ? "\(count) of \(PostEntry.shortest) characters at least" : "\(count) characters"
  }

  private func draw(_ field: TextField, _ label: SafeText, after: SafeText, _ row: Int, into canvas: inout Canvas) {
    let isRoomy = canvas.columns >= 40
    let column = 1 + canvas.put("\(label) ▸ ", row: row, column: 1, width: canvas.columns - 2, style: .accent)
    let side = isRoomy && !after.isEmpty ? TextWidth.of(after) + 2 : 0
    if side > 0 { canvas.put(after, row: row, column: canvas.columns - side + 1, width: side, style: .faint) }
    field.draw(into: &canvas, row: row, column: column, width: canvas.columns - column - side - 1)
  }

  // MARK: Keys

  func drawKeys(_ row: Int, from start: Int = 1, into canvas: inout Canvas) {
    var column = start
    for (key, help) in keys.map({ (SafeText($0), SafeText($1)) }) {
      let width = TextWidth.of(key) + 1 + TextWidth.of(help)
      guard column + width < canvas.columns else { break }
      column += canvas.put(key, row: row, column: column, style: .bold) + 1
      column += canvas.put(help, row: row, column: column, style: .faint) + 2
    }
  }

  private var keys: [(String, String)] {
    switch mode {
    case .list where side.hasFocus:
      return [("Enter", "show"), ("↑ ↓", "choose"), ("Esc", "to the posts"), ("Tab", "without the side list")]
    case .list where !selection.isEmpty:
      return (undoStack.canUndo ? [("u", "undo")] : []) + [
        ("Esc", "select none"), ("*", "favourite"), ("0–5", "rate"), ("+", "tag"), ("A", "album"), ("n", "seen"),
        ("d", "delete"), ("= !", "same picture or not"), ("X", "up to here"), ("M", "all"),
      ]
    case .marking(let field): return keys(of: field)
    case .list:
      let undo = undoStack.canUndo ? [("u", "undo")] : []
      let clear = search.isEmpty ? [] : [("Esc", "clear")]
      let back = search.isEmpty && !scope.isWhole ? [("Esc", "all posts")] : []
      let logIn = login.server == nil ? [] : [("L", "log in")]
      let asks = list.row == nil && canAskThere
      let post =
        list.row == nil ? asks ? [("Enter", "ask \(scope.searcher)")] : [] : [("Enter", "whole"), ("d", "delete")]
      return undo + clear + logIn + [("?", "help")] + back + post + [
        ("a", "add"), ("/", "search"), ("t", "tag"), ("v", metrics.isGrid ? "list" : "grid"), ("c", "calendar"),
        ("r", "refresh"), ("s", "settings"), ("q", "quit"),
      ]
    case .post:
      let undo = undoStack.canUndo ? [("u", "undo")] : []
      let several = pictures.isOn && (selectedPost?.pictures.count ?? 0) > 1 ? [("Tab", "next picture")] : []
      return undo + [("Esc", "back")] + several
        + [("← →", "posts"), ("↑ ↓", "scroll"), ("z", "picture"), ("o", "browser"), ("d", "delete")]
    case .picture(let zoom): return pictureKeys(zoom)
    case .adding(let field):
      let add = field.trimmed.count < PostEntry.shortest ? [] : [("Enter", "add")]
      return add + [("Esc", "cancel"), ("Tab", "name, time, files")]
    case .writing(let form): return form.keys
    case .searching(let field) where !field.offers.isEmpty:
      return [("Tab", "next"), ("Enter", "keep"), ("Esc", "back")]
    case .searching(let field):
      let tab: [(String, String)] =
        switch field.tab(canAsk: !scope.searcher.isEmpty) {
        case .complete: [("Tab", "complete")]
        case .ask: [("Tab", "ask \(scope.searcher)")]
        case .none: []
        }
      return [("Enter", "keep"), ("Esc", "clear")] + tab
    case .choosing:
      return [
        ("Enter", "show"), ("↑ ↓", "latest"), ("Esc", "cancel"), ("@name", "a user"), ("two words", "a search"),
      ]
    case .loggingIn(let screen) where screen.key != nil: return [("Enter", "go on"), ("Esc", "back")]
    case .loggingIn(let screen):
      return screen.url.isEmpty ? [("Esc", "back")] : [("Enter", "log in"), ("Esc", "back")]
    case .calendar: return calendarKeys
    case .help: return [("Esc", "back"), ("↑ ↓", "scroll")]
    case .settings(let screen):
      return screen.field == nil
        ? [("Enter", "change"), ("↑ ↓", "choose"), ("Esc", "back")] : [("Enter", "set"), ("Esc", "cancel")]
    case .restoring: return [("y", "yes"), ("Esc", "no")]
    }
  }
}
