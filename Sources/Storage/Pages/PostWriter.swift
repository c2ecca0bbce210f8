import FoundationEssentials
import Machine
import Posts
import Rows

/// The result of writing a post of a page.
struct WrittenPost {
  let id: Int64
  var createdAt: String
  /// Its author's row, if this page named the author.
  var author: Int64?
  var isNew = false
  /// Whether something that people read changed, except its author's name.
  var isChanged = false
  var isDeleted = false
  /// Whether it is a feed's item whose own date of change moved.
  var isRevised = false
}

/// Writes posts with their tags and attachments. It does not touch rows of an unchanged post.
struct PostWriter {
  let db: Database
  let compressor = RawCompressor()
  var authors: AuthorWriter
  private var tags: TagWriter
  private var attachments: AttachmentWriter
  private var links: LinkWriter
  private let now: String
  /// Whether the library may have posts that pulls know only by their pages.
  let hasImports: Bool
  /// Posts of the page that are inserted already.
  var new = NewPosts()
  /// Finds items that a feed's document shows under another id and page; nil for other pages.
  var moved: MovedItems?
  /// Posts above this number are not in the search index yet.
  private var indexed: Int64

  /// Runs `body` with a writer, and then writes what the writer has queued: a transaction cannot end without it.
  ///
  /// - Parameters:
  ///   - db: The transaction.
  ///   - pictures: Whether to fetch pictures of new attachments.
  ///   - now: The time of the write.
  ///   - body: Writes posts.
  /// - Returns: The value of `body`.
  static func scope<Value>(
    in db: Database, pictures: Bool, now: String, _ body: (inout PostWriter) throws -> Value
  ) throws -> Value {
    var writer = try PostWriter(db: db, pictures: pictures, now: now)
    let value = try body(&writer)
    try writer.index()
    try writer.links.write()
    return value
  }

  private init(db: Database, pictures: Bool, now: String) throws {
    self.db = db
    self.now = now
    hasImports = try ImportedPage.mayExist(in: db)
    indexed = db.engine == .sqlite ? try db.value("SELECT coalesce(max(id), 0) FROM post") ?? 0 : .max
    authors = AuthorWriter(db: db)
    tags = TagWriter(db: db)
    links = LinkWriter(db: db)
    attachments = AttachmentWriter(db: db, state: pictures ? "pending" : "skipped")
  }

  /// Inserts the post, or updates it if the server has authority over it.
  mutating func write(_ post: Post, raw: [UInt8]) throws -> WrittenPost {
    let facts = PostFacts(post)
    if let written = new.removePost(facts) { return written }
    let known = try find(facts, isDated: post.isDated) ?? moved?.find(post, facts, in: db)
    guard let stored = known else { return try insert(post, facts, raw: raw) }
    if moved?.isUnderNewID(stored, facts) == true {
      try addAlias(MovedItems.alias(facts), source: facts.source, to: stored.id)
    }
    moved?.written.insert(stored.id)
    if !stored.isImported(unlike: facts), post.isOlder(than: stored.facts, as: facts) {
      return WrittenPost(id: stored.id, createdAt: stored.facts.createdAt, isDeleted: stored.isDeleted)
    }
    guard Authority.mayReplace(facts: stored.uri, from: stored.facts.server, by: post.server) else {
      try attachments.addAlternates(of: post.attachments, to: stored.id)
      return WrittenPost(id: stored.id, createdAt: stored.facts.createdAt, isDeleted: stored.isDeleted)
    }
    return try update(stored, post, facts, raw: raw)
  }

  /// Writes the posts' tags and attachments, and adds the new posts to the search index in batches.
  private mutating func index() throws {
    try tags.write()
    try attachments.write()
    guard db.engine == .sqlite else { return }
    let last: Int64 = try db.value("SELECT coalesce(max(id), 0) FROM post") ?? 0
    while indexed < last {
      // SQLite keeps in memory what rolling back a failed statement needs, so a statement is bounded.
      let end = min(indexed + Self.indexedAtOnce, last)
      try db.addToSearchIndex(after: indexed, upTo: end)
      indexed = end
    }
  }

