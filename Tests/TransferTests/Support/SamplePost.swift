import Blobs
import Foundation
import Machine
import Posts
import Storage

/// A stored post; what a test does not name is usual.
func samplePost(
  _ id: Int64 = 1, source: String = "mastodon", uri: String? = nil, url: String? = nil, title: String? = nil,
  caption: String = "a caption", warning: String = "", sensitive: Bool = false, language: String? = nil,
  visibility: Visibility? = nil,
  author: StoredAuthor? = StoredAuthor(
    id: 1, uri: "https://photos.example/users/birds", handle: "birds@photos.example", name: "Birds",
    url: "https://photos.example/@birds", avatarURL: nil, avatar: nil),
  at createdAt: String = "2026-01-02T03:04:05Z", endsAt: String? = "2026-01-02T04:04:05Z", editedAt: String? = nil,
  tags: [String] = [], attachments: [StoredAttachment] = []
) -> StoredPost {
  let uri = uri ?? "https://photos.example/posts/\(id)"
  var post = StoredPost(
    id: id, source: SourceName(rawValue: source), uri: uri, createdAt: UTC.date(createdAt) ?? .distantPast,
    caption: caption)
  (post.url, post.server, post.remoteID) = (url ?? (source == "manual" ? nil : uri), "https://photos.example", "\(id)")
  (post.author, post.endsAt, post.editedAt) = (author, endsAt.flatMap(UTC.date), editedAt.flatMap(UTC.date))
  (post.title, post.warning, post.sensitive) = (title, warning, sensitive)
  (post.language, post.visibility) = (language, visibility)
  (post.tags, post.attachments) = (tags, attachments)
  return post
}
