/// The calls that deliver one update to a delegate.
struct Delivery<Row: Identifiable & Equatable & Sendable>: Sendable {
  private let update: Update<Row>
  private(set) var sections: [(ListSection, SectionChange)] = []
  private(set) var rows: [(Row, RowChange)] = []

  init(_ update: Update<Row>) {
    self.update = update
    let (old, new, changes) = (update.previous, update.snapshot, update.changes)
    sections += changes.deletedSections.reversed().map { (old.sections[$0], .delete(at: $0)) }
    sections += changes.insertedSections.map { (new.sections[$0], .insert(at: $0)) }
    sections += changes.updatedSections.map { (new.sections[$0], .update(at: $0)) }
    rows += changes.deletions.reversed().compactMap { index in
      old.path(at: index).map { (old.rows[index], .delete(at: $0)) }
    }
    rows += changes.insertions.compactMap { index in new.path(at: index).map { (new.rows[index], .insert(at: $0)) } }
    rows += changes.moves.compactMap { move in
      Self.paths(move, old, new).map { (new.rows[move.to], .move(from: $0, to: $1)) }
    }
    rows += updated.compactMap { stay in
      Self.paths(stay, old, new).map { (new.rows[stay.to], .update(from: $0, to: $1)) }
    }
  }

  func deliver(to delegate: some FetchedResultsDelegate<Row>) {
    delegate.willChangeContent(update)
    for (section, change) in sections { delegate.didChange(section, change) }
    for (row, change) in rows { delegate.didChange(row, change) }
    delegate.didChangeContent(update)
  }

  /// Rows that were updated without moving. A row that moved is delivered once, as a move.
  private var updated: [ListChanges.Move] {
    guard !update.changes.updates.isEmpty else { return [] }
    let updates = Set(update.changes.updates)
    return update.changes.stays(oldCount: update.previous.rows.count).filter { updates.contains($0.to) }
  }

  private static func paths(
    _ move: ListChanges.Move, _ old: Snapshot<Row>, _ new: Snapshot<Row>
  ) -> (ListPath, ListPath)? {
    guard let from = old.path(at: move.from), let to = new.path(at: move.to) else { return nil }
    return (from, to)
  }
}
