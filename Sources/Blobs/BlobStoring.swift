// Bytes under their own hash. What has a name here is whole, verified and on the disk; what has none never was.

/// A place for bytes named by their SHA-256.
public protocol BlobStoring: Sendable {
  /// Somewhere to write bytes that have no name yet. Dropping it leaves nothing behind.
  func draft() throws(BlobError) -> BlobDraft
  /// Gives finished drafts their names, in order. When this returns, they survive a loss of power.
  ///
  /// Where it throws, some may have got their names: keeping the same bytes again is harmless.
  func keep(_ drafts: [BlobDraft]) throws(BlobError) -> [Kept]
  /// Whether these bytes are held.
  func contains(_ id: BlobID) -> Bool
  /// All bytes of a blob.
  func read(_ id: BlobID) throws(BlobError) -> [UInt8]
}

/// A blob that has its name.
public struct Kept: Sendable, Hashable {
  /// Its name.
  public let id: BlobID
  /// How many bytes it has.
  public let byteCount: Int
  /// Whether the same bytes were held before.
  public let wasHeld: Bool
}

/// Why bytes could not be written or read.
public enum BlobError: Error, Equatable {
  /// No space, or no quota, is left.
  case full(folder: String)
  /// The folder, or its file system, may not be written.
  case readOnly(folder: String)
  /// No bytes of that name are held.
  case missing(BlobID)
  /// The system refused otherwise; its own words.
  case io(path: String, reason: String)
}
