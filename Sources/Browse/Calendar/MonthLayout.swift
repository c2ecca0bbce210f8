import Machine

/// The layout of a month: weeks below each other, starting on Monday.
struct MonthLayout: Sendable {
  /// The cell of a day.
  struct Cell: Sendable, Equatable {
    /// The index of the day in its month.
    let day: Int
    let row: Int
    let column: Int
  }

  let hasTitle: Bool
  let hasWeekdays: Bool
  let left: Int
  /// The columns of a day, without the blank one after it.
  let width: Int
  /// The rows of a week.
  let height: Int
  let cells: [Cell]

  /// The layout of a month whose days have these weekdays, Monday being 0. One of its days must be visible.
  init(columns: Int, rows: Int, weekdays: [Int], showing day: Int) {
    (hasTitle, hasWeekdays) = (rows >= 2, rows >= 4)
    left = columns >= 30 ? 1 : 0
    let pitch = max(1, min(16, (columns - left + 1) / 7))
    width = max(1, pitch - 1)
    let head = (hasTitle ? 1 : 0) + (hasWeekdays ? 1 : 0)
    let weekOfDay = LocalCalendar.weeks(weekdays)
    let weeks = (weekOfDay.last ?? 0) + 1
    height = max(1, min(4, (rows - head) / weeks))
    let shown = min(weeks, max(1, (rows - head) / height))
    let middle = weekOfDay.indices.contains(day) ? weekOfDay[day] : 0
    let first = min(max(0, middle - shown / 2), weeks - shown)
    let (start, left, high) = (head - first * height, left, height)
    cells = zip(weekOfDay, weekdays).enumerated().compactMap { day, position in
      let (week, weekday) = position
      guard week >= first, week < first + shown else { return nil }
      return Cell(day: day, row: start + week * high, column: left + weekday * pitch)
    }
  }

  /// The row of the weekday names.
  var weekdaysRow: Int { hasTitle ? 1 : 0 }

  /// The column of a weekday.
  func column(_ weekday: Int) -> Int { left + weekday * (width + 1) }

  /// The day at a cell; nil if there is none.
  func day(row: Int, column: Int) -> Int? {
    cells.first { ($0.row..<$0.row + height).contains(row) && ($0.column..<$0.column + width).contains(column) }?.day
  }
}
