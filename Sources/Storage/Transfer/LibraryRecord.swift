import Blobs
import Rows

/// One record of a library as it is transferred to another one.
public enum LibraryRecord: Sendable, Equatable {
  /// A setting.
  case setting(name: String, value: String)
  /// An album, without its posts.
  case album(RecordFields<TransferColumns.Album>)
  /// A saved search.
  case search(RecordFields<TransferColumns.SavedSearch>)
  /// A rule for new posts.
  case rule(RecordFields<TransferColumns.Rule>)
  /// A hidden author or tag.
  case hidden(RecordFields<TransferColumns.Hidden>)
  /// What the person said of two pictures.
  case verdict(RecordFields<TransferColumns.Verdict>)
  /// What the person said of a tag that a model gave.
  case tagVerdict(RecordFields<TransferColumns.TagVerdict>)
  /// A feed.
  case feed(TransferredFeed)
  /// An author.
  case author(TransferredAuthor)
  /// A post.
  case post(TransferredPost)
  /// An item that could not be read.
  case unreadable(RecordFields<TransferColumns.Unreadable>)
}

/// What names a post or an author, in every library.
public struct RecordIdentity: Sendable, Hashable, Comparable {
  /// The source.
  public let source: String
  /// The URI within it.
  public let uri: String

  /// Creates an identity within a source.
  public init(source: String, uri: String) { (self.source, self.uri) = (source, uri) }

  /// Ordered as SQLite orders texts: by their bytes.
  public static func < (one: RecordIdentity, other: RecordIdentity) -> Bool {
    if one.source != other.source { return one.source.utf8.lexicographicallyPrecedes(other.source.utf8) }
    return one.uri.utf8.lexicographicallyPrecedes(other.uri.utf8)
  }
}

/// A feed with what is known of it.
public struct TransferredFeed: Sendable, Equatable {
  /// The feed itself.
  public var fields: RecordFields<TransferColumns.Feed>
  /// How it is followed, if it is.
  public var follow: RecordFields<TransferColumns.Follow>?
  /// The last visit, if it is a document that was visited.
  public var visit: RecordFields<TransferColumns.Visit>?
  /// What harvests know of it, if it was harvested.
  public var look: RecordFields<TransferColumns.Look>?
  /// Its intervals, lowest first. Their numbers count within the transfer.
  public var coverage: [RecordFields<TransferColumns.Coverage>] = []
  /// Its unfinished pulls.
  public var pulls: [RecordFields<TransferColumns.Pull>] = []

  /// Creates a feed of which nothing else is known.
  public init(_ fields: RecordFields<TransferColumns.Feed>) { self.fields = fields }

  /// The feed's name.
  public var name: String { fields[.name].text ?? "" }
}

/// An author.
public struct TransferredAuthor: Sendable, Equatable {
  /// The author.
  public var fields: RecordFields<TransferColumns.Author>
  /// The avatar's bytes, if they are stored.
  public var avatar: RecordFields<TransferColumns.Blob>?

  /// Creates an author.
  public init(_ fields: RecordFields<TransferColumns.Author>, avatar: RecordFields<TransferColumns.Blob>? = nil) {
    (self.fields, self.avatar) = (fields, avatar)
  }

  /// The author's identity.
  public var identity: RecordIdentity {
    RecordIdentity(source: fields[.source].text ?? "", uri: fields[.uri].text ?? "")
  }
}

/// An attachment of a post.
public struct TransferredFile: Sendable, Equatable {
  /// The attachment.
  public var fields: RecordFields<TransferColumns.Attachment>
  /// Its bytes, if it has any.
  public var blob: RecordFields<TransferColumns.Blob>?

  /// Creates an attachment.
  public init(_ fields: RecordFields<TransferColumns.Attachment>, blob: RecordFields<TransferColumns.Blob>? = nil) {
    (self.fields, self.blob) = (fields, blob)
  }
}

/// A post with everything that belongs to it.
public struct TransferredPost: Sendable, Equatable {
  /// Its columns, and its number in the library that it comes from.
  public var fields: RecordFields<TransferColumns.Post>
  /// Who wrote it.
  public var writer: RecordFields<TransferColumns.Writer>?
  /// What the person did to it.
  public var state: RecordFields<TransferColumns.State>?
  /// When it was looked up.
  public var recheck: RecordFields<TransferColumns.Recheck>?
  /// What it quotes.
  public var quote: RecordFields<TransferColumns.Quote>?
  /// Its verbatim answer.
  public var raw: RecordFields<TransferColumns.Raw>?
  /// Its tags.
  public var tags: [String] = []
  /// Its other identities within its source.
  public var aliases: [String] = []
  /// Its pictures, videos and files.
  public var attachments: [TransferredFile] = []
  /// Its earlier wordings, earliest first.
  public var revisions: [RecordFields<TransferColumns.Revision>] = []
  /// Where feeds have it.
  public var items: [RecordFields<TransferColumns.Item>] = []
  /// The tags that the person gave or took away, by name.
  public var ownTags: [RecordFields<TransferColumns.OwnTag>] = []
  /// Its places in albums.
  public var albums: [RecordFields<TransferColumns.AlbumPost>] = []
  /// The notes that others replaced, earliest first.
  public var earlierNotes: [RecordFields<TransferColumns.EarlierNote>] = []

  /// Creates a post to which nothing else belongs.
  public init(_ fields: RecordFields<TransferColumns.Post>) { self.fields = fields }

  /// The post's identity.
  public var identity: RecordIdentity {
    RecordIdentity(source: self[.source].text ?? "", uri: self[.uri].text ?? "")
  }

  /// A column.
  public subscript(column: TransferColumns.Post) -> TransferValue {
    get { fields[column] }
    set { fields[column] = newValue }
  }
}

/// What a merge did.
public struct MergeResult: Sendable, Equatable {
  /// Posts that were not in the library.
  public var new = 0
  /// Posts of which something changed.
  public var updated = 0
  /// Posts that the library had as they are.
  public var unchanged = 0
  /// What a person keeps beside posts, as far as it was added or changed.
  public var marks = MergedMarks()
  /// The numbers of the albums that were merged, by their names in the other library, in small letters.
  public var albumNames: [String: Int64] = [:]
  /// The indexes of the records that cannot be stored, and why.
  public var refused: [Int: String] = [:]
  /// Pictures that had a row and have none any more. If there is one, nothing was merged: their bytes have to be stored
  /// again first.
  public var forgotten: Set<BlobID> = []

  /// A result in which nothing has happened.
  public init() {}

  /// Nothing was merged, for want of these pictures.
  init(forgotten: Set<BlobID>) { self.forgotten = forgotten }

  /// Adds the counts of another result.
  public mutating func add(_ other: MergeResult) {
    (new, updated, unchanged) = (new + other.new, updated + other.updated, unchanged + other.unchanged)
    marks.add(other.marks)
  }
}

/// The names of what a merge added, changed or removed of what a person keeps beside posts.
public struct MergedMarks: Sendable, Equatable {
  /// Albums, also those of which posts came or went.
  public internal(set) var albums: Set<String> = []
  /// Saved searches.
  public internal(set) var searches: Set<String> = []
  /// Rules for new posts.
  public internal(set) var rules: Set<String> = []
  /// Hidden authors and tags, and those that are shown again: what names them.
  public internal(set) var hidden: Set<String> = []

  mutating func add(_ other: MergedMarks) {
    albums.formUnion(other.albums)
    searches.formUnion(other.searches)
    rules.formUnion(other.rules)
    hidden.formUnion(other.hidden)
  }
}

extension ColumnContent {
  /// A text, or nothing.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// The text.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The whole number.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
