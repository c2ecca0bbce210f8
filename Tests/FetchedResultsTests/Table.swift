import FetchedResults
import Testing

/// Does with a delegate's calls what a table view does: it collects the changes, then removes by old indices and inserts
/// by new ones. It never reads the rows of the update.
struct Table: Sendable {
  typealias Part = (section: ListSection, rows: [Note])

  private(set) var parts: [Part] = []
  /// The kinds of the calls, in order.
  private(set) var calls: [String] = []
  private var sections: [(ListSection, SectionChange)] = []
  private var rows: [(Note, RowChange)] = []

  var ids: [[Int]] { parts.map { $0.rows.map(\.id) } }

  /// Whether it shows a reading.
  func shows(_ snapshot: Snapshot<Note>) -> Bool {
    parts.count == snapshot.sections.count
      && zip(parts, snapshot.sections).allSatisfy { part, section in
        part.section.id == section.id && part.section.name == section.name && part.section.count == section.count
          && part.rows == Array(snapshot.rows[section.rows])
      }
  }

  mutating func will() {
    calls = ["will"]
    (sections, rows) = ([], [])
  }

  mutating func section(_ section: ListSection, _ change: SectionChange) {
    calls.append("section")
    sections.append((section, change))
  }

  mutating func row(_ row: Note, _ change: RowChange) {
    calls.append("row")
    rows.append((row, change))
    if case .update(let from, _) = change {
      #expect(parts[from.section].rows[from.row].id == row.id)
    }
  }

  mutating func did() {
    calls.append("did")
    remove()
    insert()
  }

  private mutating func remove() {
    for path in removed.sorted(by: >) { parts[path.section].rows.remove(at: path.row) }
    for case (let section, .delete(let index)) in sections.sorted(by: { $0.1.index > $1.1.index }) {
      #expect(parts[index].section.id == section.id)
      #expect(parts.remove(at: index).rows.isEmpty, "a section that goes has no rows any more")
    }
  }

  private mutating func insert() {
    for case (let section, .insert(let index)) in sections.sorted(by: { $0.1.index < $1.1.index }) {
      parts.insert((section, []), at: index)
    }
    for case (let section, .update(let index)) in sections {
      #expect(parts[index].section.id == section.id)
      parts[index].section = section
    }
    for (row, path) in inserted.sorted(by: { $0.1 < $1.1 }) { parts[path.section].rows.insert(row, at: path.row) }
    for case (let row, .update(_, let path)) in rows {
      #expect(parts[path.section].rows[path.row].id == row.id)
      parts[path.section].rows[path.row] = row
    }
  }

  private var removed: [ListPath] {
    rows.compactMap { _, change in
      switch change {
      case .delete(let path), .move(let path, _): path
      case .insert, .update: nil
      }
    }
  }

  private var inserted: [(Note, ListPath)] {
    rows.compactMap { row, change in
      switch change {
      case .insert(let path), .move(_, let path): (row, path)
      case .delete, .update: nil
      }
    }
  }
}

extension SectionChange {
  fileprivate var index: Int {
    switch self {
    case .delete(let index), .insert(let index), .update(let index): index
    }
  }
}
