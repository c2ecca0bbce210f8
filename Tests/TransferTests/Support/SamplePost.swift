import Blobs
import Foundation
import Posts
import Storage
import System

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
  return StoredPost(
    id: id, source: SourceName(rawValue: source), uri: uri, url: url ?? (source == "manual" ? nil : uri),
    server: "https://photos.example", remoteID: "\(id)", author: author, createdAt: UTC.date(createdAt) ?? .distantPast,
    endsAt: endsAt.flatMap(UTC.date), editedAt: editedAt.flatMap(UTC.date), title: title, caption: caption,
    captionHTML: nil, warning: warning, sensitive: sensitive, language: language, visibility: visibility,
    storedAt: .distantPast, updatedAt: .distantPast, isDeleted: false, goneAt: nil, revisionCount: 0, tags: tags,
    attachments: attachments)
}
