/// Consecutive rows under one name.
public struct ListSection: Hashable, Sendable, Identifiable {
  /// The section's key. It does not change with the name.
  public let id: String
  /// The name that people read. The one section of a list that is not grouped has an empty name.
  public let name: String
  /// The number of its rows in the whole list, not only in the window.
  public let count: Total
  /// The indices of its rows among the rows of the window.
  public let rows: Range<Int>

  /// Creates a section of `count` posts, of which the window holds `rows`.
  public init(id: String, name: String, count: Total, rows: Range<Int>) {
    self.id = id
    self.name = name
    self.count = count
    self.rows = rows
  }
}

/// A row's position within the sections of a window.
public struct ListPath: Hashable, Sendable, Comparable {
  /// The section's index among the window's sections.
  public let section: Int
  /// The row's index among the section's rows in the window.
  public let row: Int

  /// Creates the path of a row in a section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether the first is above the second.
  public static func < (first: Self, second: Self) -> Bool {
    (first.section, first.row) < (second.section, second.row)
  }
}
