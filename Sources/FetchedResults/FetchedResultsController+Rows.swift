extension FetchedResultsController {
  /// The newest reading; the empty one before the first.
  public var snapshot: Snapshot<Row> { board.look(\.snapshot) }

  /// The rows of the window.
  public var rows: [Row] { snapshot.rows }

  /// The sections of the window.
  public var sections: [ListSection] { snapshot.sections }

  /// How many rows the whole list holds.
  public var total: Total { snapshot.total }

  /// The row at a path; nil where there is none.
  public func object(at path: ListPath) -> Row? { snapshot[path] }

  /// The path of a row; nil where the window does not hold it.
  public func indexPath(for id: Row.ID) -> ListPath? { snapshot.path(of: id) }
}
