extension Update {
  /// The same changes as the standard library's difference of two collections: `previous.rows.applying(difference)` are
  /// the new rows. A row whose content changed is removed and inserted.
  public var difference: CollectionDifference<Row> {
    let old = previous.rows
    var changes: [CollectionDifference<Row>.Change] = []
    func remove(_ index: Int, to target: Int?) {
      changes.append(.remove(offset: index, element: old[index], associatedWith: target))
    }
    func insert(_ index: Int, from origin: Int?) {
      changes.append(.insert(offset: index, element: rows[index], associatedWith: origin))
    }
    for index in self.changes.deletions { remove(index, to: nil) }
    for index in self.changes.insertions { insert(index, from: nil) }
    for move in self.changes.moves {
      remove(move.from, to: move.to)
      insert(move.to, from: move.from)
    }
    let moved = Set(self.changes.moves.map(\.to))
    let updated = self.changes.updates.filter { !moved.contains($0) }
    if !updated.isEmpty {
      let indices = Dictionary(old.indices.map { (old[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
      for index in updated {
        guard let origin = indices[rows[index].id] else { continue }
        remove(origin, to: index)
        insert(index, from: origin)
      }
    }
    return CollectionDifference(changes) ?? rows.difference(from: old)
  }
}
