import Posts
import Rows

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
    let posts = try posts + unlinkShared()
    var named: [String: [String: [Int64]]] = [:]
    try db.rows(
      """
      SELECT p.id, p.source, p.uri, p.url, p.original
      FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value
      """, [posts.jsonList]
    ) { row in
      let (id, source): (Int64, String) = try (row["id"], row["source"])
      let (uri, url): (String, String?) = try (row["uri"], row["url"])
      let own = url.flatMap { Self.speaks(source, uri, for: $0) ? $0 : nil }
      let names = [Self.networks.contains(source) ? uri : nil, own, try row["original"]].compactMap(\.self)
      for address in Set(names) where Self.isName(address) {
        named[source, default: [:]][address, default: []].append(id)
      }
    }
    var links: Set<[Int64]> = []
    for (source, addresses) in named {
      try db.rows(Self.search(in: db), [addresses.keys.sorted().jsonList, source]) { row in
        let (other, address): (Int64, String) = try (row["id"], row["address"])
        let isByURL: Bool = try row["is_url"] as Int64 != 0
        guard try !isByURL || Self.speaks(row["source"], row["uri"], for: address) else { return }
        for post in addresses[address] ?? [] { links.insert([max(post, other), min(post, other)]) }
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

  /// An address that many posts have by now is none of theirs, so what it linked before is apart again.
  ///
  /// - Returns: The posts that another address may link as well.
  private func unlinkShared() throws -> [Int64] {
    var apart: [Int64] = []
    let shared: [String] = try db.values(
      """
      SELECT k.url FROM (
        SELECT DISTINCT p.url FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value
        WHERE length(p.url) <= \(Self.longest)) AS k
      WHERE (SELECT count(*) FROM (
        SELECT 1 FROM post o WHERE o.url = k.url AND length(o.url) <= \(Self.longest) LIMIT \(Self.most)) AS n)
        BETWEEN \(Self.many) AND \(Self.most - 1)
      """, [posts.jsonList])
    for url in shared {
      let ids: [Int64] = try db.values(
        """
        SELECT id FROM post WHERE url = $1 AND length(url) <= \(Self.longest)
        UNION SELECT id FROM post WHERE original = $1 AND length(original) <= \(Self.longest)
        """, [url])
      let pair: Arguments = [ids.jsonList]
      let isBetween = """
        later IN (SELECT value FROM \(db.each)($1)) AND earlier IN (SELECT value FROM \(db.each)($1))
        """
      let linked = Set(
        try db.values("SELECT later FROM post_link WHERE \(isBetween)", pair) as [Int64]
          + db.values("SELECT earlier FROM post_link WHERE \(isBetween)", pair))
      guard !linked.isEmpty else { continue }
      try db.run("DELETE FROM post_link WHERE \(isBetween)", pair)
      try announce(linked)
      apart += linked
    }
    return apart
  }

  private func announce(_ posts: Set<Int64>) throws {
    try db.insert("INSERT INTO change (post)", posts.sorted().map { [$0] })
  }

  /// The sources whose identities are addresses that others name.
  private static let networks = ["bluesky", "mastodon"]
  /// An address that so many posts have is no post's own, such as that of a site. So nobody makes a page costly.
  private static let many = 17
  /// A page brings fewer posts, so the first page that makes an address common is noticed.
  private static let most = 500
  /// The condition of the indexes. PostgreSQL's rows of an index are bounded.
  static let longest = 500

  /// Whether a post speaks for an address. A server speaks only for addresses of its own: otherwise a post could claim to be
  /// somebody else's. Bluesky's are made here, and a person may say of their own posts what they like.
  private static func speaks(_ source: String, _ uri: String, for url: String) -> Bool {
    ["bluesky", "manual"].contains(source) || WebAddress.host(of: url).map { $0 == WebAddress.host(of: uri) } == true
  }

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
      SELECT k.address, q.id, q.source, q.uri, \(column == "url" ? 1 : 0) AS is_url FROM k \(db.crossJoin) post q ON q.\(column) = k.address
      WHERE length(q.\(column)) <= \(longest) AND q.source <> $2
      """
    }
    return """
      WITH k AS (
        SELECT j.value AS address FROM \(db.eachText)($1) j WHERE \(isOwn("url")) AND \(isOwn("original")))
      \(posts("url")) UNION ALL \(posts("original"))
      UNION ALL SELECT k.address, q.id, q.source, q.uri, 0
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
