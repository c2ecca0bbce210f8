/// The newest reading of a window, and what changed since the one that its reader saw before.
public struct Update<Row: Identifiable & Equatable & Sendable>: Sendable {
  /// The newest reading.
  public let snapshot: Snapshot<Row>
  /// The reading that this reader saw before; the empty one at first.
  public let previous: Snapshot<Row>
  /// What turns the one into the other.
  public let changes: ListChanges
  /// Which reading it is: the first is 1, and each that differs from the one before it is one more. A reader that is
  /// slow misses some.
  public let generation: Int
  /// Whether the reader saw nothing before: all rows are insertions then.
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
  /// How many rows the whole list holds.
  public var total: Total { snapshot.total }
}
