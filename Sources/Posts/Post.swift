import Foundation

/// A post as a source showed it, in the form every source shares. A value: it knows neither wire nor row.
public struct Post: Sendable, Equatable {
  /// The service it came from.
  public var source: SourceName
  /// Its identity within `source`, the same on every server that shows it.
  public var uri: String
  /// Where people open it, or nil when the source says nowhere.
  public var url: String?
  /// The server that showed it here.
  public var server: Server?
  /// That server's own id of the post, opaque.
  public var remoteID: String?
  /// Who wrote it, or nil where the source may not say.
  public var author: Author?
  /// When it was written, by its author's server.
  public var createdAt: Date
  /// Whether the source says so; where not, `createdAt` stands for it, and the first one that is stored stays.
  public var isDated: Bool
  /// When a by-hand post's stretch of time ends.
  public var endsAt: Date?
  /// When its author last edited it.
  public var editedAt: Date?
  /// A headline, where the source has such a thing.
  public var title: String?
  /// The text as people read it: entities and tags resolved, never nil, may be empty.
  public var caption: String
  /// The text as the source sent it.
  public var captionHTML: String?
  /// The content warning, empty where there is none.
  public var warning: String
  /// Whether its pictures ask for a click before they are seen.
  public var sensitive: Bool
  /// BCP 47, as the source says.
  public var language: String?
  /// Tag names as `Feed.tagName` writes them, each once, in order.
  public var tags: [String]
  /// Pictures, videos and files, in order.
  public var attachments: [Attachment]
  /// Whether the source says what is attached; where it does not, what is held of the post stays.
  public var listsAttachments: Bool

  /// A post from its parts; what most posts lack is left out.
  public init(
    source: SourceName, uri: String, url: String? = nil, server: Server? = nil, remoteID: String? = nil,
    author: Author? = nil, createdAt: Date, isDated: Bool = true, endsAt: Date? = nil, editedAt: Date? = nil,
    title: String? = nil, caption: String, captionHTML: String? = nil, warning: String = "", sensitive: Bool = false,
    language: String? = nil, tags: [String] = [], attachments: [Attachment] = [], listsAttachments: Bool = true
  ) {
    self.source = source
    self.uri = uri
    self.url = url
    self.server = server
    self.remoteID = remoteID
    self.author = author
    self.createdAt = createdAt
    self.isDated = isDated
    self.endsAt = endsAt
    self.editedAt = editedAt
    self.title = title
    self.caption = caption
    self.captionHTML = captionHTML
    self.warning = warning
    self.sensitive = sensitive
    self.language = language
    self.tags = tags
    self.attachments = attachments
    self.listsAttachments = listsAttachments
  }
}

/// Who wrote a post.
public struct Author: Sendable, Hashable {
  /// Identity within the source: the account's own URI, else its profile URL, else `acct:` and the handle.
  public var uri: String
  /// `birds@mastodon.social`, always with a host where the source has hosts.
  public var handle: String
  /// The name people see; falls back to the handle's first part.
  public var name: String
  /// The profile page.
  public var url: String?
  /// Where the avatar lies.
  public var avatarURL: String?
  /// Whether the source says so; where not, the name that is held stays.
  public var isNamed: Bool

  /// An author from its parts.
  public init(
    uri: String, handle: String, name: String, url: String? = nil, avatarURL: String? = nil, isNamed: Bool = true
  ) {
    self.uri = uri
    self.isNamed = isNamed
    self.handle = handle
    self.name = name
    self.url = url
    self.avatarURL = avatarURL
  }
}

/// A picture, video or file of a post.
public struct Attachment: Sendable, Hashable {
  /// What it is, as far as the source says.
  public enum Kind: String, Sendable, Codable { case image, video, gifv, audio, file }

  /// What it is.
  public var kind: Kind
  /// The server's own id, where it gives one: the same id means the same bytes.
  public var remoteID: String?
  /// The original, at the size it was posted; nil while the server still prepares it.
  public var url: String?
  /// A second place to try for the original.
  public var alternateURL: String?
  /// A smaller version.
  public var previewURL: String?
  /// The alt text.
  public var alt: String?
  /// Pixels, where the source says.
  public var width: Int?
  /// Pixels, where the source says.
  public var height: Int?
  /// https://blurha.sh, shown until the picture is there.
  public var blurhash: String?

  /// An attachment from its parts.
  public init(
    kind: Kind, remoteID: String? = nil, url: String?, alternateURL: String? = nil, previewURL: String? = nil,
    alt: String? = nil, width: Int? = nil, height: Int? = nil, blurhash: String? = nil
  ) {
    self.kind = kind
    self.remoteID = remoteID
    self.url = url
    self.alternateURL = alternateURL
    self.previewURL = previewURL
    self.alt = alt
    self.width = width
    self.height = height
    self.blurhash = blurhash
  }
}
