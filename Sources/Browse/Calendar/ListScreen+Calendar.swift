import FoundationEssentials
import Terminal

// Keys and mouse in the calendar, and what it reads.

extension ListScreen {
  /// The selected post: of the list, or of the day that is open in the calendar.
  var selectedPost: ListRow? { calendar == nil ? list.row : calendar?.opened?.row }

  /// The mode from which the post screen was opened.
  var origin: Mode { calendar == nil ? .list : .calendar }

  /// Opens the month of the selected post.
  mutating func openCalendar() -> [Effect] {
    calendar = CalendarScreen(almanac, at: list.row?.createdAt ?? now)
    mode = .calendar
    return askForCalendar()
  }

  /// Reads the open calendar again.
  func askForCalendar() -> [Effect] { calendar.map { [.calendar($0.request)] } ?? [] }

  mutating func handle(_ readings: [CalendarReading]) {
    let read = selectedPost?.id
    calendar?.handle(readings)
    let height = dayHeight
    calendar?.opened?.settle(height: height)
    if isReading, calendar != nil, selectedPost?.id != read { leave(read, for: selectedPost?.id) }
  }

  mutating func calendar(_ key: Key) -> [Effect] {
    notice = ""
    guard var screen = calendar else { return [] }
    let before = screen.request
    let outcome = screen.handle(key, height: dayHeight, now: now)
    calendar = screen
    switch outcome {
    case .stay: break
    case .read: mode = .post(0)
    case .help: openHelp()
    case .close:
      (calendar, mode) = (nil, .list)
      return []
    }
    return before == screen.request ? [] : askForCalendar()
  }

  // MARK: The mouse

  mutating func calendar(_ mouse: Mouse) -> [Effect] {
    switch mouse.act {
    case .wheelDown: return calendar(Key.down)
    case .wheelUp: return calendar(Key.up)
    case .press: return click(mouse)
    case .release: return []
    }
  }

  private mutating func click(_ mouse: Mouse) -> [Effect] {
    guard var screen = calendar else { return [] }
    let line = mouse.row - metrics.top
    guard (0..<metrics.height).contains(line) else { return [] }
    let target: Int
    if let opened = screen.opened {
      target = line - dayHead + opened.start(height: dayHeight)
      guard line >= dayHead, screen.opened?.select(line: target) == true else { return [] }
    } else {
      guard let day = monthLayout(screen).day(row: line, column: mouse.column) else { return [] }
      target = day
      screen.move(days: day - screen.selectedIndex)
    }
    let isSecond = isSecondClick(on: .calendar(target))
    calendar = screen
    return isSecond ? calendar(Key.enter) : []
  }

  // MARK: Sizes

  func monthLayout(_ screen: CalendarScreen) -> MonthLayout {
    MonthLayout(
      columns: metrics.columns, rows: metrics.height, weekdays: screen.weekdays, showing: screen.selectedIndex)
  }

  /// The rows above a day's hours.
  var dayHead: Int { metrics.height >= 3 ? 1 : 0 }
  /// The rows for a day's hours.
  var dayHeight: Int { max(1, metrics.height - dayHead) }
}
