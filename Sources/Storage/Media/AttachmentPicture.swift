import Blobs
import FoundationEssentials
import Rows

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
      try db.row(
        """
        SELECT a.id, a.post, a.state, a.attempts, a.next_try_at, a.failure, b.sha256
        FROM attachment a LEFT JOIN blob b ON b.id = a.blob WHERE a.id = $1
        """,
        [id]
      )
    }
  }
}

extension AttachmentPicture: RowDecodable {
  package init(_ row: some RowReading) throws {
    id = try row["id"]
    post = try row["post"]
    attempts = try row["attempts"]
    failure = try row["failure"]
    state = PictureState(rawValue: try row["state"]) ?? .pending
    blob = try (row["sha256"] as String?).flatMap(BlobID.init)
    nextTryAt = try row.date("next_try_at")
  }
}
