extension ListChanges {
  /// Applies the changes to the old list. Both lists must be those from which the changes were computed.
  ///
  /// - Parameters:
  ///   - old: The old list.
  ///   - new: The new list. Only its inserted and updated rows are read.
  /// - Returns: The new list.
  public func applying<Row>(to old: [Row], with new: [Row]) -> [Row] {
    var rows: [Row?] = Array(repeating: nil, count: old.count - deletions.count + insertions.count)
    for index in insertions { rows[index] = new[index] }
    for move in moves { rows[move.to] = old[move.from] }
    for stay in stays(oldCount: old.count) { rows[stay.to] = old[stay.from] }
    for index in updates { rows[index] = new[index] }
    return rows.compactMap(\.self)
  }

  /// The rows that were neither deleted, inserted nor moved, by their old and new indices, ascending.
  ///
  /// - Parameter oldCount: The length of the old list.
  public func stays(oldCount: Int) -> [Move] {
    let removed = Set(deletions).union(moves.map(\.from))
    let added = Set(insertions).union(moves.map(\.to))
    let newCount = oldCount - deletions.count + insertions.count
    let from = (0..<oldCount).lazy.filter { !removed.contains($0) }
    let to = (0..<newCount).lazy.filter { !added.contains($0) }
    return zip(from, to).map(Move.init)
  }
}