  private static let indexedAtOnce: Int64 = 500

  private static let columns =
    (["source", "uri"] + PostFacts.names + ["author", "stored_at", "updated_at", "digest"]).joined(separator: ", ")
  private static let insertion = Database.insertion(into: "post", columns, PostFacts.columns.count + 6)
  private static let rewriting = """
    UPDATE post SET \(Database.assignments(PostFacts.names + ["author", "updated_at", "digest"]))
    WHERE id = $\(PostFacts.columns.count + 4)
    """

  private func row(_ facts: PostFacts, author: Int64?) -> Arguments {
    [facts.source, facts.uri] + facts.values + [author, now, now, facts.digest]
  }

  private mutating func insert(_ post: Post, _ facts: PostFacts, raw: [UInt8]) throws -> WrittenPost {
    let author = try post.author.map { try authors.write($0, of: post) }
    let id = try db.insertNumbered(Self.insertion, row(facts, author: author))
    try addAlias(facts.alias, source: facts.source, to: id)
    links.insert(id, isNew: true)
    tags.insert(post.tags, of: id, createdAt: facts.createdAt)
    attachments.insert(post.attachments, of: id)
    try keep(raw, of: id, server: facts.server)
    return WrittenPost(id: id, createdAt: facts.createdAt, author: author, isNew: true)
  }

  /// Inserts posts whose numbers are reserved.
  mutating func insert(_ posts: [(written: WrittenPost, post: Post, facts: PostFacts, raw: [UInt8])]) throws {
    let aliases = posts.compactMap { post in
      post.facts.alias.map { [post.facts.source, $0, post.written.id] as Arguments }
    }
    let raws = try posts.filter { !$0.raw.isEmpty }.map { post in
      [post.written.id, post.facts.server, now, try compressor.compress(post.raw)] as Arguments
    }
    try db.insert([
      InsertedRows(
        "INSERT INTO post (id, \(Self.columns))",
        posts.map { [$0.written.id] + row($0.facts, author: $0.written.author) }),
      InsertedRows("INSERT INTO post_alias (source, alias, post)", aliases, "ON CONFLICT DO NOTHING"),
      InsertedRows("INSERT INTO raw (post, server, pulled_at, body)", raws),
    ])
    for post in posts {
      links.insert(post.written.id, isNew: true)
      tags.insert(post.post.tags, of: post.written.id, createdAt: post.facts.createdAt)
      attachments.insert(post.post.attachments, of: post.written.id)
    }
  }

