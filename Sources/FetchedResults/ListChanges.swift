/// The changes from one reading of a list to another.
///
/// Deleted and moved-from indices are indices in the old list, before any change. Inserted, moved-to and updated indices
/// are indices in the new list, after all changes. To apply the changes, first remove rows, from the last index to the
/// first. Then add rows, from the first index to the last.
///
/// The number of moves is minimal: among the rows that stay in their section, the longest subsequence that keeps its
/// order does not move. A row that changes its section moves. A section that changes its position among the others is
/// deleted and inserted, and its rows move. The sections that stay are chosen so that the fewest rows move.
public struct ListChanges: Sendable, Hashable {
  /// A row's index in the old list and in the new one.
  public struct Move: Sendable, Hashable {
    /// The index in the old list.
    public let from: Int
    /// The index in the new list.
    public let to: Int

    /// Creates a move of the row at `from` to `to`.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Indices in the old list of removed rows, ascending.
  public private(set) var deletions: [Int] = []
  /// Indices in the new list of new rows, ascending.
  public private(set) var insertions: [Int] = []
  /// Rows that moved, ascending by their index in the new list.
  public private(set) var moves: [Move] = []
  /// Indices in the new list of rows whose content changed, whether they moved or not, ascending.
  public private(set) var updates: [Int] = []
  /// Indices in the old list's sections of those that were removed or moved, ascending.
  public private(set) var deletedSections: [Int] = []
  /// Indices in the new list's sections of those that are new or moved, ascending.
  public private(set) var insertedSections: [Int] = []
  /// Indices in the new list's sections of those that stayed and whose name or count changed, ascending.
  public private(set) var updatedSections: [Int] = []

  /// Whether the rows and sections are the same. The total may differ.
  public var isEmpty: Bool { self == Self() }

  private init() {}

  /// The changes between two lists without sections.
  public init<Row: Identifiable & Equatable & Sendable>(from old: [Row], to new: [Row]) {
    let uncounted = Total.exactly(0)
    self.init(from: Snapshot(rows: old, total: uncounted), to: Snapshot(rows: new, total: uncounted))
  }

  /// The changes between two readings.
  public init<Row>(from old: Snapshot<Row>, to new: Snapshot<Row>) {
    let pairing = Pairing(from: old.rows.lazy.map(\.id), to: new.rows.lazy.map(\.id))
    let kept = StableSections(from: old.sections, to: new.sections, rows: pairing.old)
    setSections(from: old.sections, to: new.sections, kept)
    deletions = pairing.removed
    for (index, from) in pairing.old.enumerated() {
      guard let from else {
        insertions.append(index)
        continue
      }
      if !kept.isStationary[index] { moves.append(Move(from: from, to: index)) }
      if old.rows[from] != new.rows[index] { updates.append(index) }
    }
  }

  private mutating func setSections(from old: [ListSection], to new: [ListSection], _ kept: StableSections) {
    let stays = Set(kept.pairs.map(\.old))
    let stayed = Set(kept.pairs.map(\.new))
    deletedSections = old.indices.filter { !stays.contains($0) }
    insertedSections = new.indices.filter { !stayed.contains($0) }
    let updated = kept.pairs.filter { pair in
      let (before, after) = (old[pair.old], new[pair.new])
      return before.name != after.name || before.count != after.count
    }
    updatedSections = updated.map(\.new)
  }
}
