import FoundationEssentials

/// A consistent reading of a window.
///
/// The ids of its rows should be distinct: a row that is in several sections needs an id for each. Duplicates do no harm:
/// the second row with an id is paired with the second one with that id in the other reading, and so on.
public struct Snapshot<Row: Identifiable & Equatable & Sendable>: Sendable, Equatable {
  /// The rows of the window, in order.
  public let rows: [Row]
  /// The sections of the window, in order. Each row is in exactly one of them.
  public let sections: [ListSection]
  /// The number of rows in the whole list.
  public let total: Total
  /// How many rows the list leaves out because they are hidden.
  public let hidden: Total
  /// Whether the list has rows before those of the window.
  public let hasMoreBefore: Bool
  /// Whether the list has rows after those of the window.
  public let hasMoreAfter: Bool
  /// Up to when a list that begins with the newest was looked through, where that is not all of it yet; nil for the whole
  /// list.
  public let lookedTo: Date?

  /// Creates a reading of the rows of a window.
  ///
  /// Without sections, the list is not grouped and is one section without a name. The same applies if the sections do
  /// not cover all rows consecutively: wrong sections must not put rows in wrong positions.
  public init(
    rows: [Row],
    sections: [ListSection]? = nil,
    total: Total,
    hidden: Total = .exactly(0),
    hasMoreBefore: Bool = false,
    hasMoreAfter: Bool = false,
    lookedTo: Date? = nil
  ) {
    self.rows = rows
    if let sections, Self.coversAll(rows.count, sections) {
      self.sections = sections
    } else {
      self.sections = [ListSection(id: "", name: "", count: total, rows: rows.indices)]
    }
    self.total = total
    self.hidden = hidden
    self.hasMoreBefore = hasMoreBefore
    self.hasMoreAfter = hasMoreAfter
    self.lookedTo = lookedTo
  }

  /// The state before the first reading: no rows and no sections.
  public static var empty: Self { Self(rows: [], sections: [], total: .exactly(0)) }

  /// The row at a path; nil if there is none.
  public subscript(path: ListPath) -> Row? {
    guard sections.indices.contains(path.section) else { return nil }
    let range = sections[path.section].rows
    guard path.row >= 0, path.row < range.count else { return nil }
    return rows[range.lowerBound + path.row]
  }

  /// The path of an index among the rows; nil if the index is out of range.
  public func path(at index: Int) -> ListPath? {
    guard rows.indices.contains(index) else { return nil }
    var (low, high) = (0, sections.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].rows.upperBound > index { high = middle } else { low = middle + 1 }
    }
    return ListPath(section: low, row: index - sections[low].rows.lowerBound)
  }

  /// The path of a row; nil if the window does not contain it. Searches linearly.
  public func path(of id: Row.ID) -> ListPath? { rows.firstIndex { $0.id == id }.flatMap(path(at:)) }

  private static func coversAll(_ count: Int, _ sections: [ListSection]) -> Bool {
    var end = 0
    for section in sections {
      guard section.rows.lowerBound == end else { return false }
      end = section.rows.upperBound
    }
    return end == count
  }
}
