extension FetchedResultsController {
  /// The newest reading; empty before the first one.
  public nonisolated var snapshot: Snapshot<Row> { board.read(\.snapshot) }

  /// The rows of the window.
  public nonisolated var rows: [Row] { snapshot.rows }

  /// The sections of the window.
  public nonisolated var sections: [ListSection] { snapshot.sections }

  /// The number of rows in the whole list.
  public nonisolated var total: Total { snapshot.total }

  /// The row at a path; nil if there is none.
  public nonisolated func object(at path: ListPath) -> Row? { snapshot[path] }

  /// The path of a row; nil if the window does not contain it.
  public nonisolated func indexPath(for id: Row.ID) -> ListPath? { snapshot.path(of: id) }
}
