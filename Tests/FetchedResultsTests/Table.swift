import FetchedResults
import Testing

/// What a table view does with a delegate's calls: it gathers the changes, then takes out by old places and puts in by
/// new ones. It never looks at the rows of the update.
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
    takeOut()
    putIn()
  }

  private mutating func takeOut() {
    for path in leaving.sorted(by: >) { parts[path.section].rows.remove(at: path.row) }
    for case (let section, .delete(let place)) in sections.sorted(by: { $0.1.place > $1.1.place }) {
      #expect(parts[place].section.id == section.id)
      #expect(parts.remove(at: place).rows.isEmpty, "a section that goes has no rows any more")
    }
  }

  private mutating func putIn() {
    for case (let section, .insert(let place)) in sections.sorted(by: { $0.1.place < $1.1.place }) {
      parts.insert((section, []), at: place)
    }
    for case (let section, .update(let place)) in sections {
      #expect(parts[place].section.id == section.id)
      parts[place].section = section
    }
    for (row, path) in coming.sorted(by: { $0.1 < $1.1 }) { parts[path.section].rows.insert(row, at: path.row) }
    for case (let row, .update(_, let path)) in rows {
      #expect(parts[path.section].rows[path.row].id == row.id)
      parts[path.section].rows[path.row] = row
    }
  }

  private var leaving: [ListPath] {
    rows.compactMap { _, change in
      switch change {
      case .delete(let path), .move(let path, _): path
      case .insert, .update: nil
      }
    }
  }

  private var coming: [(Note, ListPath)] {
    rows.compactMap { row, change in
      switch change {
      case .insert(let path), .move(_, let path): (row, path)
      case .delete, .update: nil
      }
    }
  }
}

extension SectionChange {
  fileprivate var place: Int {
    switch self {
    case .delete(let place), .insert(let place), .update(let place): place
    }
  }
}
