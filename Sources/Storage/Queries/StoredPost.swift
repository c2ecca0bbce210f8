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
  public internal(set) var repeatedBy: [StoredRepeat] = []
  /// Tag names, in the post's order.
  public internal(set) var tags: [String] = []
  /// Pictures, videos and files, in order.
  public internal(set) var attachments: [StoredAttachment] = []
  /// The post that it quotes, if any.
  public internal(set) var quote: StoredQuote?

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
}

/// The author of a stored post.
public struct StoredAuthor: Sendable, Equatable, Identifiable {
  /// The author's number in this library.
  public let id: Int64
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
}
