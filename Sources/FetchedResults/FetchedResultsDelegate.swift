/// What happened to a section. Deleted places are places in the old list's sections, the others in the new list's.
public enum SectionChange: Hashable, Sendable {
  /// It is gone, or will be inserted elsewhere.
  case delete(at: Int)
  /// It came, or was deleted elsewhere.
  case insert(at: Int)
  /// It stayed and has another name or count.
  case update(at: Int)
}

/// What happened to a row. Deleted and moved-from paths are paths in the old list, before any change, the others in the
/// new one, after all changes.
public enum RowChange: Hashable, Sendable {
  /// It is gone.
  case delete(at: ListPath)
  /// It came.
  case insert(at: ListPath)
  /// It went elsewhere, and may look different there.
  case move(from: ListPath, to: ListPath)
  /// It did not move, and looks different. `from` is its path in the old list, which others' coming and going changed.
  case update(from: ListPath, to: ListPath)
}

/// Who is told of a list's changes one by one.
///
/// All calls for one change come in one go, without anything between them on the actor or queue that was chosen, and in
/// this order: `willChangeContent`; sections deleted, inserted and updated; rows deleted, inserted, moved and updated;
/// `didChangeContent`. Deletions come from the last place to the first, the rest from the first to the last. So a
/// delegate that takes out deleted and moved-from rows, then deleted sections, puts in inserted sections, then inserted
/// and moved-to rows, ends with the new list.
///
/// The first change it is told of is from the empty list, which has no section, to the present one.
public protocol FetchedResultsDelegate<Row>: AnyObject {
  /// The rows of the list.
  associatedtype Row: Identifiable & Equatable & Sendable

  /// The list is about to change.
  func willChangeContent(_ update: Update<Row>)
  /// A section changed: as it was where it is deleted, else as it is.
  func didChange(_ section: ListSection, _ change: SectionChange)
  /// A row changed: as it was where it is deleted, else as it is.
  func didChange(_ row: Row, _ change: RowChange)
  /// All changes were told.
  func didChangeContent(_ update: Update<Row>)
  /// The observation failed: the list stays as it is until `performFetch` brings it up to date.
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
