import Rows

extension Store {
  /// How many posts are read at once. With verbatim answers they take more memory.
  private static func batch(raw: Bool) -> Int { raw ? 50 : 250 }

  /// Calls `body` with every record of the library, or with the posts of a query and what they need: settings, feeds,
  /// albums, saved searches, authors, posts in the order in which they were stored, items that could not be read.
  ///
  /// All of it is one snapshot, whatever others write meanwhile. Memory does not grow with the library. The write-ahead log
  /// grows by what others write until this returns.
  ///
  /// - Parameters:
  ///   - query: The posts; nil for everything, deleted posts and coverage included.
  ///   - raw: Whether posts have their verbatim answers.
  /// - Throws: `StorageError`, or what `body` throws, which ends the iteration.
  public func eachRecord(of query: PostQuery?, raw: Bool, _ body: (LibraryRecord) throws -> Void) throws {
    // An error of `body` is not the store's.
    var failure: (any Error)?
    try stream { db in
      func record(_ record: LibraryRecord) throws {
        do { try body(record) } catch {
          failure = error
          throw error
        }
      }
      do {
        let reader = TransferReader(db: db, raw: raw)
        if let query { try Self.each(try ids(query, in: db), reader, record) } else { try Self.all(reader, record) }
      } catch { if failure == nil { throw error } }
    }
    if let failure { throw failure }
  }

