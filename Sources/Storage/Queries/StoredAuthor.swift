import Blobs
import Rows

/// The author of a stored post.
public struct StoredAuthor: Sendable, Equatable, Identifiable {
  /// The author's number in this library.
  public let id: Int64
  /// Their identity within the source.
  public let uri: String
  /// `birds@mastodon.social`.
  public let handle: String
  /// The name people see.
  public let name: String
  /// The profile page.
  public let url: String?
  /// The avatar's web address.
  public let avatarURL: String?
  /// The stored avatar.
  public let avatar: BlobID?

  package init(
    id: Int64, uri: String, handle: String, name: String, url: String?, avatarURL: String?, avatar: BlobID?
  ) {
    (self.id, self.uri, self.handle, self.name) = (id, uri, handle, name)
    (self.url, self.avatarURL, self.avatar) = (url, avatarURL, avatar)
  }
}

extension StoredAuthor {
  /// nil if the post has no author.
  init?(ofPost row: some RowReading) throws {
    guard let id: Int64 = try row["author"] else { return nil }
    self.id = id
    uri = try row["author_uri"]
    handle = try row["handle"]
    name = try row["name"]
    url = try row["author_url"]
    avatarURL = try row["avatar_url"]
    avatar = try (row["avatar"] as String?).flatMap(BlobID.init)
  }
}
