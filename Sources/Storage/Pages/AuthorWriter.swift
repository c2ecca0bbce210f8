import Posts
import Rows

/// Stores authors as their own server describes them, or else as the first server that showed them does.
struct AuthorWriter {
  let db: Database
  /// Authors whose name changed.
  private(set) var renamed: Set<Int64> = []
  private var written: [String: (id: Int64, isNamed: Bool)] = [:]
  /// The rows of authors that were read ahead; nil for an author without one. Each is used once.
  private var prepared: [String: AuthorRecord?] = [:]

  init(db: Database) { self.db = db }

  /// Inserts or updates the author's row. Each author is written once a page, and again if only a later post of the page
  /// has their name.
  mutating func write(_ author: Author, of post: Post) throws -> Int64 {
    let known = written[author.uri]
    if let known, known.isNamed || !author.isNamed { return known.id }
    let result = try store(author, of: post)
    written[author.uri] = (result, author.isNamed)
    return result
  }

  /// Reads the rows of the posts' authors together. All posts have the same source, or nothing is read.
  mutating func prepare(_ posts: [Post]) throws {
    guard let source = posts.first?.source, posts.allSatisfy({ $0.source == source }) else { return }
    let uris = Set(posts.compactMap { $0.author?.uri.storable }).sorted()
    let rows = try db.rows(
      """
      SELECT \(AuthorRecord.columns) FROM \(db.eachText)($1) k \(db.crossJoin) author u
        ON u.id = (SELECT w.id FROM author w WHERE w.source = $2 AND w.uri = k.value)
      """,
      [uris.jsonList, source.rawValue]
    ) { try AuthorRecord($0) }
    prepared = Dictionary(uris.map { ($0, nil) }) { $1 }
    for row in rows { prepared[row.uri] = row }
  }

  private func read(_ uri: String, source: String) throws -> AuthorRecord? {
    try db.row("SELECT \(AuthorRecord.columns) FROM author u WHERE source = $1 AND uri = $2", [source, uri])
  }

  private func twin(of uri: String, handle: String, source: String) throws -> AuthorRecord? {
    guard let id = try AuthorTwin.row(of: uri, handle: handle, source: source, in: db) else { return nil }
    return try db.row("SELECT \(AuthorRecord.columns) FROM author u WHERE id = $1", [id])
  }

  private mutating func store(_ author: Author, of post: Post) throws -> Int64 {
    let (source, server) = (post.source.rawValue, post.server)
    let uri = author.uri.storable
    let handle = author.handle.storable
    var found = try prepared.removeValue(forKey: uri) ?? read(uri, source: source)
    if found == nil { found = try twin(of: uri, handle: handle, source: source) }
    var name = author.name.storable
    let url = author.url?.storable
    var avatar = author.avatarURL?.storable
    guard let row = found else {
      return try db.insertNumbered(
        "INSERT INTO author (source, uri, server, handle, name, url, avatar_url) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [source, uri, server?.origin, handle, name, url, avatar]
      )
    }
    let id = row.id
    guard Authority.mayReplace(facts: row.uri, from: row.server, by: server) else { return id }
    if !author.isNamed {
      name = row.name
      avatar = avatar ?? row.avatarURL
    }
    let isSame = row.server == server?.origin && row.handle == handle && row.name == name && row.url == url
    if isSame, row.avatarURL == avatar { return id }
    try db.run(
      "UPDATE author SET server = $1, handle = $2, name = $3, url = $4, avatar_url = $5 WHERE id = $6",
      [server?.origin, handle, name, url, avatar, id]
    )
    if !isSamePicture(row.avatarURL, avatar, of: post) {
      try db.run(
        """
        UPDATE author SET avatar_state = 'pending', avatar_attempts = 0, avatar_next_try_at = NULL,
          avatar_failure = NULL, avatar_gone_at = NULL WHERE id = $1
        """,
        [id]
      )
    }
    if row.name != name { renamed.insert(id) }
    return id
  }

  /// Whether two addresses lead to one avatar. A feed may write new ones at each build.
  private func isSamePicture(_ one: String?, _ other: String?, of post: Post) -> Bool {
    if WebAddress.sameFile(one, other) { return true }
    guard post.identity == .page, let one = one.map(WebAddress.path), let other = other.map(WebAddress.path) else {
      return false
    }
    return one.name != nil && one.name == other.name
  }
}

/// An author's row.
private struct AuthorRecord: RowDecodable {
  static let columns = "u.id, u.uri, u.server, u.handle, u.name, u.url, u.avatar_url"

  let id: Int64
  let uri: String
  let server: String?
  let handle: String
  let name: String
  let url: String?
  let avatarURL: String?

  init(_ row: some RowReading) throws {
    id = try row["id"]
    uri = try row["uri"]
    server = try row["server"]
    handle = try row["handle"]
    name = try row["name"]
    url = try row["url"]
    avatarURL = try row["avatar_url"]
  }
}

/// Authors who are known by two names: some servers of a network tell the identity of an author, others only the handle.
enum AuthorTwin {
  /// What precedes the handle of an author of whom nothing else is known.
  static let account = "acct:"

  /// The row of an author under the other name. A row that has only the handle takes the identity.
  ///
  /// - Returns: Its number; nil if there is none.
  static func row(of uri: String, handle: String, source: String, in db: Database) throws -> Int64? {
    guard let host = handle.split(separator: "@", maxSplits: 1).last?.lowercased(), handle.contains("@") else {
      return nil
    }
    let isAccount = uri == account + handle
    guard isAccount || isIdentity(uri, at: host) else { return nil }
    let named = try db.rows(
      "SELECT id, uri FROM author WHERE \(db.folded("handle")) = \(db.folded("$1")) AND source = $2 ORDER BY id",
      [handle, source]
    ) { (id: try $0["id"] as Int64, uri: try $0["uri"] as String) }
    if isAccount { return named.first { isIdentity($0.uri, at: host) }?.id }
    guard let (id, known) = named.first(where: { $0.uri.hasPrefix(account) }) else { return nil }
    try db.run("UPDATE author SET uri = $1 WHERE id = $2", [uri, id])
    // Another library may have brought both names. The later one counts.
    try db.run(
      """
      INSERT INTO hidden (kind, source, identity, name, is_hidden, stamp)
      SELECT kind, source, $1, name, is_hidden, stamp FROM hidden
      WHERE kind = 'author' AND source = $2 AND identity = $3
      ON CONFLICT (kind, source, identity) DO UPDATE SET is_hidden = excluded.is_hidden, stamp = excluded.stamp
      WHERE excluded.stamp > hidden.stamp
      """, [uri, source, known])
    try db.run("DELETE FROM hidden WHERE kind = 'author' AND source = $1 AND identity = $2", [source, known])
    return id
  }

  /// Whether an identity is an address at the host of a handle, or below it. No server may speak for another one's authors.
  private static func isIdentity(_ uri: String, at host: String) -> Bool {
    guard let named = WebAddress.host(of: uri)?.lowercased() else { return false }
    return named == host || named.hasSuffix(".\(host)")
  }
}

/// Which server's data wins if two servers show the same thing.
enum Authority {
  /// The server that the data came from may replace it, and so may the server that the identity names.
  static func mayReplace(facts uri: String, from known: String?, by server: Server?) -> Bool {
    guard let known, let server, known != server.origin else { return true }
    return WebAddress.host(of: uri) == server.host
  }
}
