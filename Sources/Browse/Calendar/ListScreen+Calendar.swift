import FoundationEssentials
import Terminal

// Keys and mouse in the calendar, and what it reads.

extension ListScreen {
  /// The post that is shown whole.
  var whole: ListRow? { calendar == nil ? list.row : calendar?.opened?.row }

  /// The screen from which a whole post was opened.
  var origin: Mode { calendar == nil ? .list : .calendar }

  /// Opens the month of the selected post.
  mutating func openCalendar() -> [Effect] {
    calendar = CalendarScreen(almanac, at: list.row?.createdAt ?? now)
    mode = .calendar
    return askForCalendar()
  }

  /// Reads the open calendar again.
  func askForCalendar() -> [Effect] { calendar.map { [.calendar($0.ask)] } ?? [] }

  mutating func handle(_ readings: [CalendarReading]) {
    let read = whole?.id
    calendar?.handle(readings)
    let height = dayHeight
    calendar?.opened?.settle(height: height)
    if isReading, calendar != nil, whole?.id != read { leave(read, for: whole?.id) }
  }

  mutating func calendar(_ key: Key) -> [Effect] {
    notice = ""
    guard var page = calendar else { return [] }
    let before = page.ask
    let outcome = page.handle(key, height: dayHeight, now: now)
    calendar = page
    switch outcome {
    case .stay: break
    case .read: mode = .post(0)
    case .help: openHelp()
    case .close:
      (calendar, mode) = (nil, .list)
      return []
    }
    return before == page.ask ? [] : askForCalendar()
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
    guard var page = calendar else { return [] }
    let line = mouse.row - metrics.top
    guard (0..<metrics.height).contains(line) else { return [] }
    let target: Int
    if let opened = page.opened {
      target = line - dayHead + opened.start(height: dayHeight)
      guard line >= dayHead, page.opened?.select(line: target) == true else { return [] }
    } else {
      guard let day = monthLayout(page).day(row: line, column: mouse.column) else { return [] }
      target = day
      page.move(days: day - page.selectedIndex)
    }
    let isSecond = isSecondClick(on: .calendar(target))
    calendar = page
    return isSecond ? calendar(Key.enter) : []
  }

  // MARK: Sizes

  func monthLayout(_ page: CalendarScreen) -> MonthLayout {
    MonthLayout(columns: metrics.columns, rows: metrics.height, weekdays: page.weekdays, showing: page.selectedIndex)
  }

  /// The rows above a day's hours.
  var dayHead: Int { metrics.height >= 3 ? 1 : 0 }
  /// The rows for a day's hours.
  var dayHeight: Int { max(1, metrics.height - dayHead) }
}
