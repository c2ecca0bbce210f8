import Blobs
import FoundationEssentials
import Posts

/// The picture of an attachment, and how far its download has come.
public struct AttachmentPicture: Sendable, Hashable, Identifiable {
  /// The attachment's number in this library.
  public let id: Int64
  /// The number of its post.
  public let post: Int64
  /// Its state.
  public let state: PictureState
  /// The stored bytes; nil unless it is stored.
  public let blob: BlobID?
  /// The number of failed attempts since it was last stored.
  public let attempts: Int
  /// When it is tried next: later than now after a failure, or if its host accepts no requests before.
  public let nextTryAt: Date?
  /// Why the last attempt failed.
  public let failure: String?
}

extension Store {
  /// The picture of an attachment.
  ///
  /// - Parameter id: The attachment's number, as `StoredAttachment.id`.
  /// - Returns: The picture; nil if no attachment has the number.
  /// - Throws: `StorageError` if the library cannot be read.
  public func picture(ofAttachment id: Int64) throws(StorageError) -> AttachmentPicture? {
    try read { db in
      try db.namedRows(
        """
        SELECT a.id, a.post, a.state, a.attempts, a.next_try_at, a.failure, b.sha256
        FROM attachment a LEFT JOIN blob b ON b.id = a.blob WHERE a.id = ?
        """,
        [id]
      ).first.map(AttachmentPicture.init)
    }
  }
}

extension AttachmentPicture {
  fileprivate init(_ row: Row) {
    (id, post, attempts, failure) = (row["id"], row["post"], row["attempts"], row["failure"])
    state = PictureState(rawValue: row["state"]) ?? .pending
    blob = (row["sha256"] as String?).flatMap(BlobID.init)
    nextTryAt = (row["next_try_at"] as String?).flatMap(UTC.date)
  }
}
