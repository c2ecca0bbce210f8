import Machine
import Posts
import Rows

/// The columns of a post that its server decides, as they are stored.
struct PostFacts: Equatable {
  typealias Column = TransferColumns.Post

  /// What people read. A change to it is an edit.
  struct Texts: Equatable {
    let title: String?
    let caption: String
    let warning: String
  }

  /// How the post is found again. It is not stored: the source knows it.
  let identity: Post.IdentityRule
  private var fields: RecordFields<Column>

  /// The columns that a server decides. What stores or reads a whole post names none of them.
  static let columns = Column.allCases.filter { ![.id, .source, .uri, .storedAt, .updatedAt].contains($0) }
  /// Their names.
  static let names = columns.map(\.rawValue)
  /// The columns of the table `p`, for a query.
  static let selection = names.map { "p.\($0)" }.joined(separator: ", ")

  /// The values of the columns that a server decides, as a statement takes them.
  var values: Arguments { Self.columns.map { fields[$0].argument } }

  var source: String { fields[.source].text ?? "" }
  var uri: String { fields[.uri].text ?? "" }
  var url: String? { fields[.url].text }
  var server: String? { fields[.server].text }
  var remoteID: String? { fields[.remoteID].text }
  var title: String? { fields[.title].text }
  var caption: String { fields[.caption].text ?? "" }
  var captionHTML: String? { fields[.captionHTML].text }
  var warning: String { fields[.warning].text ?? "" }

  var createdAt: String {
    get { fields[.createdAt].text ?? "" }
    set { fields[.createdAt] = .text(newValue) }
  }
  var editedAt: String? {
    get { fields[.editedAt].text }
    set { fields[.editedAt] = TransferValue(newValue) }
  }
  var visibility: String? {
    get { fields[.visibility].text }
    set { fields[.visibility] = TransferValue(newValue) }
  }

  var original: String? {
    get { fields[.original].text }
    set { fields[.original] = TransferValue(newValue) }
  }

  var license: String? {
    get { fields[.license].text }
    set { fields[.license] = TransferValue(newValue) }
  }

  var texts: Texts { Texts(title: title, caption: caption, warning: warning) }

  /// Whether somebody edited the text. If the text differs although the source sent the same, an earlier version of
  /// this program parsed it.
  func isEdit(of other: PostFacts) -> Bool {
    captionHTML == nil || captionHTML != other.captionHTML || title != other.title || warning != other.warning
      || editedAt != other.editedAt
  }

  /// When this version was written, as far as the columns tell.
  var versionAt: String { editedAt ?? createdAt }

  /// Detects a text that changed on the disk.
  var digest: Int64 { TextDigest.of([title, caption, captionHTML, warning]) }

  /// The URL, if it is another name of the post. A server speaks only for addresses of its own: otherwise a post could
  /// claim to be somebody else's.
  ///
  /// The ids of a feed document may all change at once. There, page and headline together find the item again, also if
  /// the site has moved to https. A page alone may serve many items, one after another. Such aliases count within the
  /// feed.
  var alias: String? {
    if identity == .page { return page }
    guard let url, url != uri, let host = WebAddress.host(of: uri), WebAddress.host(of: url) == host else { return nil }
    return url
  }

  private var page: String? { pageAlias.map { "\($0) \(title ?? createdAt)" } }

  /// The beginning of the aliases that the item's page gives it in its feed. An id may name the page.
  var pageAlias: String? {
    guard let mark = uri.utf8.firstIndex(of: UInt8(ascii: "#")), let url = url ?? Self.addressID(uri) else {
      return nil
    }
    return "\(uri[..<mark])#page:\(WebIdentity.page(of: url))"
  }

  /// An item's id in its feed without what tells of a visit. A feed may write that anew into its ids at each visit.
  static func lastingID(_ uri: String) -> String { id(uri).map(WebIdentity.page) ?? uri }

  private static func addressID(_ uri: String) -> String? {
    id(uri).flatMap { WebIdentity.host(of: $0) == nil ? nil : $0 }
  }

  private static func id(_ uri: String) -> String? {
    uri.firstIndex(of: "#").flatMap { uri[uri.index(after: $0)...].percentDecoded }
  }

  init(_ post: Post) {
    identity = post.identity
    fields = RecordFields { $0.content(of: post) }
  }

  /// Reads `PostRecord.columns`, under the identity that was asked for.
  init(_ row: some RowReading, as asked: PostFacts) throws {
    identity = asked.identity
    fields = asked.fields
    for column in Self.columns { fields[column] = try row[column.rawValue] }
    // What every post has is a text. A store in which it is none is damaged.
    for column in [Column.createdAt, .caption, .warning] { fields[column] = .text(try row[column.rawValue]) }
  }
}

