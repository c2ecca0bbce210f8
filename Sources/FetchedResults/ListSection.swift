/// Rows that stand together under one name.
public struct ListSection: Hashable, Sendable, Identifiable {
  /// The section's key: it stays while the section does, whatever it is called.
  public let id: String
  /// What people read; empty for the one section of a list that is not grouped.
  public let name: String
  /// How many rows it holds in the whole list, not in the window alone.
  public let count: Total
  /// Where its rows stand among the rows of the window.
  public let rows: Range<Int>

  /// A section from its parts.
  public init(id: String, name: String, count: Total, rows: Range<Int>) {
    self.id = id
    self.name = name
    self.count = count
    self.rows = rows
  }
}

/// A row's place within the sections of a window.
public struct ListPath: Hashable, Sendable, Comparable {
  /// The section's place among the window's sections.
  public let section: Int
  /// The row's place among the section's rows in the window.
  public let row: Int

  /// A path from its parts.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Whether the first stands above the second.
  public static func < (first: Self, second: Self) -> Bool {
    (first.section, first.row) < (second.section, second.row)
  }
}
