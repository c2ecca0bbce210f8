import Foundation
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
    if page.opened != nil { return day(key, page) }
    let before = page
    switch key {
    case .escape, .character("q"), .character("c"), .backspace:
      calendar = nil
      mode = .list
      return []
    case .left, .character("h"): page.move(days: -1)
    case .right, .character("l"): page.move(days: 1)
    case .up, .character("k"): page.move(days: -7)
    case .down, .character("j"): page.move(days: 7)
    case .pageUp, .character("b"), .character("p"): page.move(months: -1)
    case .pageDown, .character(" "), .character("n"): page.move(months: 1)
    case .home, .character("g"): page.move(days: -page.selectedIndex)
    case .end, .character("G"): page.move(days: page.days.count - 1 - page.selectedIndex)
    case .character("t"): page.select(now)
    case .enter: page.open()
    case .character("?"): openHelp()
    default: break
    }
    calendar = page
    return before.ask == page.ask ? [] : askForCalendar()
  }

  private mutating func day(_ key: Key, _ page: CalendarScreen) -> [Effect] {
    var page = page
    let height = dayHeight
    switch key {
    case .escape, .character("q"), .character("c"), .backspace: page.opened = nil
    case .up, .character("k"): page.opened?.move(by: -1, height: height)
    case .down, .character("j"): page.opened?.move(by: 1, height: height)
    case .pageUp, .character("b"): page.opened?.move(by: -height, height: height)
    case .pageDown, .character(" "): page.opened?.move(by: height, height: height)
    case .home, .character("g"): page.opened?.move(by: -100_000, height: height)
    case .end, .character("G"): page.opened?.move(by: 100_000, height: height)
    case .left, .character("p"), .character("h"): turn(&page, -1)
    case .right, .character("n"), .character("l"): turn(&page, 1)
    case .enter:
      if page.opened?.row != nil { mode = .post(0) }
    case .character("?"): openHelp()
    default: break
    }
    let isOther = calendar?.ask != page.ask
    calendar = page
    return isOther ? askForCalendar() : []
  }

  private func turn(_ page: inout CalendarScreen, _ days: Int) {
    page.move(days: days)
    page.open()
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
