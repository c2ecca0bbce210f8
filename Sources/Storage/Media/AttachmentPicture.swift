import Blobs
import FoundationEssentials
import Posts
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

  /// A picture from its parts.
  package init(
    id: Int64, post: Int64, state: PictureState, blob: BlobID?, attempts: Int, nextTryAt: Date?, failure: String?
  ) {
    (self.id, self.post, self.state) = (id, post, state)
    (self.blob, self.attempts) = (blob, attempts)
    (self.nextTryAt, self.failure) = (nextTryAt, failure)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func picture(ofAttachment id: Int64) throws(StorageError) -> AttachmentPicture? {
    try read { db in
      try db.row(
        """
        SELECT a.id, a.post, a.state, a.attempts, a.next_try_at, a.failure, b.sha256
        FROM attachment a LEFT JOIN blob b ON b.id = a.blob WHERE a.id = ?
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
