import FoundationEssentials
import Posts
import Rows

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  /// How many posts are read at once. With verbatim answers they take more memory.
  private static func batch(raw: Bool) -> Int { raw ? 50 : 250 }

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

  public func transferredPosts(
    after identity: RecordIdentity?, limit: Int
  ) throws(StorageError) -> [TransferredPost] {
    try read { db in
      let ids: [Int64] = try db.values(
        "SELECT id FROM post WHERE (source, uri) > (?, ?) ORDER BY source, uri LIMIT ?",
        [identity?.source ?? "", identity?.uri ?? "", limit])
      return try TransferReader(db: db, raw: false).posts(ids)
    }
  }

  public func transferredAuthors(
    after identity: RecordIdentity?, limit: Int
  ) throws(StorageError) -> [TransferredAuthor] {
    try read { db in
      try TransferReader(db: db, raw: false).authors(
        "(u.source, u.uri) > (?, ?) ORDER BY u.source, u.uri LIMIT ?",
        [identity?.source ?? "", identity?.uri ?? "", limit]
      ).map(\.author)
    }
  }

  public func transferredFeeds() throws(StorageError) -> [TransferredFeed] {
    try read { try TransferReader(db: $0, raw: false).feeds() }
  }

  private static func all(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    let settings = try reader.db.rows("SELECT name, value FROM setting ORDER BY name") {
      (name: try $0["name"] as String, value: try $0["value"] as String)
    }
    for setting in settings where personal.contains(setting.name) {
      try body(.setting(name: setting.name, value: setting.value))
    }
    for feed in try reader.feeds() { try body(.feed(feed)) }
    try authors(reader, body)
    try posts(reader, body)
    try unreadable(reader, body)
  }

  /// The settings that are the person's, wherever the library is. Sizes and programs are the machine's.
  private static let personal: Set<String> = ["avatars", "view", "refresh", "animation", "trash", "gc-grace"]

  private static func authors(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    var last: Int64 = .min
    while true {
      let authors = try reader.authors("u.id > ? ORDER BY u.id LIMIT ?", [last, batch(raw: false)])
      guard let end = authors.last?.id else { return }
      for author in authors { try body(.author(author.author)) }
      last = end
    }
  }

  private static func posts(_ reader: TransferReader, _ body: (LibraryRecord) throws -> Void) throws {
    var last: Int64 = .min
    while true {
      let ids: [Int64] = try reader.db.values(
        "SELECT id FROM post WHERE id > ? ORDER BY id LIMIT ?", [last, batch(raw: reader.raw)])
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
        FROM unreadable u JOIN feed f ON f.id = u.feed WHERE u.id > ? ORDER BY u.id LIMIT 20
        """, [last]
      ) { try $0.contents }
      guard let end = rows.last?.last?.integer else { return }
      for var row in rows {
        row.removeLast()
        if case .blob(let frame) = row[5], let body = RawBytes.decompress(frame) { row[5] = .blob(body) }
        try body(.unreadable(row))
      }
      last = end
    }
  }

  private func ids(_ query: PostQuery, in db: Database) throws -> [Int64] {
    let start = try query.before.map { before in
      guard let createdAt: String = try db.value("SELECT created_at FROM post WHERE id = ?", [before]) else {
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
        SELECT b.feed, b.repeated_by FROM json_each(?) j CROSS JOIN feed_post b INDEXED BY feed_post_post
          ON b.post = j.value
        """, [batch.jsonList]
      ) { row in
        feeds.insert(try row["feed"])
        if let author: Int64 = try row["repeated_by"] { authors.insert(author) }
      }
      authors.formUnion(
        try reader.db.values(
          "SELECT author FROM post WHERE id IN (SELECT value FROM json_each(?)) AND author IS NOT NULL",
          [batch.jsonList]))
    }
    for feed in try reader.feeds(Array(feeds)) { try body(.feed(feed)) }
    let wanted = authors.sorted()
    for start in stride(from: 0, to: wanted.count, by: size) {
      let part = wanted[start..<min(start + size, wanted.count)]
      let found = try reader.authors("u.id IN (SELECT value FROM json_each(?)) ORDER BY u.id", [part.jsonList])
      for author in found { try body(.author(author.author)) }
    }
    for batch in batches {
      for var post in try reader.posts(batch) {
        for index in post.items.indices { (post.items[index][2], post.items[index][3]) = (.null, .null) }
        try body(.post(post))
      }
    }
  }
}