  private mutating func update(
    _ stored: PostRecord,
    _ post: Post,
    _ facts: PostFacts,
    raw: [UInt8]
  ) throws -> WrittenPost {
    var facts = facts
    if !post.isDated {
      facts.createdAt = stored.facts.createdAt
      // An item that tells only when it was last changed is as old as its first version.
      facts.editedAt = post.revisedAt.map(UTC.text).flatMap { $0 > facts.createdAt ? $0 : nil }
    }
    let isImported = stored.isImported(unlike: facts)
    if isImported { try ImportedPage.identify(stored.id, as: facts, in: db) }
    let isNewer = facts.versionAt > stored.facts.versionAt
    // An answer that does not say who may see the post takes back nothing.
    // What is assumed then counts where nothing is known.
    let isKnown = ![nil, Visibility.pending.rawValue].contains(stored.facts.visibility)
    if facts.visibility == nil || post.assumesVisibility && isKnown { facts.visibility = stored.facts.visibility }
    // So with what not every way to the post tells.
    facts.original = facts.original ?? stored.facts.original
    facts.license = facts.license ?? stored.facts.license
    let author = try post.author.map { try authors.write($0, of: post) }
    let isOther = stored.facts.server != facts.server
    let revised = facts.identity == .page ? isNewer : nil
    let pictures =
      post.listsAttachments
      ? try attachments.update(
        post.attachments, of: stored.id, otherServer: isOther, revised: isImported ? nil : revised,
        isImported: isImported)
      : .same
    // A feed shows few of its items' tags.
    let isRetagged = try tags.update(
      post.tags, of: stored.id, createdAt: facts.createdAt,
      keepsOthers: facts.identity == .page && hasImports && ImportedPage.isImported(stored.id, in: db))
    let isReworded = facts.texts != stored.facts.texts
    // What an import knew of it is no earlier wording.
    if isReworded, !isImported, facts.isEdit(of: stored.facts) {
      // A page may contain a post twice, with an edit between.
      if stored.id > indexed { try index() }
      // A text that the disk corrupted is not a revision that anybody wrote.
      if stored.isAsWritten { try keepRevision(of: stored.id, isNewer: isNewer) }
    }
    let authorID = author ?? stored.author
    let isRewritten = facts != stored.facts || stored.author != authorID
    if isRewritten {
      try rewrite(stored.id, facts, author: authorID)
      try addAlias(facts.alias, source: facts.source, to: stored.id)
    }
    if isImported || facts.url != stored.facts.url || facts.original != stored.facts.original {
      links.insert(stored.id, isNew: false)
    }
    if isRewritten || isRetagged || pictures != .same {
      try keep(raw, of: stored.id, server: facts.server)
      try Self.forgetSaid(of: stored.id, in: db)
    }
    return WrittenPost(
      id: stored.id,
      createdAt: facts.createdAt,
      author: author,
      isChanged: isReworded || isRetagged || pictures == .changed,
      isDeleted: stored.isDeleted,
      isRevised: revised == true
    )
  }

  /// Lets files be looked at anew of which the former answer said something.
  private static func forgetSaid(of post: Int64, in db: Database) throws {
    try db.run(
      """
      DELETE FROM inspection WHERE kind = 'facts' AND blob IN (
        SELECT f.blob FROM attachment a JOIN file_facts f ON f.blob = a.blob
        WHERE a.post = $1 AND (f.taken_by IS NOT NULL OR f.place_by IS NOT NULL))
      """, [post])
  }

  private func rewrite(_ id: Int64, _ facts: PostFacts, author: Int64?) throws {
    try db.run(Self.rewriting, facts.values + [author, now, facts.digest, id])
  }

  /// Keeps the stored wording, unless it was kept before and nothing says that the new one is newer: a server may show two
  /// wordings in turn.
  private func keepRevision(of id: Int64, isNewer: Bool) throws {
    try db.run(
      """
      INSERT INTO revision (post, seen_at, title, caption, caption_html, warning)
      SELECT id, $1, title, caption, caption_html, warning FROM post p
      WHERE id = $2 AND ($3 OR NOT EXISTS (
        SELECT 1 FROM revision r
        WHERE r.post = p.id AND r.title IS NOT DISTINCT FROM p.title AND r.caption = p.caption AND r.warning = p.warning))
      """,
      [now, id, isNewer]
    )
  }

  private func keep(_ raw: [UInt8], of id: Int64, server: String?) throws {
    guard !raw.isEmpty else { return }
    try db.run(
      """
      INSERT INTO raw (post, server, pulled_at, body) VALUES ($1, $2, $3, $4) ON CONFLICT (post)
      DO UPDATE SET server = excluded.server, pulled_at = excluded.pulled_at, body = excluded.body
      """,
      [id, server, now, try compressor.compress(raw)]
    )
  }

  private func addAlias(_ alias: String?, source: String, to id: Int64) throws {
    guard let alias else { return }
    try db.run(
      "INSERT INTO post_alias (source, alias, post) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [source, alias, id])
  }
}