  /// The posts after an identity, deleted ones included, ordered by source and URI, without their verbatim answers.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func transferredPosts(
    after identity: RecordIdentity?, limit: Int
  ) throws(StorageError) -> [TransferredPost] {
    try read { db in
      let ids: [Int64] = try db.values(
        "SELECT id FROM post WHERE (source, uri) > ($1, $2) ORDER BY source, uri LIMIT $3",
        [identity?.source ?? "", identity?.uri ?? "", limit])
      return try TransferReader(db: db, raw: false).posts(ids)
    }
  }

  /// The authors after an identity, ordered by source and URI.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func transferredAuthors(
    after identity: RecordIdentity?, limit: Int
  ) throws(StorageError) -> [TransferredAuthor] {
    try read { db in
      try TransferReader(db: db, raw: false).authors(
        "(u.source, u.uri) > ($1, $2) ORDER BY u.source, u.uri LIMIT $3",
        [identity?.source ?? "", identity?.uri ?? "", limit]
      ).map(\.author)
    }
  }

  /// All feeds, by name, with what is known of them.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func transferredFeeds() throws(StorageError) -> [TransferredFeed] {
    try read { try TransferReader(db: $0, raw: false).feeds() }
  }

  /// All albums, saved searches, rules, and hidden authors and tags, also those that were removed. An album that became another
  /// one has the name of that.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func transferredMarks() throws(StorageError) -> [LibraryRecord] {
    try read { db in
      let reader = TransferReader(db: db, raw: false)
      let albums = try reader.albums().map { LibraryRecord.album($0) }
      return try albums + reader.searches().map { .search($0) } + reader.rules().map { .rule($0) }
        + reader.hidden().map { .hidden($0) }
    }
  }

  private static func all(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    let settings = try reader.db.rows("SELECT name, value FROM setting ORDER BY name") {
      (name: try $0["name"] as String, value: try $0["value"] as String)
    }
    for setting in settings where personal.contains(setting.name) {
      try body(.setting(name: setting.name, value: setting.value))
    }
    for album in try reader.albums() { try body(.album(album)) }
    for search in try reader.searches() { try body(.search(search)) }
    for rule in try reader.rules() { try body(.rule(rule)) }
    for hidden in try reader.hidden() { try body(.hidden(hidden)) }
    for verdict in try reader.verdicts() { try body(.verdict(verdict)) }
    for verdict in try reader.tagVerdicts() { try body(.tagVerdict(verdict)) }
    for feed in try reader.feeds() { try body(.feed(feed)) }
    try authors(reader, body)
    try posts(reader, body)
    try unreadable(reader, body)
  }

  /// The settings that are the person's, wherever the library is. Sizes and programs are the machine's.
  private static let personal: Set<String> = ["avatars", "view", "refresh", "animation", "trash", "gc-grace", "fold"]

  private static func authors(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    var last: Int64 = .min
    while true {
      let authors = try reader.authors("u.id > $1 ORDER BY u.id LIMIT $2", [last, batch(raw: false)])
      guard let end = authors.last?.id else { return }
      for author in authors { try body(.author(author.author)) }
      last = end
    }
  }

  private static func posts(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    var last: Int64 = .min
    while true {
      let ids: [Int64] = try reader.db.values(
        "SELECT id FROM post WHERE id > $1 ORDER BY id LIMIT $2", [last, batch(raw: reader.raw)])
      guard let first = ids.first, let end = ids.last else { return }
      for post in try reader.posts(.range(first...end)) { try body(.post(post)) }
      last = end
    }
  }

  private static func unreadable(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    var last: Int64 = .min
    while true {
      let rows = try reader.db.rows(
        """
        SELECT f.name, u.digest, u.remote_id, u.reason, u.pulled_at, u.body, u.id
        FROM unreadable u JOIN feed f ON f.id = u.feed WHERE u.id > $1 ORDER BY u.id LIMIT 20
        """, [last]
      ) { row in
        var values = try row.contents
        let id = values.removeLast().integer
        return (id: id, item: RecordFields<TransferColumns.Unreadable>(values))
      }
      guard let end = rows.last?.id else { return }
      for var item in rows.map(\.item) {
        if case .blob(let frame) = item[.body], let body = RawBytes.decompress(frame) { item[.body] = .blob(body) }
        try body(.unreadable(item))
      }
      last = end
    }
  }

  private func ids(_ query: PostQuery, in db: Database) throws -> [Int64] {
    let start = try query.before.map { before in
      guard let createdAt: String = try db.value("SELECT created_at FROM post WHERE id = $1", [before]) else {
        throw StorageError.unknownPosts([before])
      }
      return PostKey(createdAt: createdAt, id: before)
    }
    let keys = try PostPlan(query.list, in: db).keys(
      PostSelection.ScanRange(start: start), limit: query.limit ?? .max, in: db)
    return keys.map(\.id).sorted()
  }

  /// Some posts, with the feeds and the authors that they name. A part of a feed's posts claims no coverage.
  private static func each(
    _ ids: [Int64], _ reader: TransferReader, _ body: (LibraryRecord) throws -> Void
  ) throws {
    var (feeds, authors): (Set<Int64>, Set<Int64>) = ([], [])
    let size = batch(raw: reader.raw)
    let batches = stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
    for batch in batches {
      try reader.db.rows(
        """
        SELECT b.feed, b.repeated_by FROM \(reader.db.each)($1) j \(reader.db.crossJoin) feed_post b \(reader.db.index("feed_post_post"))
          ON b.post = j.value
        """, [batch.jsonList]
      ) { row in
        feeds.insert(try row["feed"])
        if let author: Int64 = try row["repeated_by"] { authors.insert(author) }
      }
      authors.formUnion(
        try reader.db.values(
          "SELECT author FROM post WHERE id IN (SELECT value FROM \(reader.db.each)($1)) AND author IS NOT NULL",
          [batch.jsonList]))
    }
    var albums: Set<String> = []
    for batch in batches {
      for album in try reader.albums(of: batch) where albums.insert(album[.identity].text ?? "").inserted {
        try body(.album(album))
      }
    }
    for feed in try reader.feeds(Array(feeds)) { try body(.feed(feed)) }
    let wanted = authors.sorted()
    for start in stride(from: 0, to: wanted.count, by: size) {
      let part = wanted[start..<min(start + size, wanted.count)]
      let found = try reader.authors("u.id IN (SELECT value FROM \(reader.db.each)($1)) ORDER BY u.id", [part.jsonList])
      for author in found { try body(.author(author.author)) }
    }
    for batch in batches {
      for var post in try reader.posts(batch) {
        for index in post.items.indices { (post.items[index][.coverage], post.items[index][.place]) = (.null, .null) }
        try body(.post(post))
      }
    }
  }
}
