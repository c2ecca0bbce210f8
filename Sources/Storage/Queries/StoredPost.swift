import Blobs
import FoundationEssentials
import Posts

/// A stored post.
public struct StoredPost: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// The service it came from; `manual` if a person made it.
  public let source: SourceName
  /// Its identity within the source.
  public let uri: String
  /// Its web page.
  public let url: String?
  /// The origin of the server its facts came from.
  public let server: String?
  /// That server's own id of the post.
  public let remoteID: String?
  /// Its author.
  public let author: StoredAuthor?
  /// When it was written.
  public let createdAt: Date
  /// When the time range of a post made by hand ends.
  public let endsAt: Date?
  /// When its author last edited it.
  public let editedAt: Date?
  /// A headline.
  public let title: String?
  /// The text as people read it.
  public let caption: String
  /// The text as the source sent it.
  public let captionHTML: String?
  /// The content warning; empty if there is none.
  public let warning: String
  /// Whether its pictures are hidden until a click.
  public let sensitive: Bool
  /// Its language, as in BCP 47.
  public let language: String?
  /// Who may see it at its server; nil if its source does not say. A value that is not looked at yet is `pending`, and
  /// counts as the narrowest.
  public let visibility: Visibility?
  /// When it was first stored.
  public let storedAt: Date
  /// When its facts last changed.
  public let updatedAt: Date
  /// Whether a person deleted it.
  public let isDeleted: Bool
  /// When it was found gone from its server; nil while the last recheck found it.
  public let goneAt: Date?
  /// The number of its revisions.
  public let revisionCount: Int
  /// Who repeated it in a feed, each once, earliest first.
  public package(set) var repeatedBy: [StoredRepeat] = []
  /// Tag names, in the post's order.
  public package(set) var tags: [String] = []
  /// Pictures, videos and files, in order.
  public package(set) var attachments: [StoredAttachment] = []
  /// The post that it quotes, if any.
  public package(set) var quote: StoredQuote?

  package init(
    id: Int64, source: SourceName, uri: String, url: String?, server: String?, remoteID: String?, author: StoredAuthor?,
    createdAt: Date, endsAt: Date?, editedAt: Date?, title: String?, caption: String, captionHTML: String?,
    warning: String, sensitive: Bool, language: String?, visibility: Visibility? = nil, storedAt: Date, updatedAt: Date,
    isDeleted: Bool, goneAt: Date?, revisionCount: Int, repeatedBy: [StoredRepeat] = [], tags: [String] = [],
    attachments: [StoredAttachment] = [], quote: StoredQuote? = nil
  ) {
    (self.id, self.source, self.uri) = (id, source, uri)
    (self.url, self.server, self.remoteID) = (url, server, remoteID)
    (self.author, self.createdAt, self.endsAt) = (author, createdAt, endsAt)
    (self.editedAt, self.title, self.caption) = (editedAt, title, caption)
    (self.captionHTML, self.warning, self.sensitive) = (captionHTML, warning, sensitive)
    (self.language, self.visibility) = (language, visibility)
    (self.storedAt, self.updatedAt) = (storedAt, updatedAt)
    (self.isDeleted, self.goneAt, self.revisionCount) = (isDeleted, goneAt, revisionCount)
    (self.repeatedBy, self.tags) = (repeatedBy, tags)
    (self.attachments, self.quote) = (attachments, quote)
  }

  /// Whether a person made it by hand instead of pulling it.
  public var isManual: Bool { source == .manual }
}

/// A repeat of a post: a boost or a retweet.
public struct StoredRepeat: Sendable, Equatable {
  /// The number, in this library, of the author who repeated it.
  public let author: Int64
  /// `birds@mastodon.social`.
  public let handle: String
  /// When it was repeated.
  public let at: Date
}

/// A post that a stored one quotes.
public struct StoredQuote: Sendable, Equatable {
  /// Its number in this library; nil if it is not stored.
  public let post: Int64?
  /// Its identity within the source.
  public let uri: String
  /// Its web page.
  public let url: String?

  package init(post: Int64?, uri: String, url: String?) {
    (self.post, self.uri, self.url) = (post, uri, url)
  }
}

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

/// The state of a picture.
public enum PictureState: String, Sendable, CaseIterable {
  /// Its bytes are stored.
  case stored
  /// Not tried yet.
  case pending
  /// The last attempt failed; it will be tried again.
  case failed
  /// The server no longer has it.
  case gone
  /// The pull that brought it did not want it.
  case skipped
}

/// An attachment of a stored post.
public struct StoredAttachment: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// Its kind, as its source says.
  public let kind: Attachment.Kind
  /// The original on the web.
  public let url: String?
  /// A smaller version on the web.
  public let previewURL: String?
  /// The alt text.
  public let alt: String?
  /// The width in pixels: of the stored picture, else as the source says.
  public let width: Int?
  /// The height in pixels: of the stored picture, else as the source says.
  public let height: Int?
  /// The BlurHash: https://blurha.sh
  public let blurhash: String?
  /// The stored bytes.
  public let blob: BlobID?
  /// Their length in bytes.
  public let byteCount: Int?
  /// Their media type.
  public let mediaType: String?
  /// Its state.
  public let state: PictureState
  /// Why the last attempt failed.
  public let failure: String?
  /// When it is tried next: later than now after a failure, or if its host accepts no requests before.
  public let nextTryAt: Date?
  /// The name that the file had where it was attached. It may hold any character but control characters.
  public let name: String?
  /// Why it is skipped; nil if it is not, or if its pull wanted no pictures at all.
  public let leftOut: LeftOut?

  package init(
    id: Int64, kind: Attachment.Kind, url: String?, previewURL: String?, alt: String?, width: Int?, height: Int?,
    blurhash: String?, blob: BlobID?, byteCount: Int?, mediaType: String?, state: PictureState, failure: String?,
    nextTryAt: Date?, name: String?, leftOut: LeftOut? = nil
  ) {
    (self.id, self.kind, self.url) = (id, kind, url)
    (self.previewURL, self.alt, self.width) = (previewURL, alt, width)
    (self.height, self.blurhash, self.blob) = (height, blurhash, blob)
    (self.byteCount, self.mediaType, self.state) = (byteCount, mediaType, state)
    (self.failure, self.nextTryAt, self.name, self.leftOut) = (failure, nextTryAt, name, leftOut)
  }
}
