import Foundation
import JSONReading

// The answers of the API as they stand, https://docs.joinmastodon.org/entities/Status/. Every field is optional,
// whatever the documentation promises: servers that speak this API leave out and mistype each of them.

/// A place of a timeline: a status, or somebody's repetition of one.
struct MastodonStatus {
  var id, uri, url, content, spoilerText, language: String?
  var createdAt, editedAt: Date?
  var sensitive: Bool?
  var account: MastodonAccount?
  /// Their names.
  var tags: [String]
  var mediaAttachments: [MastodonAttachment]?
  /// The status that this one repeats, if any. What that one might repeat in turn is not read: nobody repeats a
  /// repetition, and a hostile answer could nest them at will.
  var reblog: [MastodonStatus]

  /// Reads a status; one that is itself repeated repeats nothing.
  init(_ fields: JSONObject, isRepeated: Bool = false) {
    id = fields.text("id")
    uri = fields.string("uri")
    url = fields.string("url")
    content = fields.string("content")
    spoilerText = fields.string("spoiler_text")
    language = fields.string("language")
    createdAt = fields.moment("created_at")
    editedAt = fields.moment("edited_at")
    sensitive = fields.truth("sensitive")
    account = fields.object("account").map(MastodonAccount.init)
    tags = fields.list("tags", most: Bounds.tags).compactMap(Self.tag)
    let attachments = fields.value("media_attachments")?.elements(most: Bounds.attachments)
    mediaAttachments = attachments?.compactMap(\.object).map(MastodonAttachment.init)
    reblog = isRepeated ? [] : fields.object("reblog").map { [MastodonStatus($0, isRepeated: true)] } ?? []
  }

  /// A tag's name; some servers send it bare.
  private static func tag(_ value: JSONValue) -> String? { value.string ?? value.object?.string("name") }
}

/// Who wrote a status, https://docs.joinmastodon.org/entities/Account/.
struct MastodonAccount {
  var id, uri, url, acct, username, displayName, avatar, avatarStatic: String?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    uri = fields.string("uri")
    url = fields.string("url")
    acct = fields.string("acct")
    username = fields.string("username")
    displayName = fields.string("display_name")
    avatar = fields.string("avatar")
    avatarStatic = fields.string("avatar_static")
  }
}

/// A picture, video or sound, https://docs.joinmastodon.org/entities/MediaAttachment/.
struct MastodonAttachment {
  var id, type, url, remoteURL, previewURL, description, blurhash: String?
  var width, height: Double?

  init(_ fields: JSONObject) {
    id = fields.text("id")
    type = fields.string("type")
    url = fields.string("url")
    remoteURL = fields.string("remote_url")
    previewURL = fields.string("preview_url")
    description = fields.string("description")
    blurhash = fields.string("blurhash")
    let size = fields.object("meta")?.object("original")
    width = size?.number("width")
    height = size?.number("height")
  }
}
