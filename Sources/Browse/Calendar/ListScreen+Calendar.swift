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
    calendar = CalendarScreen(localCalendar, at: list.row?.createdAt ?? now)
    mode = .calendar
    return askForCalendar()
  }

  /// Reads the open calendar.
  func askForCalendar() -> [Effect] { calendar.map { [.calendar($0.request)] } ?? [] }

  /// Reads the open calendar again, because the list changed.
  mutating func refreshCalendar() -> [Effect] {
    calendar?.expire()
    return askForCalendar()
  }

  mutating func handle(_ answer: CalendarAnswer) {
    guard var screen = calendar else { return }
    let read = selectedPost?.id
    screen.handle(answer)
    screen.table.settle(tableSize(screen))
    calendar = screen
    if isReading, selectedPost?.id != read { leave(read, for: selectedPost?.id) }
  }

  mutating func calendar(_ key: Key) -> [Effect] {
    notice = ""
    guard var screen = calendar else { return [] }
    let before = screen.request
    let outcome = screen.handle(key, size: tableSize(screen), now: now)
    calendar = screen
    switch outcome {
    case .stay: break
    case .read: mode = .post(0)
    case .write(let draft): openForm(EntryForm(draft, calendar: writing))
    case .edit: editSelected()
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
    case .wheelDown, .wheelUp:
      // The wheel turns what it is over.
      if let screen = calendar, let panes = Optional(panes(screen)), panes.areBoth {
        calendar?.isInDay = panes.day?.local(row: mouse.row - metrics.top, column: mouse.column) != nil
      }
      return calendar(mouse.act == .wheelDown ? Key.down : Key.up)
    case .press: return click(mouse)
    case .release: return []
    }
  }

  private mutating func click(_ mouse: Mouse) -> [Effect] {
    guard var screen = calendar else { return [] }
    let (before, panes) = (screen.request, panes(screen))
    let target: Int
    if let day = panes.day, let point = day.local(row: mouse.row - metrics.top, column: mouse.column) {
      let size = day.table(label: labelWidth(screen))
      let line = point.row - day.head + screen.table.start(size)
      let lines = screen.table.lines(size)
      guard point.row >= day.head, lines.indices.contains(line) else { return [] }
      screen.isInDay = true
      screen.table.select(lines[line], column: point.column - day.indent(label: labelWidth(screen)), size)
      target = 100 + screen.table.stopIndex
    } else if let month = panes.month, let point = month.local(row: mouse.row - metrics.top, column: mouse.column),
      let day = monthLayout(screen, month).day(row: point.row, column: point.column)
    {
      target = day
      screen.isInDay = false
      screen.move(days: day - screen.selectedIndex)
    } else {
      return []
    }
    let isSecond = isSecondClick(on: .calendar(target))
    calendar = screen
    let asked = before == screen.request ? [] : askForCalendar()
    return isSecond ? asked + calendar(Key.enter) : asked
  }

  // MARK: Sizes

  func panes(_ screen: CalendarScreen) -> CalendarPanes {
    CalendarPanes(columns: metrics.columns, rows: metrics.height, isInDay: screen.isInDay)
  }

  func monthLayout(_ screen: CalendarScreen, _ pane: CalendarPanes.Pane) -> MonthLayout {
    MonthLayout(columns: pane.columns, rows: pane.rows, weekdays: screen.weekdays, showing: screen.selectedIndex)
  }

  /// The columns of the longest name of an hour.
  func labelWidth(_ screen: CalendarScreen) -> Int { screen.table.labels.map { TextWidth.of($0) }.max() ?? 0 }

  /// The size of the hours, shown or not.
  func tableSize(_ screen: CalendarScreen) -> DayTable.Size {
    let whole = CalendarPanes.Pane(row: 0, column: 0, rows: metrics.height, columns: metrics.columns)
    return (panes(screen).day ?? whole).table(label: labelWidth(screen))
  }
}
