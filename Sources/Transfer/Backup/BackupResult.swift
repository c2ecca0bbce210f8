import Blobs

/// What a backup did.
public struct BackupResult: Sendable, Equatable {
  /// Whether nothing was new.
  public var isUnchanged = false
  /// The number of blobs that were copied.
  public var copied = 0
  /// Their length in bytes, together.
  public var bytes = 0
  /// The number of blobs that were removed, for the library has let them go.
  public var removed = 0
  /// The blobs that the library shows, but that it has not, or not whole: the first of them.
  public var lost: [BlobID] = []
  /// The number of all of them.
  public var lostCount = 0
  /// The number of records that a copy of the store cannot hold, by reason.
  public var refused: [String: Int] = [:]
  /// The number of blobs of the backup that were damaged there and are copied anew.
  public var mended = 0

  /// How many lost blobs are named.
  static let mostNamed = 20

  /// Whether the backup has everything.
  var isWhole: Bool { lostCount == 0 && refused.isEmpty }

  /// Nothing.
  public init() {}
}

/// The progress of a backup.
public enum BackupStep: Sendable {
  /// The store is copied: how many parts, of how many.
  case store(done: Int, known: Int)
  /// Blobs are compared and copied: how many were looked at, of how many, and the bytes copied.
  case blobs(done: Int, known: Int, bytes: Int)
}
