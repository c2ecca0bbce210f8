// Stores bytes under their own hash. A blob that has its name is complete, verified and on the disk.

/// A store of blobs: bytes named by their SHA-256.
public protocol BlobStoring: Sendable {
  /// Creates a draft for bytes that have no name yet. A draft that is dropped leaves nothing behind.
  func draft() throws(BlobError) -> BlobDraft
  /// Gives finished drafts their names. When this returns, they survive a loss of power.
  ///
  /// If it throws, some drafts may have their names. Keeping the same bytes again is harmless.
  ///
  /// - Returns: the blobs, in the order of the drafts.
  func keep(_ drafts: [BlobDraft]) throws(BlobError) -> [Kept]
  /// Whether these bytes are stored.
  func contains(_ id: BlobID) -> Bool
  /// All bytes of a blob.
  func read(_ id: BlobID) throws(BlobError) -> [UInt8]
}

/// A blob that has its name.
public struct Kept: Sendable, Hashable {
  /// Its name.
  public let id: BlobID
  /// The number of its bytes.
  public let byteCount: Int
  /// Whether the same bytes were stored before.
  public let wasStored: Bool
}

/// Why bytes could not be written or read.
public enum BlobError: Error, Equatable {
  /// No space, or no quota, is left.
  case full(folder: String)
  /// The folder or its file system is not writable.
  case readOnly(folder: String)
  /// No blob of that name is stored.
  case missing(BlobID)
  /// Any other failure, with the system's message.
  case io(path: String, reason: String)
}
