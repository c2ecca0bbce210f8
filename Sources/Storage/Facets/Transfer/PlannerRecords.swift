import Blobs
import FoundationEssentials
import Posts

/// Names posts that were made by hand, and stores those that a file of entries brings.
public protocol PlannerRecords: Sendable {
  /// The posts made by hand that are not deleted, oldest first, and their URIs. The cost does not grow with what was pulled.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func postsMadeByHand() throws(StorageError) -> [(id: Int64, uri: String)]

  /// The post made by hand with a URI, deleted or not; nil if there is none.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  func postMadeByHand(_ uri: String) throws(StorageError) -> Int64?

  /// Stores entries in one transaction: a new post, or another wording of the post with the same URI, whose earlier wording
  /// becomes a revision. Files that the post does not have yet are added to it.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func save(_ entries: [PlannerEntry], now: Date) throws(StorageError)
}

/// A post made by hand as a file of entries brings it.
public struct PlannerEntry: Sendable {
  /// The post, with its URI. Its attachments do not count.
  public var post: Post
  /// Its files: their bytes, or none for those on the web.
  public var files: [(attachment: Attachment, blob: StoredBlob?)]

  /// An entry from its parts.
  public init(post: Post, files: [(attachment: Attachment, blob: StoredBlob?)] = []) {
    (self.post, self.files) = (post, files)
  }
}
