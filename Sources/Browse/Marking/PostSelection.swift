import MediaLibrary

/// The posts on which marks and deletes act, if they are not to act on the post under the cursor alone.
struct PostSelection: Sendable, Equatable {
  private(set) var ids: Set<Int64> = []
  /// The post that was selected last, from which a range goes on.
  private var last: Int64?

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: Int64) -> Bool { ids.contains(id) }

  /// Selects a post, or no longer.
  mutating func toggle(_ id: Int64) {
    if ids.remove(id) == nil {
      ids.insert(id)
      last = id
    } else if last == id {
      last = nil
    }
  }

  /// Selects all rows from the one that was selected last to this one.
  mutating func extend(to index: Int, of rows: [ListRow]) {
    let start = last.flatMap { id in rows.firstIndex { $0.id == id } } ?? index
    ids.formUnion(rows[min(start, index)...max(start, index)].map(\.id))
    last = rows[index].id
  }

  mutating func add(_ more: [Int64]) { ids.formUnion(more) }

  mutating func clear() { self = PostSelection() }

  /// The posts in the order of the rows; those of which no row was read stand last.
  func ordered(by rows: [ListRow]) -> [Int64] {
    let shown = rows.map(\.id).filter(ids.contains)
    return shown.count == ids.count ? shown : shown + ids.subtracting(shown).sorted()
  }

  /// Forgets posts that left the list. Those that only left the window stay. But if posts are selected of which no row was
  /// read, nobody knows which of them left, too: nothing is selected then, rather than posts that nobody sees.
  mutating func settle(from old: ListReading, to new: ListReading) {
    guard !ids.isEmpty else { return }
    let remaining = Set(new.rows.map(\.id))
    let left = old.rows.filter { ids.contains($0.id) && !remaining.contains($0.id) && new.spans($0) }.map(\.id)
    guard !left.isEmpty else { return }
    if ids.isSubset(of: old.rows.map(\.id)) { ids.subtract(left) } else { clear() }
  }
}

extension ListReading {
  /// Whether a post would be among the rows if it were on the list.
  fileprivate func spans(_ row: ListRow) -> Bool {
    // Another order than that of time tells where a post stood only if all of it is read.
    if isSorted { return !hasMoreBefore && !hasMoreAfter }
    let key = (row.createdAt, row.id)
    let isBelowTop = !hasMoreBefore || rows.first.map { key < ($0.createdAt, $0.id) } ?? true
    let isAboveEnd = !hasMoreAfter || rows.last.map { key > ($0.createdAt, $0.id) } ?? true
    return isBelowTop && isAboveEnd
  }
}
