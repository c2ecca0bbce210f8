import Foundation
import Posts

// The answers of API v2, https://docs.x.com/x-api: posts, and beside them the users and files they speak of. Every
// field is optional, whatever the documentation promises.

/// A post.
struct XTweet: Decodable {
  private var post = XPost()
  private var authorID: String?
  private var mediaKeys: [String]

  private enum Key: String, CodingKey {
    case id, text, lang, entities, attachments
    case createdAt = "created_at"
    case authorID = "author_id"
    case sensitive = "possibly_sensitive"
    case versions = "edit_history_tweet_ids"
    case note = "note_tweet"
    case mediaKeys = "media_keys"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    post.id = fields.text(.id)
    post.language = fields.lossy(.lang)
    post.createdAt = fields.moment(.createdAt)
    post.sensitive = fields.truth(.sensitive)
    post.versions = fields.list(.versions, most: 10)
    authorID = fields.text(.authorID)
    let attachments = fields.object(.attachments)
    mediaKeys = attachments?.list(.mediaKeys, most: Bounds.attachments) ?? []
    // Of a long post `text` is the beginning alone.
    let note = fields.object(.note)
    post.text = note?.lossy(.text) ?? fields.lossy(.text)
    for entities in [fields.lossy(.entities, as: XEntities.self), note?.lossy(.entities)].compactMap({ $0 }) {
      post.tags += entities.tags
      post.links.merge(entities.links) { _, later in later }
    }
    let own = ["photo", "video"].map { "/status/\(post.id ?? "")/\($0)/" }
    for (short, target) in post.links where own.contains(where: { target?.contains($0) == true }) {
      post.links[short] = .some(nil)
    }
  }

  /// The post with its author and files from beside it.
  func post(with includes: XIncludes) -> XPost {
    var post = post
    post.author = authorID.flatMap { includes.users[$0] }
    post.files = mediaKeys.compactMap { includes.files[$0] }
    return post
  }
}

/// The links and tags in a text; both APIs have them nearly alike.
struct XEntities: Decodable {
  var tags: [String]
  var links: [String: String?] = [:]

  private enum Key: String, CodingKey { case hashtags, urls, media }

  private struct Tag: Decodable {
    // "tag" in v2, "text" in v1.1.
    var tag, text: String?
  }

  private struct Link: Decodable {
    var url, target, key: String?

    private enum Key: String, CodingKey {
      case url
      case target = "expanded_url"
      case key = "media_key"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      url = fields.lossy(.url)
      target = fields.lossy(.target)
      key = fields.lossy(.key)
    }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    tags = fields.list(.hashtags, of: Tag.self, most: Bounds.tags).compactMap { $0.tag ?? $0.text }
    for link in fields.list(.urls, of: Link.self, most: Bounds.tags) {
      guard let short = link.url, let target = Bounds.webAddress(link.target) else { continue }
      links[short] = .some(link.key == nil ? target : nil)
    }
    for link in fields.list(.media, of: Link.self, most: Bounds.tags) {
      if let short = link.url { links[short] = .some(nil) }
    }
  }
}

/// What stands beside the posts of a page.
struct XIncludes: Decodable {
  var users: [String: XUser] = [:]
  var files: [String: XFile] = [:]

  private enum Key: String, CodingKey { case users, media }

  /// Nothing.
  init() {}

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    for user in fields.list(.users, of: User.self, most: 2 * Bounds.posts) { users[user.id] = user.user }
    for file in fields.list(.media, of: File.self, most: 10 * Bounds.posts) { files[file.key] = file.file }
  }

  /// A user, https://docs.x.com/x-api/fundamentals/data-dictionary#user.
  struct User: Decodable {
    var id: String
    var user: XUser

    private enum Key: String, CodingKey {
      case id, username, name
      case picture = "profile_image_url"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      id = fields.text(.id) ?? ""
      user = XUser(
        id: id, name: fields.lossy(.username), spokenName: fields.lossy(.name), picture: fields.lossy(.picture))
    }
  }

  private struct File: Decodable {
    var key: String
    var file: XFile

    private enum Key: String, CodingKey {
      case type, url, variants, width, height
      case key = "media_key"
      case preview = "preview_image_url"
      case alt = "alt_text"
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      key = fields.text(.key) ?? ""
      file = XFile(
        id: key, type: fields.lossy(.type), url: fields.lossy(.url), preview: fields.lossy(.preview),
        alt: fields.lossy(.alt), width: fields.lossy(.width), height: fields.lossy(.height),
        films: fields.list(.variants, most: Bounds.attachments))
    }
  }
}
