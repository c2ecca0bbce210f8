import FoundationEssentials

/// A post in the form that all sources share. It depends neither on an API's format nor on the database.
public struct Post: Sendable, Equatable {
  /// The service it came from.
  public var source: SourceName
  /// Its identity within `source`, the same on every server that shows it.
  public var uri: String
  /// How the post is found again if a server shows it under another URI.
  public var identity: IdentityRule
  /// The address at which people open it; nil if the source gives none.
  public var url: String?
  /// The address of the post of another network that it is a copy of, as a bridge names it; nil for other posts.
  public var original: String?
  /// The server that returned it.
  public var server: Server?
  /// That server's own id of the post, opaque.
  public var remoteID: String?
  /// Who wrote it; nil if the source does not say.
  public var author: Author?
  /// When it was written, according to its author's server.
  public var createdAt: Date
  /// Whether the source gives the date. If not, `createdAt` is a substitute, and the first one that is stored stays.
  public var isDated: Bool
  /// When the time range of a post added by hand ends.
  public var endsAt: Date?
  /// When its author last edited it.
  public var editedAt: Date?
  /// When this version of an item was written, if its feed says so. It decides which of two versions is the newer one.
  public var revisedAt: Date?
  /// The headline, if the source has headlines.
  public var title: String?
  /// The text as people read it, with entities and tags resolved; may be empty.
  public var caption: String
  /// The text as the source sent it.
  public var captionHTML: String?
  /// The content warning; empty if there is none.
  public var warning: String
  /// Whether its pictures are hidden until a click.
  public var sensitive: Bool
  /// The language by BCP 47, as the source gives it.
  public var language: String?
  /// Who may see it; nil if the source does not say.
  public var visibility: Visibility?
  /// Whether the source does not say it, and `visibility` is an assumption, which counts until one is known.
  public var assumesVisibility: Bool
  /// Under which licence it is; nil if the source does not say.
  public var license: License?
  /// Tag names as `Feed.tagName` returns them, each once, in order.
  public var tags: [String]
  /// Pictures, videos and files, in order.
  public var attachments: [Attachment]
  /// Whether the source lists the attachments. If not, the stored ones stay.
  public var listsAttachments: Bool

  /// How a post is found again if a server shows it under another URI. Each source has one rule for all its posts.
  public enum IdentityRule: Sendable, Hashable {
    /// By its address, if that is on the host of its URI.
    case address
    /// By its page and its headline, for documents in which the ids of all items may change at once.
    case page
  }

  /// Creates a post. What is left out is not known.
  public init(
    source: SourceName, uri: String, identity: IdentityRule = .address, url: String? = nil, original: String? = nil,
    server: Server? = nil, remoteID: String? = nil,
    author: Author? = nil, createdAt: Date, isDated: Bool = true, endsAt: Date? = nil, editedAt: Date? = nil,
    revisedAt: Date? = nil, title: String? = nil, caption: String, captionHTML: String? = nil, warning: String = "",
    sensitive: Bool = false, language: String? = nil, visibility: Visibility? = nil, assumesVisibility: Bool = false,
    license: License? = nil, tags: [String] = [],
    attachments: [Attachment] = [], listsAttachments: Bool = true
  ) {
    self.source = source
    self.uri = uri
    self.identity = identity
    self.url = url
    self.original = original
    self.server = server
    self.remoteID = remoteID
    self.author = author
    self.createdAt = createdAt
    self.isDated = isDated
    self.endsAt = endsAt
    self.editedAt = editedAt
    self.revisedAt = revisedAt
    self.title = title
    self.caption = caption
    self.captionHTML = captionHTML
    self.warning = warning
    self.sensitive = sensitive
    self.language = language
    self.visibility = visibility
    self.assumesVisibility = assumesVisibility
    self.license = license
    self.tags = tags
    self.attachments = attachments
    self.listsAttachments = listsAttachments
  }
}

/// Who wrote a post.
public struct Author: Sendable, Hashable {
  /// Identity within the source: the account's own URI, else its profile URL, else `acct:` and the handle.
  public var uri: String
  /// `birds@mastodon.social`; always with a host if the source has hosts.
  public var handle: String
  /// The display name; otherwise the first part of the handle.
  public var name: String
  /// The profile page.
  public var url: String?
  /// The address of the avatar.
  public var avatarURL: String?
  /// Whether the source gives the name. If not, the stored name stays.
  public var isNamed: Bool

  /// Creates an author with its identity.
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
  /// The kind of an attachment, as far as the source gives it.
  public enum Kind: String, Sendable, Codable { case image, video, gifv, audio, file }

  /// The kind of the attachment.
  public var kind: Kind
  /// The server's own id, if it gives one. The same id means the same bytes.
  public var remoteID: String?
  /// The address of the original, at the size it was posted; nil while the server still prepares it.
  public var url: String?
  /// A second address of the original.
  public var alternateURL: String?
  /// The address of a smaller version.
  public var previewURL: String?
  /// The alt text.
  public var alt: String?
  /// The width in pixels, if the source gives it.
  public var width: Int?
  /// The height in pixels, if the source gives it.
  public var height: Int?
  /// A placeholder that is shown until the picture is downloaded (https://blurha.sh).
  public var blurhash: String?
  /// The name that the file had where it was attached, as `name(ofFile:)` gives it; nil if it had none.
  public var name: String?
  /// The number of bytes that the source declares. It is not stored, and may be wrong.
  public var byteCount: Int?

  /// Creates an attachment of a kind.
  public init(
    kind: Kind, remoteID: String? = nil, url: String?, alternateURL: String? = nil, previewURL: String? = nil,
    alt: String? = nil, width: Int? = nil, height: Int? = nil, blurhash: String? = nil, name: String? = nil,
    byteCount: Int? = nil
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
    self.name = name
    self.byteCount = byteCount
  }
}
