import FetchedResults
import Testing

struct SnapshotTests {
  private let rows = (1...4).map { Note(id: $0) }

  private func section(_ id: String, _ rows: Range<Int>) -> ListSection {
    ListSection(id: id, name: id, count: .moreThan(7), rows: rows)
  }

  @Test func `a list that is not grouped is one section without a name, even an empty one`() {
    let full = Snapshot(rows: rows, total: .exactly(9))
    #expect(full.sections == [ListSection(id: "", name: "", count: .exactly(9), rows: 0..<4)])
    #expect(Snapshot<Note>(rows: [], total: .exactly(0)).sections.count == 1)
  }

  @Test func `a grouped list without rows has no section`() {
    #expect(Snapshot<Note>(rows: [], sections: [], total: .exactly(0)).sections.isEmpty)
  }

  @Test(arguments: [[], [0..<3], [1..<4], [0..<2, 3..<4], [0..<3, 2..<4], [0..<5], [2..<4, 0..<2], [-1..<4]])
  func `sections that do not cover the rows consecutively are ignored`(ranges: [Range<Int>]) {
    let sections = ranges.map { section("\($0)", $0) }
    #expect(Snapshot(rows: rows, sections: sections, total: .exactly(4)).sections.map(\.rows) == [0..<4])
  }

  @Test func `every row has a path, and the path leads to it`() {
    let ranges = [0..<0, 0..<1, 1..<1, 1..<4, 4..<4]
    let sections = ranges.enumerated().map { section("\($0)", $1) }
    let snapshot = Snapshot(rows: rows, sections: sections, total: .exactly(4))
    #expect(snapshot.sections == sections)
    let paths = rows.indices.map { snapshot.path(at: $0) }
    let expected = [(1, 0), (3, 0), (3, 1), (3, 2)].map { ListPath(section: $0.0, row: $0.1) }
    #expect(paths == expected)
    #expect(expected == expected.sorted())
    #expect(rows.map { snapshot.path(of: $0.id) } == paths)
    #expect(expected.map { snapshot[$0] } == rows)
  }

  @Test func `an index without a row has no path, and a path without a row has no row`() {
    let snapshot = Snapshot(rows: rows, sections: [section("a", 0..<1), section("b", 1..<4)], total: .exactly(4))
    #expect(snapshot.path(at: -1) == nil)
    #expect(snapshot.path(at: 4) == nil)
    #expect(snapshot.path(of: 5) == nil)
    for (section, row) in [(-1, 0), (0, 1), (0, -1), (1, 3), (2, 0)] {
      #expect(snapshot[ListPath(section: section, row: row)] == nil)
    }
  }

  @Test func `negative counts of a window become 0`() {
    let window = Window<Int>(before: -1, after: -7)
    #expect((window.before, window.after) == (0, 0))
  }
}
