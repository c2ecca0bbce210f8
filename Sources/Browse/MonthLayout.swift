/// Where everything of a month stands on a page of some size: weeks below each other, which begin on Monday.
struct MonthLayout: Sendable {
  /// The cell of a day.
  struct Cell: Sendable, Equatable {
    /// The number of the day in its month, from 0.
    let day: Int
    let row: Int
    let column: Int
  }

  let hasTitle: Bool
  let hasWeekdays: Bool
  let left: Int
  /// The columns of a day, without the blank one behind it.
  let width: Int
  /// The rows of a week.
  let height: Int
  let cells: [Cell]

  /// The layout of a month with so many days, after so many of the month before; one of its days must be seen.
  init(columns: Int, rows: Int, days: Int, lead: Int, showing day: Int) {
    (hasTitle, hasWeekdays) = (rows >= 2, rows >= 4)
    left = columns >= 30 ? 1 : 0
    let pitch = max(1, min(16, (columns - left + 1) / 7))
    width = max(1, pitch - 1)
    let head = (hasTitle ? 1 : 0) + (hasWeekdays ? 1 : 0)
    let weeks = (lead + days + 6) / 7
    height = max(1, min(4, (rows - head) / max(1, weeks)))
    let shown = min(weeks, max(1, (rows - head) / height))
    let first = min(max(0, (lead + day) / 7 - shown / 2), weeks - shown)
    let (start, left, high) = (head - first * height, left, height)
    cells = (0..<days).compactMap { day in
      let week = (lead + day) / 7
      guard week >= first, week < first + shown else { return nil }
      return Cell(day: day, row: start + week * high, column: left + (lead + day) % 7 * pitch)
    }
  }

  /// The row of the weekdays' names.
  var weekdaysRow: Int { hasTitle ? 1 : 0 }

  /// The column of a weekday.
  func column(_ weekday: Int) -> Int { left + weekday * (width + 1) }

  /// The day at a place; nil where none is.
  func day(row: Int, column: Int) -> Int? {
    cells.first { ($0.row..<$0.row + height).contains(row) && ($0.column..<$0.column + width).contains(column) }?.day
  }
}
