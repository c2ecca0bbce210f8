import Terminal

// The screens that replace the list.

extension ListScreen {
  // MARK: The post

  func drawPost(into page: inout Canvas, from line: Int) { postScreen?.draw(into: &page, from: line) }

  /// The screen of the selected post.
  var postScreen: PostScreen? { selectedPost.map { PostScreen($0, metrics, pictures, dates: dates, now: now) } }

  // MARK: Help

  func drawHelp(into page: inout Canvas, from line: Int) {
    let longest = helpLines.map { TextWidth.of($0.0) + 2 }.max() ?? 0
    let width = min(max(14, longest), max(6, page.columns / 3))
    for (row, (keys, help)) in helpLines.dropFirst(line).prefix(page.rows).enumerated() {
      page.put("\(keys)", row: row, column: 2, width: width - 1, style: .bold)
      page.put("\(help)", row: row, column: 2 + width, width: page.columns - width - 3)
    }
  }

  /// The keys of the screen from which help was opened.
  var helpLines: [(String, String)] {
    switch behindHelp {
    case .calendar: calendar?.isInDay == true ? Self.dayHelp : Self.monthHelp
    case .post: Self.postHelp + KeyMap.shown(of: PostReducer.actions) + Self.backHelp
    case .picture:
      Self.pictureHelp + KeyMap.shown(of: PostReducer.actions.filter { $0 != .openPicture }) + Self.backHelp
    case .list, .adding, .writing, .searching, .choosing, .help, .settings, .loggingIn, .restoring:
      KeyMap.entries.map { ($0.shown, $0.help) }
    }
  }

  private static let monthHelp = [
    ("h l ← →", "the day before, the day after"), ("k j ↑ ↓", "a week before, a week after"),
    ("PgUp PgDn", "the month before, the month after"), ("g G", "the month's first day, its last day"),
    ("t", "today"), ("Enter", "the day's hours with their posts"), ("a", "plan an entry on the day"),
    ("Esc q c", "back to the list"),
  ]

  private static let dayHelp = [
    ("k j ↑ ↓", "up, down: past the last hour is the next day"), ("PgUp PgDn", "a page up, a page down"),
    ("h l ← →", "the day before, the day after"),
    ("g G", "the day's first post, its last post; then its first hour, its last hour"),
    ("t", "today"), ("a", "plan an entry in this hour"), ("e", "change the entry"),
    ("Enter", "the post or entry whole"), ("Esc q c", "back to the month"),
  ]

  private static let postHelp = [
    ("← → p n", "the post before, the post after"), ("↑ ↓ k j", "scroll"), ("PgUp PgDn", "a page up, a page down"),
    ("Tab", "the next picture; Shift-Tab the one before"),
  ]

  private static let backHelp = [("Esc Enter q", "back")]

  // MARK: Settings

  func drawSettings(_ settings: SettingsScreen, into page: inout Canvas) {
    let height = page.columns >= 60 ? 1 : 2
    let first = max(0, (settings.selectedIndex + 1) * height - page.rows) / height
    for (index, setting) in self.settings.enumerated().dropFirst(first) {
      let row = (index - first) * height
      let isSelected = index == settings.selectedIndex
      if isSelected { page.put("▌", row: row, column: 0, style: .accent) }
      page.put(
        "\(setting.name)", row: row, column: 2, width: 11, style: CellStyle(isSelected ? .accent : .plain, isBold: true)
      )
      if isSelected, let field = settings.field {
        page.put("▸", row: row, column: 13, style: .accent)
        field.draw(into: &page, row: row, column: 15, width: max(4, page.columns - 16))
      } else {
        page.put("\(setting.value)", row: row, column: 14, width: max(0, page.columns - 15))
        let (line, column) = height == 1 ? (row, 24) : (row + 1, 2)
        page.put("\(setting.help)", row: line, column: column, width: max(0, page.columns - column - 1), style: .faint)
      }
    }
  }
}
