/// Where the month and the hours of its selected day stand on the screen: side by side or below each other where there is
/// room, else one of them.
struct CalendarPanes: Sendable, Equatable {
  /// A part of the screen.
  struct Pane: Sendable, Equatable {
    let row: Int, column: Int, rows: Int, columns: Int

    /// The size of the day's table in it.
    ///
    /// - Parameter label: The columns of an hour's name.
    func table(label: Int) -> DayTable.Size {
      DayTable.Size(rows: max(1, rows - head), columns: max(1, columns - indent(label: label) - 1))
    }

    /// The rows above the hours.
    var head: Int { rows >= 3 ? 1 : 0 }
    /// Whether the hours are named; the narrowest screens have no room.
    var isLabelled: Bool { columns >= 30 }
    /// Whether the hours are named as ranges.
    var hasRanges: Bool { columns >= 45 }

    /// The column at which entries and posts begin.
    func indent(label: Int) -> Int { isLabelled ? 2 + (hasRanges ? label : 6) : 1 }

    /// A position of the screen in this pane; nil if it is beside it.
    func local(row: Int, column: Int) -> (row: Int, column: Int)? {
      let (row, column) = (row - self.row, column - self.column)
      return (0..<rows).contains(row) && (0..<columns).contains(column) ? (row, column) : nil
    }
  }

  /// The month; nil if only the hours are shown.
  let month: Pane?
  /// The hours; nil if only the month is shown.
  let day: Pane?

  /// Whether both are shown.
  var areBoth: Bool { month != nil && day != nil }

  /// The panes of a screen.
  init(columns: Int, rows: Int, isInDay: Bool) {
    if columns >= Self.leastBeside, rows >= 8 {
      let width = min(64, max(30, columns * 3 / 8))
      month = Pane(row: 0, column: 0, rows: rows, columns: width)
      day = Pane(row: 0, column: width + 1, rows: rows, columns: columns - width - 1)
    } else if columns >= 30, rows >= Self.leastBelow {
      month = Pane(row: 0, column: 0, rows: Self.monthRows, columns: columns)
      day = Pane(row: Self.monthRows + 1, column: 0, rows: rows - Self.monthRows - 1, columns: columns)
    } else {
      let whole = Pane(row: 0, column: 0, rows: rows, columns: columns)
      (month, day) = isInDay ? (nil, whole) : (whole, nil)
    }
  }

  /// The title, the weekdays, and six weeks.
  private static let monthRows = 8
  private static let (leastBeside, leastBelow) = (72, 20)
}
