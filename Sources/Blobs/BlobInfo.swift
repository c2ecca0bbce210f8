import FoundationEssentials

/// What a store knows of a blob without reading it.
public struct BlobInfo: Sendable, Hashable {
  /// Its name.
  public let id: BlobID
  /// The number of its bytes.
  public let byteCount: Int
  /// When its bytes were last stored, by the store's clock.
  public let storedAt: Date
  /// An opaque value that differs whenever the bytes are stored again. `remove` compares it.
  public let version: String

  /// Information from a store.
  public init(id: BlobID, byteCount: Int, storedAt: Date, version: String) {
    (self.id, self.byteCount, self.storedAt, self.version) = (id, byteCount, storedAt, version)
  }
}

/// Something in a store that is not a blob.
public struct BlobResidue: Sendable, Hashable {
  /// Why it is there.
  public enum Kind: Sendable, Hashable {
    /// An interrupted write left it behind. No process writes to it any more.
    case leftover
    /// The store never puts it there.
    case foreign
    /// A folder that cannot be read: nobody knows what it contains.
    case unread
  }

  /// Its kind.
  public let kind: Kind
  /// What the store and people know it by, such as `blobs/tmp/x.part`.
  public let name: String
  /// Its length in bytes.
  public let byteCount: Int

  /// Residue in a store.
  public init(_ kind: Kind, name: String, byteCount: Int) {
    (self.kind, self.name, self.byteCount) = (kind, name, byteCount)
  }
}
