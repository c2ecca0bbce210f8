extension ListChanges {
  /// The new list, made of the old one's rows and of those of the new one that came or were updated. Both must be the
  /// lists that the changes were made from.
  public func applying<Row>(to old: [Row], with new: [Row]) -> [Row] {
    var rows: [Row?] = Array(repeating: nil, count: old.count - deletions.count + insertions.count)
    for place in insertions { rows[place] = new[place] }
    for move in moves { rows[move.to] = old[move.from] }
    for stay in stays(oldCount: old.count) { rows[stay.to] = old[stay.from] }
    for place in updates { rows[place] = new[place] }
    return rows.compactMap(\.self)
  }

  /// The rows that neither left, came nor moved, by their old and new places, rising. `oldCount` is the length of the
  /// old list.
  public func stays(oldCount: Int) -> [Move] {
    let left = Set(deletions).union(moves.map(\.from))
    let came = Set(insertions).union(moves.map(\.to))
    let newCount = oldCount - deletions.count + insertions.count
    let from = (0..<oldCount).lazy.filter { !left.contains($0) }
    let to = (0..<newCount).lazy.filter { !came.contains($0) }
    return zip(from, to).map(Move.init)
  }
}
