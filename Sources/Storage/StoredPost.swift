import Blobs
import Foundation
import Posts

/// A post as the library shows it.
public struct StoredPost: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// The service it came from; `manual` where a person made it.
  public let source: SourceName
  /// Its identity within the source.
  public let uri: String
  /// Where people open it.
  public let url: String?
  /// The origin of the server its facts came from.
  public let server: String?
  /// That server's own id of it.
  public let remoteID: String?
  /// Who wrote it.
  public let author: StoredAuthor?
  /// When it was written.
  public let createdAt: Date
  /// When a by-hand post's stretch of time ends.
  public let endsAt: Date?
  /// When its author last edited it.
  public let editedAt: Date?
  /// A headline.
  public let title: String?
  /// The text as people read it.
  public let caption: String
  /// The text as the source sent it.
  public let captionHTML: String?
  /// The content warning, empty where there is none.
  public let warning: String
  /// Whether its pictures ask for a click before they are seen.
  public let sensitive: Bool
  /// BCP 47.
  public let language: String?
  /// When it was first stored.
  public let storedAt: Date
  /// When its facts last changed.
  public let updatedAt: Date
  /// Whether a person deleted it.
  public let isDeleted: Bool
  /// When it was found gone from its server; nil while it is there, as far as anybody has looked.
  public let goneAt: Date?
  /// How many earlier wordings of it are kept.
  public let revisionCount: Int
  /// Who repeated it in a feed, each once, the first one first.
  public internal(set) var repeatedBy: [StoredRepeat] = []
  /// Tag names, in the post's order.
  public internal(set) var tags: [String] = []
  /// Pictures, videos and files, in order.
  public internal(set) var attachments: [StoredAttachment] = []
  /// The post that it quotes, where it quotes one.
  public internal(set) var quote: StoredQuote?

  /// Whether a person made it by hand instead of pulling it.
  public var isManual: Bool { source == .manual }
}

/// That somebody repeated a post: a boost, or a retweet.
public struct StoredRepeat: Sendable, Equatable {
  /// The number of who repeated it, in this library.
  public let author: Int64
  /// `birds@mastodon.social`.
  public let handle: String
  /// When.
  public let at: Date
}

/// A post that a stored one quotes.
public struct StoredQuote: Sendable, Equatable {
  /// Its number in this library; nil where the library does not have it.
  public let post: Int64?
  /// Its identity within the source.
  public let uri: String
  /// Where people open it.
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
  /// Where the avatar lies on the web.
  public let avatarURL: String?
  /// The kept avatar.
  public let avatar: BlobID?
}

/// How far the fetching of a picture has come.
public enum PictureState: String, Sendable, CaseIterable {
  /// Its bytes are kept.
  case stored
  /// Not tried yet.
  case pending
  /// Tried without success; it will be tried again.
  case failed
  /// The server has it no longer.
  case gone
  /// Not wanted by the pull that brought it.
  case skipped
}

/// An attachment of a stored post.
public struct StoredAttachment: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// What it is, as its source says.
  public let kind: Attachment.Kind
  /// The original on the web.
  public let url: String?
  /// A smaller version on the web.
  public let previewURL: String?
  /// The alt text.
  public let alt: String?
  /// Columns: of the kept picture, else as the source says.
  public let width: Int?
  /// Rows: of the kept picture, else as the source says.
  public let height: Int?
  /// https://blurha.sh
  public let blurhash: String?
  /// The kept bytes.
  public let blob: BlobID?
  /// Their length.
  public let byteCount: Int?
  /// Their media type.
  public let mediaType: String?
  /// How far the fetching has come.
  public let state: PictureState
  /// Why the last try failed.
  public let failure: String?
  /// When it is tried next: later than now where it failed, or where its host takes no more requests before.
  public let nextTryAt: Date?
}
