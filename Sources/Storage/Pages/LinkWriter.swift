import Posts

/// Links posts of different sources that are one: one of them has an address that names the other.
///
/// Either may be stored first, so the addresses of each post are looked for among those of all others.
struct LinkWriter {
  let db: Database
  private var posts: [Int64] = []
  /// Those of them that may have links which no longer hold.
  private var changed: [Int64] = []

  init(db: Database) { self.db = db }

  /// Queues a post that is new, or whose addresses changed. `write` links it.
  mutating func insert(_ post: Int64, isNew: Bool) {
    posts.append(post)
    if !isNew { changed.append(post) }
  }

  /// Links the queued posts. Lists are told of the posts at both ends.
  func write() throws {
    guard !posts.isEmpty else { return }
    if !changed.isEmpty { try unlink() }
    var named: [String: [String: [Int64]]] = [:]
    try db.rows(
      """
      SELECT p.id, p.source, p.uri, p.url, p.original
      FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value
      """, [posts.jsonList]
    ) { row in
      let (id, source): (Int64, String) = try (row["id"], row["source"])
      let uri: String? = Self.networks.contains(source) ? try row["uri"] : nil
      for address in try Set([uri, row["url"], row["original"]].compactMap(\.self)) where Self.isName(address) {
        named[source, default: [:]][address, default: []].append(id)
      }
    }
    var links: Set<[Int64]> = []
    for (source, addresses) in named {
      try db.rows(Self.search(in: db), [addresses.keys.sorted().jsonList, source]) { row in
        let other: Int64 = try row["id"]
        for post in addresses[try row["address"]] ?? [] { links.insert([max(post, other), min(post, other)]) }
      }
    }
    guard !links.isEmpty else { return }
    try db.insert(
      "INSERT INTO post_link (later, earlier)", links.sorted { $0.lexicographicallyPrecedes($1) },
      "ON CONFLICT DO NOTHING")
    try announce(Set(links.joined()))
  }

  private func unlink() throws {
    let linked = try db.links(of: changed)
    guard !linked.isEmpty else { return }
    try db.run(
      """
      DELETE FROM post_link WHERE later IN (SELECT value FROM \(db.each)($1))
        OR earlier IN (SELECT value FROM \(db.each)($1))
      """, [changed.jsonList])
    try announce(linked)
  }

  private func announce(_ posts: Set<Int64>) throws {
    try db.insert("INSERT INTO change (post)", posts.sorted().map { [$0] })
  }

  /// The sources whose identities are addresses that others name.
  private static let networks = ["bluesky", "mastodon"]
  /// An address that so many posts have is no post's own, such as that of a site. So nobody makes a page costly.
  private static let many = 17
  /// The condition of the indexes. PostgreSQL's rows of an index are bounded.
  static let longest = 500

  private static func isName(_ address: String) -> Bool {
    address.utf8.count <= longest && ["https://", "http://", "at://"].contains { address.utf8.starts(with: $0.utf8) }
  }

  /// Finds the posts of other sources than `$2` that have one of the addresses in `$1`.
  static func search(in db: Database) -> String {
    func isOwn(_ column: String) -> String {
      """
      (SELECT count(*) FROM (
        SELECT 1 FROM post o WHERE o.\(column) = j.value AND length(o.\(column)) <= \(longest) LIMIT \(many)) AS n) < \(many)
      """
    }
    func posts(_ column: String) -> String {
      """
      SELECT k.address, q.id FROM k \(db.crossJoin) post q ON q.\(column) = k.address
      WHERE length(q.\(column)) <= \(longest) AND q.source <> $2
      """
    }
    return """
      WITH k AS (
        SELECT j.value AS address FROM \(db.eachText)($1) j WHERE \(isOwn("url")) AND \(isOwn("original")))
      \(posts("url")) UNION ALL \(posts("original"))
      UNION ALL SELECT k.address, q.id
      FROM k \(db.crossJoin) post q ON q.source IN ('\(networks.joined(separator: "', '"))') AND q.uri = k.address
      WHERE q.source <> $2
      """
  }
}

extension Database {
  /// The posts that are linked with one of these.
  func links(of posts: some Collection<Int64>) throws -> Set<Int64> {
    Set(
      try values(
        """
        SELECT n.earlier FROM \(each)($1) j \(crossJoin) post_link n ON n.later = j.value
        UNION SELECT n.later FROM \(each)($1) j \(crossJoin) post_link n ON n.earlier = j.value
        """, [posts.sorted().jsonList]) as [Int64])
  }
}
