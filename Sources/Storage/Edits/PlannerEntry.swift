import Posts

/// A post made by hand as a file of entries brings it.
public struct PlannerEntry: Sendable {
  /// The post, with its URI. Its attachments do not count.
  public var post: Post
  /// Its files: their bytes, or none for those on the web.
  public var files: [(attachment: Attachment, blob: StoredBlob?)]

  /// Creates an entry for a planner, with its files.
  public init(post: Post, files: [(attachment: Attachment, blob: StoredBlob?)] = []) {
    (self.post, self.files) = (post, files)
  }
}
