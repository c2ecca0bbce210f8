import Terminal

// The screens that replace the list.

extension ListScreen {
  // MARK: The post

  func drawPost(into page: inout Canvas, from line: Int) { postScreen?.draw(into: &page, from: line) }

  /// The screen of the selected post.
  var postScreen: PostScreen? { selectedPost.map { PostScreen($0, metrics, pictures, dates: dates, now: now) } }

  // MARK: Help

  func drawHelp(into page: inout Canvas, from line: Int) {
    let columns = helpColumns
    let room = page.columns / columns.count
    for (index, lines) in columns.enumerated() {
      let left = index * room + 2
      let width = keysWidth(in: room)
      for (row, (keys, help)) in lines.dropFirst(line).prefix(page.rows).enumerated() {
        let isTitle = help.isEmpty
        page.put(
          "\(keys)", row: row, column: left, width: isTitle ? room - 3 : width - 1, style: isTitle ? .accent : .bold)
        page.put("\(help)", row: row, column: left + width, width: room - width - 3)
      }
    }
  }

  /// The width of the keys in a column of the help.
  private func keysWidth(in room: Int) -> Int {
    let longest = helpLines.map { TextWidth.of($0.0) + 2 }.max() ?? 0
    return min(max(14, longest), max(6, room / 3))
  }

  /// A line of the help in a column, in as many lines as it needs.
  private func wrapped(_ keys: String, _ help: String, in room: Int) -> [(String, String)] {
    let lines = help.wrapped(to: max(8, room - keysWidth(in: room) - 3))
    return lines.enumerated().map { ($0 == 0 ? keys : "", $1) }
  }

  /// The number of lines of the help.
  var helpHeight: Int { helpColumns.map(\.count).max() ?? 0 }

  /// The help's lines in columns of about the same height. On a wide screen the keys of the list are in groups with titles.
  private var helpColumns: [[(String, String)]] {
    let room = metrics.columns / metrics.helpColumns
    guard metrics.helpColumns > 1, helpLines.map(\.1) == KeyMap.entries.map(\.help) else {
      return [helpLines.flatMap { wrapped($0, $1, in: metrics.columns) }]
    }
    var columns: [[(String, String)]] = []
    let groups = KeyMap.groups.map { group -> [(String, String)] in
      [(group.title, "")]
        + KeyMap.shown(of: group.actions).flatMap { wrapped($0, $1, in: room) } + [("", "")]
    }
    let share = (groups.joined().count + metrics.helpColumns - 1) / metrics.helpColumns
    for group in groups {
      if let last = columns.last, last.count + group.count <= share + 2 || columns.count == metrics.helpColumns {
        columns[columns.count - 1] += group
      } else {
        columns.append(group)
      }
    }
    // The blank line parts groups: none follows.
    return columns.map { Array($0.dropLast()) }
  }

  /// The keys of the screen from which help was opened.
  var helpLines: [(String, String)] {
    switch behindHelp {
    case .calendar: calendar?.isInDay == true ? Self.dayHelp : Self.monthHelp
    case .post: Self.postHelp + KeyMap.shown(of: PostReducer.actions) + Self.backHelp
    case .picture:
      Self.pictureHelp + KeyMap.shown(of: PostReducer.actions.filter { $0 != .openPicture }) + Self.backHelp
    case .list, .adding, .writing, .marking, .searching, .choosing, .help, .settings, .loggingIn, .restoring:
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
    let (value, room, column) = settingColumns(page.columns)
    // The explanation stands beside the value, or below it where there is no room.
    let lines = self.settings.map { TextWidth.of($0.value) > room ? 1 : 0 }
    let helps = self.settings.map { SafeText($0.help).wrapped(to: page.columns - column - 1) }
    let heights = zip(lines, helps).map { max(1, $0 + $1.count) }
    let selected = min(settings.selectedIndex, heights.count - 1)
    var first = 0
    while first < selected, heights[first...selected].reduce(0, +) > page.rows { first += 1 }
    var next = 0
    for (index, setting) in self.settings.enumerated().dropFirst(first) {
      let row = next
      next += heights[index]
      let isSelected = index == settings.selectedIndex
      if isSelected { page.put("▌", row: row, column: 0, style: .accent) }
      page.put(
        "\(setting.name)", row: row, column: 2, width: value - 3,
        style: CellStyle(isSelected ? .accent : .plain, isBold: true))
      if isSelected, let field = settings.field {
        page.put("▸", row: row, column: value - 1, style: .accent)
        field.draw(into: &page, row: row, column: value + 1, width: max(4, page.columns - value - 2))
      } else {
        page.put("\(setting.value)", row: row, column: value, width: max(0, page.columns - value - 1))
        for (number, help) in helps[index].enumerated() {
          page.put(help, row: row + lines[index] + number, column: column, style: .faint)
        }
      }
    }
  }

  /// Where values and explanations begin, and how wide a value may be that stands beside its explanation.
  private func settingColumns(_ columns: Int) -> (value: Int, room: Int, help: Int) {
    let widest = { (texts: [String]) in texts.map { TextWidth.of($0) }.max() ?? 0 }
    let value = 3 + max(11, min(widest(settings.map(\.name)), columns / 2))
    guard columns >= 60 else { return (value, room: -1, help: 2) }
    let room = max(8, min(widest(settings.map(\.value)), columns / 4))
    return (value, room, value + room + 2)
  }
}
