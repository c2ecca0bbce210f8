/// A change of a section. Deletions have indices in the old list's sections, the others in the new list's.
public enum SectionChange: Hashable, Sendable {
  /// It was removed, or is inserted elsewhere.
  case delete(at: Int)
  /// It is new, or was deleted elsewhere.
  case insert(at: Int)
  /// It stayed, and its name or count changed.
  case update(at: Int)
}

/// A change of a row. Deleted and moved-from paths are paths in the old list, before any change. The others are paths in
/// the new list, after all changes.
public enum RowChange: Hashable, Sendable {
  /// It was removed.
  case delete(at: ListPath)
  /// It is new.
  case insert(at: ListPath)
  /// It moved, and its content may have changed too.
  case move(from: ListPath, to: ListPath)
  /// Its content changed, and it did not move. `from` is its path in the old list: other insertions and deletions may
  /// have shifted it.
  case update(from: ListPath, to: ListPath)
}

/// Receives the changes of a list one by one.
///
/// All calls for one update come together, with nothing else in between on the chosen actor or queue, in this order:
/// `willChangeContent`; sections deleted, inserted and updated; rows deleted, inserted, moved and updated;
/// `didChangeContent`. Deletions come from the last index to the first, the rest from the first to the last. A delegate
/// gets the new list if it removes deleted and moved-from rows, then deleted sections, and then adds inserted sections,
/// then inserted and moved-to rows.
///
/// The first update is from the empty list, which has no section, to the current one.
public protocol FetchedResultsDelegate<Row>: AnyObject {
  /// The rows of the list.
  associatedtype Row: Identifiable & Equatable & Sendable

  /// The list is about to change.
  func willChangeContent(_ update: Update<Row>)
  /// A section changed. A deleted section is passed as it was, any other as it is now.
  func didChange(_ section: ListSection, _ change: SectionChange)
  /// A row changed. A deleted row is passed as it was, any other as it is now.
  func didChange(_ row: Row, _ change: RowChange)
  /// All changes were delivered.
  func didChangeContent(_ update: Update<Row>)
  /// The observation failed. The list stays as it is until `performFetch` updates it.
  func didFail(_ error: any Error)
}

extension FetchedResultsDelegate {
  /// Does nothing.
  public func willChangeContent(_ update: Update<Row>) {}
  /// Does nothing.
  public func didChange(_ section: ListSection, _ change: SectionChange) {}
  /// Does nothing.
  public func didChange(_ row: Row, _ change: RowChange) {}
  /// Does nothing.
  public func didChangeContent(_ update: Update<Row>) {}
  /// Does nothing.
  public func didFail(_ error: any Error) {}
}