extension TransferColumns.Post {
  /// What a post that its source shows has in this column. The library decides the others.
  fileprivate func content(of post: Posts.Post) -> TransferValue {
    switch self {
    case .id, .storedAt, .updatedAt: .null
    case .source: .text(post.source.rawValue)
    case .uri: .text(post.uri.storable)
    case .url: TransferValue(post.url?.storable)
    case .server: TransferValue(post.server?.origin)
    case .remoteID: TransferValue(post.remoteID?.storable)
    case .createdAt: .text(UTC.text(post.createdAt))
    case .endsAt: TransferValue(post.endsAt.map(UTC.text))
    case .editedAt: TransferValue(post.editedAt.map(UTC.text))
    case .title: TransferValue(post.title?.storable)
    case .caption: .text(post.caption.storable)
    case .captionHTML: TransferValue(post.captionHTML?.storable)
    case .warning: .text(post.warning.storable)
    case .sensitive: .integer(post.sensitive ? 1 : 0)
    case .language: TransferValue(post.language?.storable)
    case .visibility: TransferValue(post.visibility?.rawValue)
    case .original: TransferValue(post.original?.storable)
    case .license: TransferValue(post.license?.rawValue.storable)
    }
  }
}

/// A stored post.
struct PostRecord {
  static let columns =
    "p.id, p.source, p.uri, p.author, s.deleted_at IS NOT NULL AS is_deleted, \(PostFacts.selection), p.digest"

  let id: Int64
  let source: String
  let uri: String
  let author: Int64?
  let isDeleted: Bool
  let facts: PostFacts
  private let digest: Int64?

  /// Whether an import brought it, which did not know the identity that a server gives it.
  func isImported(unlike facts: PostFacts) -> Bool {
    guard self.facts.server == nil, source != facts.source || uri != facts.uri else { return false }
    let isPage = source == SourceName.ofAddresses.rawValue
    return facts.server != nil && (isPage || uri.hasPrefix("urn:")) || isPage && ImportedPage.hasIdentity(facts.source)
  }

  /// Whether its text matches its digest; true if it has none.
  var isAsWritten: Bool { digest.map { $0 == facts.digest } ?? true }

  init(_ row: some RowReading, as incoming: PostFacts) throws {
    id = try row["id"]
    source = try row["source"]
    uri = try row["uri"]
    author = try row["author"]
    isDeleted = try row["is_deleted"]
    facts = try PostFacts(row, as: incoming)
    digest = try row["digest"]
  }
}

extension PostWriter {
  /// The post of that identity, or else the post with that alias.
  ///
  /// Many posts may share an address, such as a profile's. So an alias does not find a post that the same server shows
  /// under another id. In a feed, each day's item may have the same page and headline: there the date must match, if it
  /// is known.
  ///
  /// Each document decides anew whether the items of a feed have identities of their own. An item whose id is now
  /// shared has none. Page, headline and date find such an item first.
  func find(_ facts: PostFacts, isDated: Bool) throws -> PostRecord? {
    try Self.find(facts, isDated: isDated, in: db) ?? (hasImports ? ImportedPage.imported(facts, in: db) : nil)
  }

  /// The same without a writer.
  static func find(_ facts: PostFacts, isDated: Bool, in db: Database) throws -> PostRecord? {
    let date = facts.identity == .page && isDated ? facts.createdAt : nil
    return try db.row(
      search,
      [
        facts.source, facts.uri, facts.alias, facts.server, facts.remoteID, date,
        facts.uri.utf8.contains(UInt8(ascii: "#")) && facts.uri.contains("#sha256:") ? 1 : 0,
      ]
    ) { try PostRecord($0, as: facts) }
  }

  private static let search = """
    SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
    WHERE p.id = coalesce(
      (SELECT o.id FROM post_alias a JOIN post o ON o.id = a.post
       WHERE a.source = $1 AND a.alias = $3 AND o.created_at = $6 AND $6 IS NOT NULL
         AND ($7 OR o.remote_id LIKE '%#sha256:%')),
      (SELECT id FROM post WHERE source = $1 AND uri = $2),
      (SELECT o.id FROM post_alias a JOIN post o ON o.id = a.post
       WHERE a.source = $1 AND a.alias = $2 AND \(mayBeTheSame)),
      (SELECT o.id FROM post_alias a JOIN post o ON o.id = a.post
       WHERE a.source = $1 AND a.alias = $3 AND \(mayBeTheSame) AND coalesce(o.created_at = $6, TRUE)),
      (SELECT o.id FROM post o WHERE o.source = $1 AND o.uri = $3 AND \(mayBeTheSame)))
    """

  private static let mayBeTheSame = "coalesce(o.server <> $4 OR o.remote_id = $5, TRUE)"
}
