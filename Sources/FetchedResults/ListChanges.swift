/// What turns one reading of a list into another.
///
/// Deleted and moved-from places are places in the old list, before any change; inserted, moved-to and updated places
/// are places in the new list, after all of them. So they are applied in any order of kinds as long as what leaves is
/// taken out first, from the last to the first, and what comes is put in after, from the first to the last.
///
/// Moves are as few as can be: of the rows that are in both lists and stay in their section, the longest run that keeps
/// its order stays still. A row that changes its section moves. A section that changes its place among the others is
/// deleted and inserted, and its rows move; those sections stay whose rows then move least.
public struct ListChanges: Sendable, Hashable {
  /// A row's way from its place in the old list to its place in the new one.
  public struct Move: Sendable, Hashable {
    /// The place in the old list.
    public let from: Int
    /// The place in the new list.
    public let to: Int

    /// A move from its parts.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Places in the old list of rows that are gone, rising.
  public private(set) var deletions: [Int] = []
  /// Places in the new list of rows that came, rising.
  public private(set) var insertions: [Int] = []
  /// Rows that moved, by their places in the new list, rising.
  public private(set) var moves: [Move] = []
  /// Places in the new list of rows that were there but looked different, moved or not, rising.
  public private(set) var updates: [Int] = []
  /// Places in the old list's sections of those that are gone or moved, rising.
  public private(set) var deletedSections: [Int] = []
  /// Places in the new list's sections of those that came or moved, rising.
  public private(set) var insertedSections: [Int] = []
  /// Places in the new list's sections of those that stayed and have another name or count, rising.
  public private(set) var updatedSections: [Int] = []

  /// Whether the rows and sections are the same; the total may be another one all the same.
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
    let kept = KeptSections(from: old.sections, to: new.sections, rows: pairing.old)
    setSections(from: old.sections, to: new.sections, kept)
    deletions = pairing.gone
    for (place, from) in pairing.old.enumerated() {
      guard let from else {
        insertions.append(place)
        continue
      }
      if !kept.still[place] { moves.append(Move(from: from, to: place)) }
      if old.rows[from] != new.rows[place] { updates.append(place) }
    }
  }

  private mutating func setSections(from old: [ListSection], to new: [ListSection], _ kept: KeptSections) {
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
