import Foundation

// The answers of the API as they stand, https://docs.joinmastodon.org/entities/Status/. Every field is optional,
// whatever the documentation promises: servers that speak this API leave out and mistype each of them.

/// A place of a timeline: a status, or somebody's repetition of one.
struct MastodonStatus: Decodable {
  var id, uri, url, content, spoilerText, language: String?
  var createdAt, editedAt: Date?
  var sensitive: Bool?
  var account: MastodonAccount?
  var tags: [MastodonTag]
  var mediaAttachments: [MastodonAttachment]?
  /// The status that this one repeats, if any. What that one might repeat in turn is not read: nobody repeats a
  /// repetition, and a hostile answer could nest them at will.
  var reblog: [MastodonStatus]

  private enum Key: String, CodingKey {
    case id, uri, url, content, language, sensitive, account, tags, reblog
    case spoilerText = "spoiler_text"
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case mediaAttachments = "media_attachments"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    uri = fields.lossy(.uri)
    url = fields.lossy(.url)
    content = fields.lossy(.content)
    spoilerText = fields.lossy(.spoilerText)
    language = fields.lossy(.language)
    createdAt = fields.moment(.createdAt)
    editedAt = fields.moment(.editedAt)
    sensitive = fields.truth(.sensitive)
    account = fields.lossy(.account)
    tags = fields.list(.tags, most: Bounds.tags)
    mediaAttachments = fields.listed(.mediaAttachments, most: Bounds.attachments)
    reblog = decoder.codingPath.isEmpty ? [fields.lossy(.reblog)].compactMap { $0 } : []
  }
}

/// Who wrote a status, https://docs.joinmastodon.org/entities/Account/.
struct MastodonAccount: Decodable {
  var id, uri, url, acct, username, displayName, avatar, avatarStatic: String?

  private enum Key: String, CodingKey {
    case id, uri, url, acct, username, avatar
    case displayName = "display_name"
    case avatarStatic = "avatar_static"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    uri = fields.lossy(.uri)
    url = fields.lossy(.url)
    acct = fields.lossy(.acct)
    username = fields.lossy(.username)
    displayName = fields.lossy(.displayName)
    avatar = fields.lossy(.avatar)
    avatarStatic = fields.lossy(.avatarStatic)
  }
}

/// A tag of a status; some servers send its bare name.
struct MastodonTag: Decodable {
  var name: String?

  private enum Key: String, CodingKey { case name }

  init(from decoder: any Decoder) throws {
    // The usual form first: to ask for the other one by error takes longer than to read either.
    if let fields = try? decoder.container(keyedBy: Key.self) {
      name = fields.lossy(.name)
    } else {
      name = try decoder.singleValueContainer().decode(String.self)
    }
  }
}

/// A picture, video or sound, https://docs.joinmastodon.org/entities/MediaAttachment/.
struct MastodonAttachment: Decodable {
  var id, type, url, remoteURL, previewURL, description, blurhash: String?
  var width, height: Double?

  private enum Key: String, CodingKey {
    case id, type, url, description, blurhash, meta
    case remoteURL = "remote_url"
    case previewURL = "preview_url"
  }
  private enum MetaKey: String, CodingKey { case original }
  private enum SizeKey: String, CodingKey { case width, height }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    id = fields.text(.id)
    type = fields.lossy(.type)
    url = fields.lossy(.url)
    remoteURL = fields.lossy(.remoteURL)
    previewURL = fields.lossy(.previewURL)
    description = fields.lossy(.description)
    blurhash = fields.lossy(.blurhash)
    let size = try? fields.nestedContainer(keyedBy: MetaKey.self, forKey: .meta)
      .nestedContainer(keyedBy: SizeKey.self, forKey: .original)
    width = size?.lossy(.width)
    height = size?.lossy(.height)
  }
}
