import FoundationEssentials
import Machine
import MediaLibrary
import Terminal

/// Draws the hours of a day: their names, entries as blocks, and posts.
struct DayDrawing {
  private let table: DayTable
  private let day: DateInterval
  private let pane: CalendarPanes.Pane
  private let localCalendar: LocalCalendar
  private let dates: DateText
  private let now: Date
  /// Whether the cursor is shown.
  private let isFocused: Bool
  private let indent: Int
  private let size: DayTable.Size

  init(screen: ListScreen, calendar: CalendarScreen, pane: CalendarPanes.Pane, isFocused: Bool) {
    (table, day, self.pane, self.isFocused) = (calendar.table, calendar.day, pane, isFocused)
    (localCalendar, dates, now) = (screen.localCalendar, screen.dates, screen.now)
    let label = screen.labelWidth(calendar)
    (indent, size) = (pane.indent(label: label), pane.table(label: label))
  }

  func draw(into page: inout Canvas) {
    if pane.head > 0 { drawTitle(into: &page) }
    let start = table.start(size)
    var (hour, shown) = (-1, [Int: Int]())
    for (number, line) in table.lines(size).dropFirst(start).prefix(size.rows).enumerated() {
      let row = pane.head + number
      if line.hour != hour { drawName(of: line.hour, row, into: &page) }
      hour = line.hour
      draw(line, row, &shown, into: &page)
    }
  }

  private func drawTitle(into page: inout Canvas) {
    let count: SafeText = table.isRead ? "\(pane.columns < 40 ? table.total.brief : table.total.text)" : ""
    let date: SafeText = "\(localCalendar.number(day)) \(localCalendar.month(of: day))"
    let weekday: SafeText = "\(LocalCalendar.weekdays[localCalendar.weekday(day)].prefix(3)) \(date)"
    let names = ["\(dates.day(day.start, at: now))", weekday, date]
    let room = pane.columns - TextWidth.of(count) - 3
    page.putHead(names.first { TextWidth.of($0) <= room } ?? date, nil, right: count)
  }

  /// The name of an hour, above its first visible line.
  private func drawName(of hour: Int, _ row: Int, into page: inout Canvas) {
    let isHere = isFocused && hour == table.hour
    if isHere, table.selected == nil { page.put("▌", row: row, column: indent - 1, style: .accent) }
    guard pane.isLabelled else { return }
    let isNow = table.hours[hour].start <= now && now < table.hours[hour].end
    let style = CellStyle(isHere || isNow ? .accent : .faint, isBold: isHere)
    let label = table.labels[hour]
    let isRepeated = label.utf8.count > 13
    let short =
      "\(label.prefix(5))\(isRepeated && hour > 0 && table.labels[hour - 1].hasPrefix(label.prefix(5)) ? "*" : "")"
    page.put("\(pane.hasRanges ? label : short)", row: row, column: 1, style: style)
  }

  private func draw(_ line: DayTable.Line, _ row: Int, _ shown: inout [Int: Int], into page: inout Canvas) {
    switch line {
    case .hour: break
    case .more(_, let count):
      page.put("\(count.text) before these", row: row, column: indent, width: size.columns, style: .faint)
    case .post(_, let post): draw(post, row, into: &page)
    case .blocks(_, let cells):
      let width = DayTable.width(of: cells, size)
      for (index, block) in cells.enumerated() {
        guard let block else { continue }
        draw(block, line: shown[block, default: 0], row, column: indent + index * (width + 1), width, into: &page)
        shown[block, default: 0] += 1
      }
    }
  }

  private func draw(_ post: ListRow, _ row: Int, into page: inout Canvas) {
    let isSelected = isFocused && post.id == table.selected
    if isSelected { page.put("▌", row: row, column: indent - 1, style: .accent) }
    let room = size.columns
    var column = indent
    column +=
      page.put("\(localCalendar.time(post.createdAt))", row: row, column: column, width: room, style: .faint) + 1
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

  /// A line of a block: its times and its name on the first, or on two lines if one has no room for both.
  private func draw(
    _ block: Int, line: Int, _ row: Int, column: Int, _ width: Int, into page: inout Canvas
  ) {
    let entry = table.row(of: block)
    let isSelected = isFocused && entry.id == table.selected
    let style = CellStyle(.tile, isBold: isSelected, isReversed: isSelected)
    page.fill(row: row, column: column, rows: 1, columns: width, style: style)
    page.put(isSelected && line == 0 ? "▸" : "▎", row: row, column: column, width: width, style: style)
    let name = entry.title.isEmpty ? entry.line : entry.title.onOneLine
    let time = SafeText(localCalendar.span(entry.createdAt, entry.end))
    let both: SafeText = "\(time) \(name)"
    let isLong = table.blocks.blocks[block].hours.count > 1
    let fits = TextWidth.of(both) <= width - 1
    let text = [fits || !isLong ? both : time, fits || !isLong ? "" : name]
    guard text.indices.contains(line) else { return }
    page.put(text[line], row: row, column: column + 1, width: width - 1, style: style)
  }
}
