/// A consistent reading of a window.
///
/// The ids of its rows are expected to be different from each other: a row that stands in several sections needs an id
/// for each. Where they are not, nothing breaks: the second row of an id is paired with the second one of it, and so on.
public struct Snapshot<Row: Identifiable & Equatable & Sendable>: Sendable, Equatable {
  /// The rows of the window, in order.
  public let rows: [Row]
  /// The sections of the window, in order. Each row stands in exactly one of them.
  public let sections: [ListSection]
  /// How many rows the whole list holds.
  public let total: Total
  /// Whether the list has rows before those of the window.
  public let hasMoreBefore: Bool
  /// Whether the list has rows after those of the window.
  public let hasMoreAfter: Bool

  /// A reading from its parts.
  ///
  /// A list that is not grouped, for which no sections are given, is one section without a name. So is one whose
  /// sections do not take all the rows, one section after the other: wrong sections must not put rows in wrong places.
  public init(
    rows: [Row],
    sections: [ListSection]? = nil,
    total: Total,
    hasMoreBefore: Bool = false,
    hasMoreAfter: Bool = false
  ) {
    self.rows = rows
    if let sections, Self.coversAll(rows.count, sections) {
      self.sections = sections
    } else {
      self.sections = [ListSection(id: "", name: "", count: total, rows: rows.indices)]
    }
    self.total = total
    self.hasMoreBefore = hasMoreBefore
    self.hasMoreAfter = hasMoreAfter
  }

  /// What is seen before anything is read: nothing, not even a section.
  public static var empty: Self { Self(rows: [], sections: [], total: .exactly(0)) }

  /// The row at a path; nil where there is none.
  public subscript(path: ListPath) -> Row? {
    guard sections.indices.contains(path.section) else { return nil }
    let places = sections[path.section].rows
    guard path.row >= 0, path.row < places.count else { return nil }
    return rows[places.lowerBound + path.row]
  }

  /// The path of a place among the rows; nil where there is none.
  public func path(at place: Int) -> ListPath? {
    guard rows.indices.contains(place) else { return nil }
    var (low, high) = (0, sections.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].rows.upperBound > place { high = middle } else { low = middle + 1 }
    }
    return ListPath(section: low, row: place - sections[low].rows.lowerBound)
  }

  /// The path of a row; nil where the window does not hold it. It looks through the window, row by row.
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
