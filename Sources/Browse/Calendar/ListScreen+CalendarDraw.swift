import FoundationEssentials
import MediaLibrary
import Posts
import Terminal

// Draws the calendar: a month of weeks, or a day of hours.

extension ListScreen {
  func drawCalendar(into page: inout Canvas) {
    guard let calendar else { return }
    if let opened = calendar.opened {
      drawDay(opened, of: calendar, into: &page)
    } else {
      drawMonth(calendar, into: &page)
    }
  }

  /// The keys of the calendar.
  var calendarKeys: [(String, String)] {
    calendar?.opened == nil
      ? [("Enter", "day"), ("← ↑ ↓ →", "choose"), ("PgUp PgDn", "month"), ("t", "today"), ("Esc", "back")]
      : [("Enter", "whole"), ("↑ ↓", "choose"), ("← →", "days"), ("Esc", "month")]
  }

  // MARK: A month

  private func drawMonth(_ calendar: CalendarScreen, into page: inout Canvas) {
    let layout = monthLayout(calendar)
    if layout.hasTitle { drawMonthTitle(calendar, into: &page) }
    if layout.hasWeekdays {
      for (number, name) in LocalCalendar.weekdays.enumerated() {
        let shown = layout.width >= 9 ? name : String(name.prefix(layout.width >= 3 ? 3 : 2))
        page.put("\(shown)", row: layout.weekdaysRow, column: layout.column(number), width: layout.width, style: .faint)
      }
    }
    let marks = DayMarks(Array(calendar.counts.values), width: layout.width, isBeside: layout.height == 1)
    for cell in layout.cells { drawCell(cell, layout, calendar, marks, into: &page) }
  }

  private func drawMonthTitle(_ calendar: CalendarScreen, into page: inout Canvas) {
    let weekday = LocalCalendar.weekdays[almanac.weekday(calendar.day)]
    let count = calendar.counts[calendar.day.start]
    let right: SafeText =
      "\(weekday.prefix(metrics.columns < 60 ? 3 : 9)) \(almanac.number(calendar.day))"
      + (count.map { metrics.columns < 30 ? ": \($0.brief)" : " · \($0.text)" } ?? "")
    drawHead("\(almanac.month(of: calendar.day))", calendar.total?.text, right: right, into: &page)
  }

  /// The first line: the title, the number of posts, and the selection.
  private func drawHead(_ name: SafeText, _ count: String?, right: SafeText, into page: inout Canvas) {
    let width = metrics.width
    let side = TextWidth.of(right)
    // Without room for both, the beginning of its name identifies the month.
    let shown = TextWidth.of(name) + side + 3 <= width ? name : name.prefix(3)
    var column = 1 + page.put(shown, row: 0, column: 1, width: width - 1, style: .bold)
    if let count, column + TextWidth.of(count) + 3 + side + 2 < width {
      column += page.put(" · \(count)", row: 0, column: column, style: .faint)
    }
    if column + side + 1 < width { page.put(right, row: 0, column: width - side - 1, style: .accent) }
  }

  private func drawCell(
    _ cell: MonthLayout.Cell, _ layout: MonthLayout, _ calendar: CalendarScreen, _ marks: DayMarks,
    into page: inout Canvas
  ) {
    let day = calendar.days[cell.day]
    let count = calendar.counts[day.start] ?? .exactly(0)
    let isSelected = day == calendar.day
    let isToday = day == almanac.day(of: now)
    let style = CellStyle(
      isToday ? .accent : count.known > 0 ? .plain : .faint, isBold: count.known > 0, isReversed: isSelected)
    page.fill(row: cell.row, column: cell.column, rows: min(2, layout.height), columns: layout.width, style: style)
    let number: SafeText = "\(almanac.number(day))"
    let side = max(0, min(2, layout.width) - TextWidth.of(number))
    page.put(number, row: cell.row, column: cell.column + side, width: layout.width - side, style: style)
    guard count.known > 0, layout.width > marks.column else { return }
    let tone: CellStyle.Tone = isSelected ? style.tone : marks.kind == .bar ? .accent : .faint
    page.put(
      "\(marks.text(of: count))", row: cell.row + (marks.isBeside ? 0 : 1), column: cell.column + marks.column,
      width: layout.width - marks.column, style: CellStyle(tone, isReversed: isSelected))
  }

  // MARK: A day

  private func drawDay(_ opened: DayView, of calendar: CalendarScreen, into page: inout Canvas) {
    if dayHead > 0 {
      let count = opened.isRead ? opened.total.text : ""
      let isShort = metrics.columns < 50
      let name: SafeText =
        isShort
        ? "\(almanac.number(calendar.day)) \(almanac.month(of: calendar.day))"
        : "\(dates.day(calendar.day.start, at: now))"
      drawHead(name, nil, right: "\(isShort ? opened.total.brief : count)", into: &page)
    }
    let start = opened.start(height: dayHeight)
    for (number, line) in opened.lines.dropFirst(start).prefix(dayHeight).enumerated() {
      draw(line, of: opened, row: dayHead + number, isTop: number == 0, into: &page)
    }
  }

  private func draw(_ line: DayView.Line, of opened: DayView, row: Int, isTop: Bool, into page: inout Canvas) {
    let indent = metrics.columns < 30 ? 1 : 8
    let room = metrics.width - indent - 1
    switch line {
    case .hour(let hour): page.put(clock(hour, opened), row: row, column: 1, style: .faint)
    case .more(let hour, let count):
      if indent > 1 { page.put(clock(hour, opened), row: row, column: 1, style: .faint) }
      page.put("\(count.text) before these", row: row, column: indent, width: room, style: .faint)
    case .post(let hour, let post, let isFirst):
      if indent > 1, isFirst || isTop { page.put(clock(hour, opened), row: row, column: 1, style: .faint) }
      let isSelected = post.id == opened.selected
      if isSelected { page.put("▌", row: row, column: indent - 1, style: .accent) }
      draw(post, isSelected, row, indent, room, into: &page)
    }
  }

  private func draw(
    _ post: ListRow, _ isSelected: Bool, _ row: Int, _ indent: Int, _ room: Int, into page: inout Canvas
  ) {
    var column = indent
    column += page.put("\(almanac.time(post.createdAt))", row: row, column: column, width: room, style: .faint) + 1
    if room >= 30 {
      let width = min(20, room / 3)
      page.put(
        post.name, row: row, column: column + 1, width: width,
        style: CellStyle(isSelected ? .accent : .plain, isBold: true))
      column += width + 3
    }
    let style: CellStyle = isSelected ? .accent : .plain
    page.put(post.line, row: row, column: column, width: indent + room - column, style: style)
  }

  /// The start of an hour as a clock shows it. A repeated hour is marked.
  private func clock(_ hour: Int, _ opened: DayView) -> SafeText {
    let shown = almanac.time(opened.hours[hour].interval.start)
    let isAgain = opened.hours[..<hour].contains { almanac.time($0.interval.start) == shown }
    return isAgain ? "\(shown)*" : "\(shown)"
  }
}
