/// A part of an ordered list. It is defined by a key, not by an offset, so that insertions and deletions above it do not
/// move it.
public struct Window<Anchor: Hashable & Sendable>: Hashable, Sendable {
  /// The key of the window's anchor; nil for the list's start. The anchor's row may be deleted: the key keeps its
  /// position.
  public var anchor: Anchor?
  /// The number of rows before the anchor.
  public var before: Int
  /// The number of rows from the anchor on.
  public var after: Int

  /// Creates a window around an anchor, or at the beginning of the list. Negative counts become 0.
  public init(anchor: Anchor? = nil, before: Int = 0, after: Int) {
    self.anchor = anchor
    self.before = max(0, before)
    self.after = max(0, after)
  }
}

/// The number of rows in a whole list or section.
public enum Total: Hashable, Sendable {
  /// Exactly this number.
  case exactly(Int)
  /// More than were counted.
  case moreThan(Int)

  /// The smallest possible number.
  public var lowerBound: Int {
    switch self {
    case .exactly(let count): count
    case .moreThan(let count): count + 1
    }
  }
}
