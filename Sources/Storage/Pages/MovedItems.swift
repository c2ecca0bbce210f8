import Posts
import Rows

/// Finds items of a feed's document whose id is new. They are what was stored with the same date, and the same page or
/// words, or of the same page with the same id but for a visit's number, or with the same text and files.
struct MovedItems {
  /// The posts that the page has written.
  var written: Set<Int64> = []
  /// The identities in the document. A post of one of them is an item of its own.
  private let identities: Set<String>
  /// How many identities of the document differ in a visit's number alone.
  private lazy var uses = Dictionary(identities.map { (PostFacts.lastingID($0), 1) }, uniquingKeysWith: +)

  init(_ items: [PageItem]) { identities = Set(items.compactMap { $0.post?.uri.storable }) }

  /// The most posts of one date, or of one page, that are compared.
  private static let most = 16

  /// The stored post that the item is; nil if there is none.
  mutating func find(_ post: Post, _ facts: PostFacts, in db: Database) throws -> PostRecord? {
    guard facts.identity == .page, let mark = facts.uri.firstIndex(of: "#") else { return nil }
    let scope = facts.uri[...mark]
    let isFree = { [identities, written] (record: PostRecord) in
      record.uri.hasPrefix(scope) && !identities.contains(record.uri) && !written.contains(record.id)
    }
    if let known = try ofNewID(facts, in: db), isFree(known) { return known }
    if post.isDated, let known = try ofDate(facts, in: db).first(where: isFree) { return known }
    let known = try ofPage(facts, in: db)
    if let same = sameID(known, facts), isFree(same) { return same }
    return try known.first { try isFree($0) && isSameText($0, facts, post, in: db) }
  }

  /// Whether an item has a new id, by which its post is to be found from now on, whatever else changes.
  func isUnderNewID(_ stored: PostRecord, _ facts: PostFacts) -> Bool {
    guard facts.identity == .page, stored.uri != facts.uri, let mark = facts.uri.firstIndex(of: "#") else {
      return false
    }
    return stored.uri.hasPrefix(facts.uri[...mark]) && !identities.contains(stored.uri)
  }

  /// The alias of a post under another id than its own.
  static func alias(_ facts: PostFacts) -> String { "id \(facts.uri)" }

  private func ofNewID(_ facts: PostFacts, in db: Database) throws -> PostRecord? {
    try db.row(
      """
      SELECT \(PostRecord.columns) FROM post_alias a JOIN post p ON p.id = a.post LEFT JOIN post_state s ON s.post = p.id
      WHERE a.source = $1 AND a.alias = $2
      """,
      [facts.source, Self.alias(facts)]
    ) { try PostRecord($0, as: facts) }
  }

  private func ofDate(_ facts: PostFacts, in db: Database) throws -> [PostRecord] {
    // Many items of one day may say nothing else.
    let isTold = !facts.caption.isEmpty || facts.title != nil && !facts.createdAt.hasSuffix("T00:00:00.000Z")
    let page = facts.remoteID == facts.uri ? nil : facts.remoteID
    return try db.rows(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.created_at = $1 AND \(db.unindexed)p.source = $2
        AND (p.remote_id = $3 OR ($4 AND p.title IS NOT DISTINCT FROM $5 AND p.caption = $6))
      LIMIT \(Self.most)
      """,
      [facts.createdAt, facts.source, page, isTold, facts.title, facts.caption]
    ) { try PostRecord($0, as: facts) }
  }

  /// The posts of the item's page, unless it is the page of several.
  private func ofPage(_ facts: PostFacts, in db: Database) throws -> [PostRecord] {
    guard let page = facts.pageAlias, facts.url == nil || facts.remoteID != facts.uri else { return [] }
    return try db.rows(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.id IN (SELECT a.post FROM post_alias a WHERE a.source = $1 AND a.alias >= $2 AND a.alias < $3)
      ORDER BY p.id DESC LIMIT \(Self.most)
      """,
      // Nothing stands between a blank and an exclamation mark.
      [facts.source, "\(page) ", "\(page)!"]
    ) { try PostRecord($0, as: facts) }
  }

  /// The post whose id differs in a visit's number alone. Where several do, in the document or in the library, the number
  /// tells items apart.
  private mutating func sameID(_ known: [PostRecord], _ facts: PostFacts) -> PostRecord? {
    let id = PostFacts.lastingID(facts.uri)
    let same = known.filter { PostFacts.lastingID($0.uri) == id }
    return same.count == 1 && uses[id] == 1 ? same[0] : nil
  }

  /// Whether text and files are the same. A day's item may have the headline and page of the day before.
  private func isSameText(_ known: PostRecord, _ facts: PostFacts, _ post: Post, in db: Database) throws -> Bool {
    guard !facts.caption.isEmpty, known.facts.caption == facts.caption,
      !post.isDated || facts.title != nil && known.facts.title == facts.title
    else { return false }
    let stored: [String] = try db.values(
      "SELECT url FROM attachment WHERE post = $1 AND url IS NOT NULL", [known.id])
    let paths = { (addresses: [String]) in Set(addresses.map { WebAddress.path($0).bare }) }
    return paths(stored) == paths(post.attachments.compactMap(\.url?.storable))
  }
}
