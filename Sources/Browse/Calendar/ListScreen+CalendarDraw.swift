import FoundationEssentials
import Machine
import MediaLibrary
import Terminal

// Draws the calendar: a month of weeks, and the hours of a day beside it, below it or in its place.

extension ListScreen {
  func drawCalendar(into page: inout Canvas) {
    guard let calendar else { return }
    let panes = panes(calendar)
    if let pane = panes.month {
      var part = Canvas(columns: pane.columns, rows: pane.rows)
      drawMonth(calendar, pane, isAlone: panes.day == nil, into: &part)
      page.paste(part, row: pane.row, column: pane.column)
    }
    if let pane = panes.day {
      var part = Canvas(columns: pane.columns, rows: pane.rows)
      DayDrawing(screen: self, calendar: calendar, pane: pane, isFocused: calendar.isInDay).draw(into: &part)
      page.paste(part, row: pane.row, column: pane.column)
    }
    guard let month = panes.month, let day = panes.day else { return }
    let isBeside = day.column > 0
    page.fill(
      isBeside ? "│" : "─", row: isBeside ? 0 : month.rows, column: isBeside ? month.columns : 0,
      rows: isBeside ? month.rows : 1, columns: isBeside ? 1 : month.columns, style: .faint)
  }

  /// The keys of the calendar.
  var calendarKeys: [(String, String)] {
    let edit = selectedPost?.editableAt == nil ? [] : [("e", "change")]
    let (keys, back) =
      calendar?.isInDay == true
      ? ([("Enter", "whole"), ("↑ ↓", "hours"), ("← →", "days")], "month")
      : ([("Enter", "day"), ("← ↑ ↓ →", "choose"), ("PgUp PgDn", "month")], "back")
    return keys + [("t", "today"), ("Esc", back), ("a", "plan")] + edit
  }

  // MARK: A month

  private func drawMonth(
    _ calendar: CalendarScreen, _ pane: CalendarPanes.Pane, isAlone: Bool, into page: inout Canvas
  ) {
    let layout = monthLayout(calendar, pane)
    if layout.hasTitle { drawMonthTitle(calendar, isAlone: isAlone, into: &page) }
    if layout.hasWeekdays {
      for (number, name) in LocalCalendar.weekdays.enumerated() {
        let shown = layout.width >= 9 ? name : String(name.prefix(layout.width >= 3 ? 3 : 2))
        page.put("\(shown)", row: layout.weekdaysRow, column: layout.column(number), width: layout.width, style: .faint)
      }
    }
    let marks = DayMarks(Array(calendar.counts.values), width: layout.width, isBeside: layout.height == 1)
    for cell in layout.cells { drawCell(cell, layout, calendar, marks, into: &page) }
  }

  private func drawMonthTitle(_ calendar: CalendarScreen, isAlone: Bool, into page: inout Canvas) {
    let weekday = LocalCalendar.weekdays[localCalendar.weekday(calendar.day)]
    let count = calendar.counts[calendar.day.start]
    let day: SafeText =
      "\(weekday.prefix(page.columns < 60 ? 3 : 9)) \(localCalendar.number(calendar.day))"
      + (count.map { page.columns < 30 ? ": \($0.brief)" : " · \($0.text)" } ?? "")
    // Beside its hours, the day's name stands above them.
    page.putHead("\(localCalendar.month(of: calendar.day))", calendar.total?.text, right: isAlone ? day : "")
  }

  private func drawCell(
    _ cell: MonthLayout.Cell, _ layout: MonthLayout, _ calendar: CalendarScreen, _ marks: DayMarks,
    into page: inout Canvas
  ) {
    let day = calendar.days[cell.day]
    let count = calendar.counts[day.start] ?? .exactly(0)
    let isSelected = day == calendar.day
    let isToday = day == localCalendar.day(of: now)
    let style = CellStyle(
      isToday ? .accent : count.known > 0 ? .plain : .faint, isBold: count.known > 0, isReversed: isSelected)
    page.fill(row: cell.row, column: cell.column, rows: min(2, layout.height), columns: layout.width, style: style)
    let number: SafeText = "\(localCalendar.number(day))"
    let side = max(0, min(2, layout.width) - TextWidth.of(number))
    page.put(number, row: cell.row, column: cell.column + side, width: layout.width - side, style: style)
    guard count.known > 0, layout.width > marks.column else { return }
    let tone: CellStyle.Tone = isSelected ? style.tone : marks.kind == .bar ? .accent : .faint
    page.put(
      "\(marks.text(of: count))", row: cell.row + (marks.isBeside ? 0 : 1), column: cell.column + marks.column,
      width: layout.width - marks.column, style: CellStyle(tone, isReversed: isSelected))
  }
}

extension Canvas {
  /// Writes the first line of a part of the calendar: the title, the number of posts, and what is selected.
  mutating func putHead(_ name: SafeText, _ count: String?, right: SafeText) {
    let side = TextWidth.of(right)
    // Without room for both, the beginning of its name identifies the month.
    let shown = TextWidth.of(name) + side + 3 <= columns ? name : name.prefix(3)
    var column = 1 + put(shown, row: 0, column: 1, width: columns - 1, style: .bold)
    if let count, column + TextWidth.of(count) + 3 + (side > 0 ? side + 2 : 0) < columns {
      column += put(" · \(count)", row: 0, column: column, style: .faint)
    }
    if side > 0, column + side + 1 < columns { put(right, row: 0, column: columns - side - 1, style: .accent) }
  }
}
