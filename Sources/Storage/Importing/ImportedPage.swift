import Posts

/// What is one post, though an import knew only its web page, or nothing but its words and when it was written: pulls and
/// other imports find it, and a pull makes it the post that its server shows.
///
/// Such a post came from no server. Its identity is its page, of no known service, or made up.
enum ImportedPage {
  /// Whether the library has any import. If not, no statement is spent on them.
  static func mayExist(in db: Database) throws -> Bool {
    try db.hasRow("SELECT 1 FROM feed WHERE name >= 'import:' AND name < 'import;'")
  }

  /// Whether an import brought this post, too.
  static func isImported(_ post: Int64, in db: Database) throws -> Bool {
    try db.hasRow(
      """
      SELECT 1 FROM feed_post b \(db.index("feed_post_post")) JOIN feed f ON f.id = b.feed
      WHERE b.post = $1 AND f.name >= 'import:' AND f.name < 'import;'
      """, [post])
  }

  /// Whether nothing but imports brought this post.
  static func isOnlyImported(_ post: Int64, in db: Database) throws -> Bool {
    let others = try db.hasRow(
      """
      SELECT 1 FROM feed_post b \(db.index("feed_post_post")) JOIN feed f ON f.id = b.feed
      WHERE b.post = $1 AND NOT (f.name >= 'import:' AND f.name < 'import;')
      """, [post])
    return try !others && isImported(post, in: db)
  }

  /// The imported post that a pulled one is; nil if there is none.
  static func imported(_ facts: PostFacts, in db: Database) throws -> PostRecord? {
    // An archive may name no server: its posts are known by their pages alone.
    guard facts.server != nil || hasIdentity(facts.source) else { return nil }
    return try db.row(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.id = coalesce(
        (SELECT min(o.id) FROM \(db.eachText)($1) j
         \(db.crossJoin) post o ON o.source = $2 AND o.uri = j.value AND o.server IS NULL),
        (SELECT min(o.id) FROM post o
         WHERE o.created_at = $3 AND o.source = $4 AND o.server IS NULL AND o.uri LIKE 'urn:%' AND o.caption = $5))
      """,
      [
        names(of: facts).jsonList, SourceName.ofAddresses.rawValue, facts.createdAt, facts.source,
        facts.server == nil ? nil : facts.caption,
      ]
    ) { try PostRecord($0, as: facts) }
  }

  /// Of these times, those at which an imported post was written that a pull may know by its words.
  static func times(of facts: [PostFacts], in db: Database) throws -> Set<String> {
    Set(
      try db.values(
        """
        SELECT j.value FROM \(db.eachText)($1) j WHERE EXISTS (
          SELECT 1 FROM post o WHERE o.created_at = j.value AND o.server IS NULL AND o.uri LIKE 'urn:%')
        """,
        [facts.map(\.createdAt).jsonList]))
  }

  /// The post of any source that an imported page is; nil if there is none.
  static func known(_ facts: PostFacts, in db: Database) throws -> PostRecord? {
    guard isPage(facts) else { return nil }
    let names = names(of: facts).jsonList
    let named = try db.row(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.id = (
        SELECT min(coalesce(
          (SELECT o.id FROM post o WHERE o.source = f.source AND o.uri = j.value),
          (SELECT a.post FROM post_alias a WHERE a.source = f.source AND a.alias = j.value)))
        FROM \(db.eachText)($1) j CROSS JOIN (SELECT DISTINCT source FROM feed) f)
      """,
      [names]
    ) { try PostRecord($0, as: facts) }
    return try named ?? post(at: names, facts, in: db)
  }

  /// The post that alone has one of these pages. What a person wrote has the pages that they named.
  private static func post(at names: String, _ facts: PostFacts, in db: Database) throws -> PostRecord? {
    try db.row(
      """
      SELECT \(PostRecord.columns) FROM post p LEFT JOIN post_state s ON s.post = p.id
      WHERE p.id = (
        SELECT min(o.id) FROM \(db.eachText)($1) j \(db.crossJoin) post o ON o.url = j.value
        WHERE length(o.url) <= \(LinkWriter.longest) AND o.source <> $2
          AND (SELECT count(*) FROM (
            SELECT 1 FROM post n WHERE n.url = j.value AND length(n.url) <= \(LinkWriter.longest) LIMIT 2) AS n) = 1)
      """,
      [names, SourceName.manual.rawValue]
    ) { try PostRecord($0, as: facts) }
  }

  /// Whether of an imported post only its page is known.
  private static func isPage(_ facts: PostFacts) -> Bool {
    facts.server == nil && facts.source == SourceName.ofAddresses.rawValue
  }

  /// Whether an import may add files to a stored post: its source shows not every file of the page of which the import has it.
  static func mayAdd(_ item: ImportItem, to known: PostRecord) -> Bool {
    guard let post = item.item.post, !item.replaces else { return false }
    return isPage(PostFacts(post)) && (known.facts.server != nil || hasIdentity(known.source))
  }

  /// Whether posts of a source have identities that are no pages.
  static func hasIdentity(_ source: String) -> Bool {
    ![SourceName.ofAddresses.rawValue, SourceName.manual.rawValue].contains(source)
  }

  /// Gives an imported post the identity that its server gives it.
  static func identify(_ id: Int64, as facts: PostFacts, in db: Database) throws {
    try db.run("UPDATE post SET source = $1, uri = $2 WHERE id = $3", [facts.source, facts.uri, id])
    try db.run("DELETE FROM post_alias WHERE post = $1", [id])
  }

  /// The addresses under which an import may know a post's page: with and without https, `www.` and a slash at the end.
  static func names(of facts: PostFacts) -> [String] {
    // The identity of a feed's item is the feed's address with a mark.
    let pages = [facts.url, facts.uri.utf8.contains(UInt8(ascii: "#")) ? nil : facts.uri].compactMap(\.self)
    let keys = Set(pages.filter { WebAddress.host(of: $0) != nil }.map(WebIdentity.key))
    return keys.sorted().flatMap { key in
      ["https://", "https://www.", "http://", "http://www."].flatMap { ["\($0)\(key)", "\($0)\(key)/"] }
    }
  }
}
