/// What a store holds at a moment, in a few numbers.
public struct StoreState: Sendable, Hashable {
  /// An opaque text that differs whenever something was written between; nil if the store cannot tell. It may differ
  /// although nothing was written.
  public var version: String?
  /// The number of the last change of what lists show. It only grows.
  public var changes: Int64
  /// The number of blobs that the store names.
  public var blobs: Int

  /// Creates the state of a store at a moment.
  public init(version: String?, changes: Int64, blobs: Int) {
    (self.version, self.changes, self.blobs) = (version, changes, blobs)
  }
}
