import MediaLibrary

// The lines of a day's table, for a screen of a given size.

extension DayTable {
  /// The size of the table on the screen.
  struct Size: Sendable, Equatable {
    let rows: Int
    /// The columns of entries and posts, without those of the hours.
    let columns: Int

    /// The fewest columns that show a time and the beginning of a name.
    private static let leastOfBlock = 12

    /// How many blocks stand side by side in one line. Further ones are in lines below.
    func across(_ columns: Int) -> Int { min(columns, max(1, (self.columns + 1) / (Self.leastOfBlock + 1))) }
  }

  /// The content of one line.
  enum Line: Sendable, Equatable {
    /// An hour in which nothing stands.
    case hour(Int)
    /// Blocks side by side, each in its cell, some cells being empty.
    case blocks(Int, [Int?])
    /// The number of posts of an hour that are not shown.
    case more(Int, Total)
    case post(Int, ListRow)

    /// The hour.
    var hour: Int {
      switch self {
      case .hour(let hour), .blocks(let hour, _), .more(let hour, _), .post(let hour, _): hour
      }
    }
  }

  /// The lines, from top to bottom.
  func lines(_ size: Size) -> [Line] {
    hours.indices.flatMap { hour -> [Line] in
      let blocks = self.blocks.lines[hour].flatMap { line -> [Line] in
        let across = size.across(line.cells.count)
        return stride(from: 0, to: line.cells.count, by: across).map { first in
          let cells = Array(line.cells[first..<min(first + across, line.cells.count)])
          return .blocks(hour, cells + Array(repeating: nil, count: across - cells.count))
        }
      }
      // The newest posts are shown; the older ones are left out.
      let more = more(in: hour).map { [Line.more(hour, $0)] } ?? []
      let lines = blocks + more + posts(of: hour).map { .post(hour, $0) }
      return lines.isEmpty ? [.hour(hour)] : lines
    }
  }

  /// Whether a line shows what the cursor is on.
  func holdsCursor(_ line: Line) -> Bool {
    guard line.hour == hour else { return false }
    switch line {
    case .hour, .more: return selected == nil
    case .post(_, let row): return row.id == selected
    case .blocks(_, let cells):
      return selected == nil || cells.contains { cell in cell.map { row(of: $0).id } == selected }
    }
  }

  /// The entry of a block.
  func row(of block: Int) -> ListRow { entries[blocks.blocks[block].entry] }

  /// Puts the cursor on what a line shows.
  ///
  /// - Parameter column: The column of the entries and posts that is pointed at.
  mutating func select(_ line: Line, column: Int, _ size: Size) {
    switch line {
    case .hour(let hour), .more(let hour, _): select(hour: hour)
    case .post(_, let row): select(row.id)
    case .blocks(let hour, let cells):
      let width = Self.width(of: cells, size)
      let cell = column >= 0 ? column / (width + 1) : -1
      if cells.indices.contains(cell), let block = cells[cell] { select(row(of: block).id) } else { select(hour: hour) }
    }
  }

  /// The columns of each of the blocks of a line, without the blank one after it.
  static func width(of cells: [Int?], _ size: Size) -> Int { max(1, (size.columns + 1) / max(1, cells.count) - 1) }
}
