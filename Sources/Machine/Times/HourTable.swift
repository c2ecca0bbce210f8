import FoundationEssentials

/// Where a day's entries stand in the table of its hours. Entries at the same time stand side by side, in as few columns as
/// possible; an entry fills every hour that it covers. A list of moments, such as posts, has no place in it.
package struct HourTable: Sendable, Equatable {
  /// An entry in the table.
  package struct Block: Sendable, Equatable {
    /// Its index among the entries given.
    package let entry: Int
    /// The hours that it covers, by their indices. An entry that ends where an hour begins does not cover that hour.
    package let hours: Range<Int>
    /// Its column.
    package let column: Int
    /// The number of columns of the group that it belongs to.
    package fileprivate(set) var columns = 1
    /// Whether it begins before the table, and whether it ends after it.
    package let beginsBefore: Bool, endsAfter: Bool
  }

  /// A line of an hour, with the columns of one group of entries that overlap each other.
  package struct Line: Sendable, Equatable {
    /// The index of the block that stands in each column; nil where none does.
    package let cells: [Int?]
  }

  /// The entries that have a place in the table, by their start.
  package let blocks: [Block]
  /// The lines of each hour, from top to bottom. Entries of one column that share an hour get a line each.
  package let lines: [[Line]]

  /// The table of some hours.
  ///
  /// - Parameters:
  ///   - hours: The hours, each beginning where the one before ends.
  ///   - entries: The times of entries. Those without a length, and those beside the hours, get no place.
  package init(hours: [DateInterval], entries: [DateInterval]) {
    let placed = Self.placed(entries, in: hours).sorted { one, other in
      (one.time.start, other.time.duration, one.entry) < (other.time.start, one.time.duration, other.entry)
    }
    let groups = Self.groups(of: placed)
    blocks = groups.flatMap { Self.blocks(of: $0, in: hours) }
    var (first, ranges) = (0, [Range<Int>]())
    for group in groups {
      ranges.append(first..<first + group.count)
      first += group.count
    }
    let blocks = blocks
    lines = hours.indices.map { hour in ranges.flatMap { Self.lines(of: hour, blocks, among: $0) } }
  }

  private struct Placed {
    let entry: Int
    let time: DateInterval
    let hours: Range<Int>
  }

  private static func placed(_ entries: [DateInterval], in hours: [DateInterval]) -> [Placed] {
    entries.enumerated().compactMap { entry, time in
      guard time.duration > 0, let first = hours.firstIndex(where: { $0.end > time.start }),
        let last = hours.lastIndex(where: { $0.start < time.end }), first <= last
      else { return nil }
      return Placed(entry: entry, time: time, hours: first..<last + 1)
    }
  }

  /// The groups of entries of which each overlaps another, directly or through others.
  private static func groups(of placed: [Placed]) -> [[Placed]] {
    var (groups, end) = ([[Placed]](), Date.distantPast)
    for one in placed {
      if groups.isEmpty || one.time.start >= end { groups.append([]) }
      groups[groups.count - 1].append(one)
      end = max(end, one.time.end)
    }
    return groups
  }

  /// Gives each entry the first column that is free. In the order of their starts this needs no more columns than there
  /// are entries at once.
  private static func blocks(of group: [Placed], in hours: [DateInterval]) -> [Block] {
    var ends: [Date] = []
    var blocks = group.map { one in
      let column = ends.firstIndex { $0 <= one.time.start } ?? ends.count
      if column == ends.count { ends.append(one.time.end) } else { ends[column] = one.time.end }
      return Block(
        entry: one.entry, hours: one.hours, column: column, beginsBefore: one.time.start < hours[0].start,
        endsAfter: one.time.end > hours[hours.count - 1].end)
    }
    for index in blocks.indices { blocks[index].columns = ends.count }
    return blocks
  }

  private static func lines(of hour: Int, _ blocks: [Block], among group: Range<Int>) -> [Line] {
    let present = group.filter { blocks[$0].hours.contains(hour) }
    guard let first = present.first else { return [] }
    let columns = (0..<blocks[first].columns).map { column in present.filter { blocks[$0].column == column } }
    // An entry fills the lines that the others of its column leave.
    return (0..<(columns.map(\.count).max() ?? 0)).map { line in
      Line(cells: columns.map { $0.isEmpty ? nil : $0[min(line, $0.count - 1)] })
    }
  }
}
