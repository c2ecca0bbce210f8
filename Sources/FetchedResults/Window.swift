/// Which part of an ordered list is looked at: by key, never by offset, so that it stays where it is whatever comes
/// and goes above it.
public struct Window<Anchor: Hashable & Sendable>: Hashable, Sendable {
  /// The key the window hangs on; nil for the list's start. Its row may be gone: the key still has its place.
  public var anchor: Anchor?
  /// Rows wanted before the anchor.
  public var before: Int
  /// Rows wanted from the anchor on.
  public var after: Int

  /// A window from its parts; counts below nothing are nothing.
  public init(anchor: Anchor? = nil, before: Int = 0, after: Int) {
    self.anchor = anchor
    self.before = max(0, before)
    self.after = max(0, after)
  }
}

/// How many rows a whole list or section holds.
public enum Total: Hashable, Sendable {
  /// So many.
  case exactly(Int)
  /// More than were counted.
  case moreThan(Int)

  /// The least it can be.
  public var lowerBound: Int {
    switch self {
    case .exactly(let count): count
    case .moreThan(let count): count + 1
    }
  }
}
