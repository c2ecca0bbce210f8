/// The newest reading of a window, and its changes against the reading that its reader saw last.
public struct Update<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// The newest reading.
  public let snapshot: Snapshot<Row>
  /// The reading that this reader saw before; empty at first.
  public let previous: Snapshot<Row>
  /// The changes from `previous` to `snapshot`.
  public let changes: ListChanges
  /// The number of the reading: the first is 1, and each different one adds 1. A slow reader skips some.
  public let generation: Int
  /// Whether this is the reader's first update: all rows are insertions.
  public let isInitial: Bool

  init(_ snapshot: Snapshot<Row>, generation: Int, after previous: Snapshot<Row>, isInitial: Bool) {
    self.snapshot = snapshot
    self.previous = previous
    changes = ListChanges(from: previous, to: snapshot)
    self.generation = generation
    self.isInitial = isInitial
  }

  /// The rows of the window.
  public var rows: [Row] { snapshot.rows }
  /// The sections of the window.
  public var sections: [ListSection] { snapshot.sections }
  /// The number of rows in the whole list.
  public var total: Total { snapshot.total }
}
