/// A post of the scripted origin with its true values, for tests to compare with the stored ones.
public struct ScriptedPost: Sendable {
  /// The id by which the origin pages; for a boost that of the boost.
  public var id: String
  /// The account that wrote it, an index below `Script.accounts`.
  public var author: Int
  /// When it was written: seconds since 1970.
  public var createdAt: Int
  /// The caption as people read it.
  public var caption: String
  /// The caption as sent.
  public var html: String
  /// The content warning, or empty.
  public var warning = ""
  /// Whether pictures are marked as sensitive.
  public var sensitive = false
  /// A language tag.
  public var language: String?
  /// When it was edited, according to the origin.
  public var editedAt: Int?
  /// Tag names, lower case.
  public var tags: [String]
  /// Its pictures, in order.
  public var attachments: [ScriptedAttachment]
  /// Set if this item repeats another post: who repeated it, and the id of the post inside.
  public var boost: (by: Int, innerID: String)?
  /// Members that replace those of the JSON: nulls, wrong types, fields of later versions.
  public var overrides: [String: JSON] = [:]

  /// The id of the post itself, also inside a boost.
  public var postID: String { boost?.innerID ?? id }
  /// Its identity, the same on every run and every port.
  public var uri: String { "https://origin.example/users/\(ScriptedPost.name(author))/statuses/\(postID)" }
  /// Its page for people.
  public var url: String { "https://origin.example/@\(ScriptedPost.name(author))/\(postID)" }
  /// SHA-256 of each picture, in order.
  public var pictureHashes: [String] { attachments.map(\.picture.sha256) }

  /// The user name of an account.
  public static func name(_ account: Int) -> String { "user\(account)" }
}

/// A picture of a post.
public struct ScriptedAttachment: Sendable {
  /// The origin's id of it.
  public var id: String
  /// What is served. Other attachments may serve the same bytes.
  public var picture: Picture
  /// The alt text.
  public var alt: String?
  /// Whether `meta`, `blurhash` and `preview_url` are omitted, as simpler servers do.
  public var bare = false

  /// Its path at the origin.
  public var path: String { "/media/\(id).\(picture.fileExtension)" }
}

extension ScriptedPost {
  /// The status as the origin sends it; `base` is the origin's address.
  func json(base: String) -> JSON {
    let inner = body(base: base)
    guard let boost else { return inner.replacing(overrides) }
    let outer: [String: JSON] = [
      "id": .text(id), "created_at": .text(Self.time(createdAt + 60)), "account": account(boost.by, base: base),
      "uri": .text("https://origin.example/users/\(Self.name(boost.by))/statuses/\(id)/activity"), "content": "",
      "reblog": inner, "media_attachments": [], "tags": [],
    ]
    return inner.replacing(outer).replacing(overrides)
  }

  private func body(base: String) -> JSON {
    [
      "id": .text(postID), "uri": .text(uri), "url": .text(url), "created_at": .text(Self.time(createdAt)),
      "edited_at": editedAt.map { .text(Self.time($0)) } ?? nil, "account": account(author, base: base),
      "content": .text(html), "spoiler_text": .text(warning), "sensitive": .bool(sensitive),
      "language": language.map { .text($0) } ?? nil, "visibility": "public", "reblog": nil, "poll": nil, "card": nil,
      "in_reply_to_id": nil, "favourites_count": 3, "reblogs_count": 1, "replies_count": 0, "emojis": [],
      "mentions": [],
      "tags": .list(tags.map { ["name": .text($0), "url": .text("https://origin.example/tags/\($0)")] }),
      "media_attachments": .list(attachments.map { media($0, base: base) }),
    ]
  }

  private func account(_ number: Int, base: String) -> JSON {
    let name = Self.name(number)
    return [
      "id": .text("\(9000 + number)"), "username": .text(name), "acct": .text(name),
      "display_name": .text("User \(number)"), "uri": .text("https://origin.example/users/\(name)"),
      "url": .text("https://origin.example/@\(name)"), "avatar": .text("\(base)/avatars/\(number).png"),
      "avatar_static": .text("\(base)/avatars/\(number).png"), "bot": false, "emojis": [], "fields": [], "moved": nil,
    ]
  }

  private func media(_ attachment: ScriptedAttachment, base: String) -> JSON {
    let common: JSON = [
      "id": .text(attachment.id), "type": "image", "url": .text(base + attachment.path), "remote_url": nil,
      "description": attachment.alt.map { .text($0) } ?? nil,
    ]
    guard !attachment.bare else { return common }
    let size: JSON = ["width": .number(attachment.picture.width), "height": .number(attachment.picture.height)]
    return common.replacing([
      "preview_url": .text("\(base)/media/small/\(attachment.id).png"),
      "blurhash": "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH",
      "meta": ["original": size, "small": size],
    ])
  }
}
