import Blobs
import Posts
import Rows

/// One record of a library as it is transferred to another one.
public enum LibraryRecord: Sendable, Equatable {
  /// A setting.
  case setting(name: String, value: String)
  /// A feed.
  case feed(TransferredFeed)
  /// An author.
  case author(TransferredAuthor)
  /// A post.
  case post(TransferredPost)
  /// An item that could not be read: the columns of `TransferColumns.unreadable`.
  case unreadable([TransferValue])
}

/// The value of a column.
public typealias TransferValue = ColumnContent

/// What names a post or an author, in every library.
public struct RecordIdentity: Sendable, Hashable, Comparable {
  /// The source.
  public let source: String
  /// The URI within it.
  public let uri: String

  /// An identity from its parts.
  public init(source: String, uri: String) { (self.source, self.uri) = (source, uri) }

  /// Ordered as SQLite orders texts: by their bytes.
  public static func < (one: RecordIdentity, other: RecordIdentity) -> Bool {
    if one.source != other.source { return one.source.utf8.lexicographicallyPrecedes(other.source.utf8) }
    return one.uri.utf8.lexicographicallyPrecedes(other.uri.utf8)
  }
}

/// A feed with what is known of it.
public struct TransferredFeed: Sendable, Equatable {
  /// The columns of `TransferColumns.feed`.
  public var values: [TransferValue]
  /// Those of `follow`, if it is followed.
  public var follow: [TransferValue]?
  /// Those of `visit`, if it is a document that was visited.
  public var visit: [TransferValue]?
  /// Those of `look`, if it was harvested.
  public var look: [TransferValue]?
  /// Those of `coverage` for each interval, lowest first. Their numbers count within the transfer.
  public var coverage: [[TransferValue]]
  /// Those of `pull` for each unfinished pull.
  public var pulls: [[TransferValue]]

  /// A feed from its parts.
  public init(
    values: [TransferValue], follow: [TransferValue]? = nil, visit: [TransferValue]? = nil,
    look: [TransferValue]? = nil, coverage: [[TransferValue]] = [], pulls: [[TransferValue]] = []
  ) {
    (self.values, self.follow, self.visit) = (values, follow, visit)
    (self.look, self.coverage, self.pulls) = (look, coverage, pulls)
  }

  /// The feed's name.
  public var name: String { values.first?.text ?? "" }
}

/// An author.
public struct TransferredAuthor: Sendable, Equatable {
  /// The columns of `TransferColumns.author`.
  public var values: [TransferValue]
  /// Those of `blob` for the avatar.
  public var avatar: [TransferValue]?

  /// An author from its parts.
  public init(values: [TransferValue], avatar: [TransferValue]? = nil) { (self.values, self.avatar) = (values, avatar) }

  /// The author's identity.
  public var identity: RecordIdentity { RecordIdentity(source: values[0].text ?? "", uri: values[1].text ?? "") }
}

/// An attachment of a post.
public struct TransferredFile: Sendable, Equatable {
  /// The columns of `TransferColumns.attachment`.
  public var values: [TransferValue]
  /// Those of `blob`, if it has bytes.
  public var blob: [TransferValue]?

  /// An attachment from its parts.
  public init(values: [TransferValue], blob: [TransferValue]? = nil) { (self.values, self.blob) = (values, blob) }
}

/// A post with everything that belongs to it. Each list of values has the columns of `TransferColumns` of that name.
public struct TransferredPost: Sendable, Equatable {
  /// Its number in the library that it comes from, and its columns.
  public var values: [TransferValue]
  /// Who wrote it.
  public var writer: [TransferValue]?
  /// What the person did to it.
  public var state: [TransferValue]?
  /// When it was looked up.
  public var recheck: [TransferValue]?
  /// What it quotes.
  public var quote: [TransferValue]?
  /// Its verbatim answer.
  public var raw: [TransferValue]?
  /// Its tags.
  public var tags: [String]
  /// Its other identities within its source.
  public var aliases: [String]
  /// Its pictures, videos and files.
  public var attachments: [TransferredFile]
  /// Its earlier wordings, earliest first.
  public var revisions: [[TransferValue]]
  /// Where feeds have it.
  public var items: [[TransferValue]]

  /// A post from its parts.
  public init(
    values: [TransferValue], writer: [TransferValue]? = nil, state: [TransferValue]? = nil,
    recheck: [TransferValue]? = nil, quote: [TransferValue]? = nil, raw: [TransferValue]? = nil, tags: [String] = [],
    aliases: [String] = [], attachments: [TransferredFile] = [], revisions: [[TransferValue]] = [],
    items: [[TransferValue]] = []
  ) {
    (self.values, self.writer, self.state) = (values, writer, state)
    (self.recheck, self.quote, self.raw) = (recheck, quote, raw)
    (self.tags, self.aliases, self.attachments) = (tags, aliases, attachments)
    (self.revisions, self.items) = (revisions, items)
  }

  /// The post's identity.
  public var identity: RecordIdentity {
    RecordIdentity(source: self[.source].text ?? "", uri: self[.uri].text ?? "")
  }

  /// A column.
  public subscript(column: TransferColumns.PostColumn) -> TransferValue {
    get { values[column.rawValue] }
    set { values[column.rawValue] = newValue }
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
  }
}

extension ColumnContent {
  /// The text.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The whole number.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
