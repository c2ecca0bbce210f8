/// The posts on which marks and deletes act, if they are not to act on the post under the cursor alone.
struct PostSelection: Sendable, Equatable {
  private(set) var ids: Set<Int64> = []
  /// The post that was selected last, from which a range goes on.
  private var last: Int64?
  /// What was asked of the store and is not answered: until then nobody knows what is selected.
  private(set) var asked: [MemberRead] = []
  /// Whether a key of the person changed posts since: then it may be why they leave the list.
  private(set) var isUsed = false
  /// Whether all that was selected left the list, and no key was pressed since.
  var isLost = false

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: Int64) -> Bool { ids.contains(id) }

  /// Selects a post, or no longer.
  mutating func toggle(_ id: Int64) {
    isUsed = false
    if ids.remove(id) == nil {
      ids.insert(id)
      last = id
    } else if last == id {
      last = nil
    }
  }

  /// Selects all rows from the post that was selected last to this one.
  ///
  /// - Returns: What is read for it: that post may no longer be among the rows.
  mutating func extend(to index: Int, of rows: [ListRow]) -> [Effect] {
    let id = rows[index].id
    let first = last ?? id
    last = id
    guard let start = rows.firstIndex(where: { $0.id == first }) else { return ask(.range(first, id)) }
    isUsed = false
    ids.formUnion(rows[min(start, index)...max(start, index)].map(\.id))
    return []
  }

  /// Asks the store which posts are selected, or are still.
  mutating func ask(_ read: MemberRead) -> [Effect] {
    asked.append(read)
    return [.read(.members(read))]
  }

  /// Takes an answer, unless nothing is to be selected any more since it was asked for.
  mutating func take(_ posts: [Int64], _ read: MemberRead) {
    guard let index = asked.firstIndex(of: read) else { return }
    asked.remove(at: index)
    if case .among(let asked) = read {
      ids.subtract(asked.subtracting(posts))
    } else {
      isUsed = false
      ids.formUnion(posts)
    }
  }

  mutating func use() { isUsed = true }

  mutating func clear() { self = PostSelection() }

  /// The posts in the order of the rows; those of which no row was read stand last, in any order.
  func ordered(by rows: [ListRow]) -> [Int64] {
    let shown = rows.map(\.id).filter(ids.contains)
    return shown.count == ids.count ? shown : shown + ids.subtracting(shown).sorted()
  }

  /// Forgets posts that left the list. Those that only left the window stay.
  ///
  /// - Returns: What is read for it: where posts are selected without a row, nobody knows which of them left, too.
  mutating func settle(from old: ListReading, to new: ListReading) -> [Effect] {
    guard !ids.isEmpty else { return [] }
    let remaining = Set(new.rows.map(\.id))
    let left = old.rows.filter { ids.contains($0.id) && !remaining.contains($0.id) && new.spans($0) }.map(\.id)
    guard !left.isEmpty else { return [] }
    ids.subtract(left)
    let others = ids.subtracting(remaining)
    return others.isEmpty ? [] : ask(.among(others))
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
