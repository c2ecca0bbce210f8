import FoundationEssentials

/// The position of everything in a list, in lines from its beginning.
struct RowLayout: Sendable {
  /// What stands there.
  enum Content: Sendable, Equatable {
    case heading(Int)
    case post(Int)
    /// A gap.
    case gap(Int)
    /// A row that is sliding out.
    case leaving(Int)
    case tail
  }

  /// A range of lines.
  struct Item: Sendable, Equatable {
    let content: Content
    let top: Int
    let height: Int
    /// The index among posts side by side.
    var column = 0
  }

  private(set) var items: [Item] = []
  private(set) var height = 0

  /// The lines of a list. Includes rows that slide out if a time is given.
  init(_ reading: ListReading, _ metrics: Metrics, motions: [Motion] = [], at now: Date? = nil) {
    var headings: [Int: Int] = [:]
    for (number, section) in reading.sections.enumerated() { headings[section.rows.lowerBound] = number }
    var breaks = reading.breaks.indices[...]
    items.reserveCapacity(reading.rows.count + reading.sections.count + reading.breaks.count + 1)
    // Only the row's index is needed: copying the row out costs more than everything else here.
    for index in reading.rows.indices {
      let number = headings[index]
      if let now { add(motions, before: reading.rows[index].id, ofItsDay: number == nil ? nil : false, metrics, now) }
      while let next = breaks.first, reading.breaks[next].row == index { add(.gap(breaks.removeFirst()), 1) }
      if let number {
        add(.heading(number), metrics.headingHeight)
        if let now { add(motions, before: reading.rows[index].id, ofItsDay: true, metrics, now) }
      }
      add(post: index, of: reading, metrics)
    }
    if let now { add(motions, before: nil, ofItsDay: nil, metrics, now) }
    for left in breaks { add(.gap(left), 1) }
    if !reading.rows.isEmpty { add(.tail, 1) }
  }

  /// The lines of a row; nil if there is no such row.
  func item(ofRow row: Int) -> Item? { items.first { $0.content == .post(row) } }

  /// The heading directly above a row, if the row is the first of its day.
  func heading(above row: Int) -> Item? {
    guard let post = item(ofRow: row), let first = items.firstIndex(where: { $0.top == post.top }), first > 0,
      case .heading = items[first - 1].content
    else { return nil }
    return items[first - 1]
  }

  /// The row at a line and, in a grid, a column; nil if there is none.
  func row(atLine line: Int, column: Int = 0) -> Int? {
    for item in items where line >= item.top && line < item.top + item.height && item.column == column {
      if case .post(let row) = item.content { return row }
    }
    return nil
  }

  /// The row this many lines below; a different row if there is one.
  func row(_ lines: Int, from index: Int) -> Int {
    guard let start = item(ofRow: index)?.top else { return index }
    let rows = items.compactMap { item -> (row: Int, top: Int)? in
      if case .post(let row) = item.content { (row, item.top) } else { nil }
    }
    let reached = lines > 0 ? rows.last { $0.top <= start + lines } : rows.first { $0.top >= start + lines }
    let row = reached?.row ?? index
    return row == index ? index + lines.signum() : row
  }

  /// The gap at a line; nil if there is none.
  func gap(atLine line: Int) -> Int? {
    for case .gap(let gap) in items.filter({ $0.top == line }).map(\.content) { return gap }
    return nil
  }

  /// A post beside the previous one, if that is a post and there is room.
  private mutating func add(post index: Int, of reading: ListReading, _ metrics: Metrics) {
    if let last = items.last, case .post = last.content, last.column + 1 < metrics.across {
      items.append(Item(content: .post(index), top: last.top, height: last.height, column: last.column + 1))
    } else {
      add(.post(index), reading.height(ofRow: index, metrics))
    }
  }

  private mutating func add(_ content: Content, _ lines: Int) {
    items.append(Item(content: content, top: height, height: lines))
    height += lines
  }

  /// The rows that slide out above a post: all, only those of its day, or only those of other days.
  private mutating func add(
    _ motions: [Motion], before id: Int64?, ofItsDay: Bool?, _ metrics: Metrics, _ now: Date
  ) {
    for (number, motion) in motions.enumerated() {
      guard case .leaving(let post, before: id, let isOfItsDay) = motion.kind, ofItsDay ?? isOfItsDay == isOfItsDay
      else { continue }
      let lines = motion.height(of: metrics.isGrid ? metrics.postHeight : post.height(metrics), at: now)
      if lines > 0 { add(.leaving(number), lines) }
    }
  }
}
