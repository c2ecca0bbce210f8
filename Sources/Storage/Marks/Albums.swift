import Filters
import FoundationEssentials
import Posts
import Rows

/// An ordered set of posts that the person fills.
public struct StoredAlbum: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// Its name.
  public let name: String
  /// How many posts it has, without deleted ones.
  public let posts: Int
}

extension Store {
  /// The albums, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func albums() throws(StorageError) -> [StoredAlbum] {
    try read { db in
      try db.rows(
        """
        SELECT a.id, a.name, (SELECT count(*) FROM album_post b WHERE b.album = a.id AND b.place IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = b.post AND s.deleted_at IS NOT NULL)) AS posts
        FROM album a WHERE a.is_deleted = 0 ORDER BY \(db.folded("a.name"))
        """
      ) { StoredAlbum(id: try $0["id"], name: try $0["name"], posts: try $0["posts"]) }
    }
  }

  /// The names of the albums, in order.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func albumNames() throws(StorageError) -> [String] {
    try read { db in try db.values("SELECT name FROM album WHERE is_deleted = 0 ORDER BY \(db.folded("name"))") }
  }

  /// The posts of an album in its order, deleted ones left out.
  ///
  /// - Throws: `MarkError.noAlbum`; `StorageError` if the library cannot be read.
  public func posts(ofAlbum name: String) throws -> [Int64] {
    var failure: MarkError?
    let posts: [Int64] = try read { db in
      let album: (id: Int64, name: String)
      do { album = try Albums(db: db).expected(name) } catch let error as MarkError {
        failure = error
        return []
      }
      return try db.values(
        """
        SELECT b.post FROM album_post b WHERE b.album = $1 AND b.place IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = b.post AND s.deleted_at IS NOT NULL)
        ORDER BY b.place, b.stamp, b.post
        """, [album.id])
    }
    if let failure { throw failure }
    return posts
  }

  /// Makes an album.
  ///
  /// - Throws: `MarkError` for a name that cannot be one, or that an album has; `StorageError`.
  @discardableResult
  public func createAlbum(_ name: String, by marker: Marker, now: Date) throws -> Marking {
    let plain = try Albums.plain(name)
    return try changingMarks("album create \(plain)", [], by: marker, now: now) { writer, _ in
      try Albums(db: writer.db).create(plain, &writer)
    }
  }

  /// Gives an album another name, also where filters and rules name it.
  ///
  /// - Throws: `MarkError` for a name that cannot be one, or that an album has; `StorageError`.
  @discardableResult
  public func renameAlbum(_ name: String, to new: String, by marker: Marker, now: Date) throws -> Marking {
    let plain = try Albums.plain(new)
    return try changingMarks("album rename \(name)", [], by: marker, now: now) { writer, _ in
      let albums = Albums(db: writer.db)
      let album = try albums.expected(name)
      if let other = try albums.row(named: plain), other.id != album.id { throw MarkError.albumExists(other.name) }
      guard album.name != plain else { return }
      if MarkName.folded(album.name) != MarkName.folded(plain) {
        try SavedSearches(db: writer.db).endShares(naming: plain, of: .album, now)
      }
      try NamingFilters(album: album.id, in: writer.db).rename(to: plain, &writer)
      try writer.remember("album-name", String(album.id), album.name, written: plain)
      try writer.db.run(
        "UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3", [plain, writer.stamp.text, album.id])
      try albums.announce()
    }
  }

  /// Deletes an album. Its posts stay.
  ///
  /// - Throws: `MarkError.noAlbum`; `StorageError`.
  @discardableResult
  public func deleteAlbum(_ name: String, by marker: Marker, now: Date) throws -> Marking {
    try changingMarks("album delete \(name)", [], by: marker, now: now) { writer, _ in
      let albums = Albums(db: writer.db)
      let album = try albums.expected(name)
      try SavedSearches(db: writer.db).rememberShares(naming: album.name, of: .album, &writer)
      try writer.remember("album-deleted", String(album.id), "0", written: "1")
      try writer.db.run(
        "UPDATE album SET is_deleted = 1, deleted_stamp = $1 WHERE id = $2", [writer.stamp.text, album.id])
      try albums.announce()
    }
  }

  /// Adds posts to the end of an album, in this order. Those that it has stay where they are.
  ///
  /// - Throws: `MarkError.noAlbum`; `StorageError`.
  @discardableResult
  public func add(
    _ ids: [Int64], toAlbum name: String, by marker: Marker, now: Date, dryRun: Bool = false
  ) throws -> Marking {
    try changingMarks("album add \(name)", ids, by: marker, now: now, dryRun: dryRun) { writer, posts in
      let albums = Albums(db: writer.db)
      try albums.add(posts, to: albums.expected(name).id, &writer)
    }
  }

  /// Takes posts out of an album.
  ///
  /// - Throws: `MarkError.noAlbum`; `StorageError`.
  @discardableResult
  public func remove(
    _ ids: [Int64], fromAlbum name: String, by marker: Marker, now: Date, dryRun: Bool = false
  ) throws -> Marking {
    try changingMarks("album remove \(name)", ids, by: marker, now: now, dryRun: dryRun) { writer, posts in
      let album = try Albums(db: writer.db).expected(name)
      try writer.set(.album(album.id), posts.map { ($0, nil) })
    }
  }

  /// Moves a post within an album.
  ///
  /// - Parameter next: The post that it is to stand before; nil for the end.
  /// - Throws: `MarkError` if there is no such album, or if it lacks one of the posts; `StorageError`.
  @discardableResult
  public func move(_ post: Int64, inAlbum name: String, before next: Int64?, by marker: Marker, now: Date) throws
    -> Marking
  {
    try changingMarks("album move \(name)", [post], by: marker, now: now) { writer, posts in
      let albums = Albums(db: writer.db)
      let album = try albums.expected(name)
      for wanted in [next, post].compactMap(\.self) where try albums.place(of: wanted, in: album.id) == nil {
        throw MarkError.notInAlbum(post: wanted, album: album.name)
      }
      guard !posts.isEmpty, post != next else { return }
      let key = try albums.place(of: post, before: next, in: album.id, &writer)
      try writer.set(.album(album.id), [(post, key)])
    }
  }
}

/// Reads and writes albums in a transaction.
struct Albums {
  let db: Database

  static func plain(_ name: String) throws(MarkError) -> String {
    guard let plain = MarkName.plain(name) else { throw .name(name) }
    return plain
  }

  /// The album of a name; nil if there is none.
  func row(named name: String) throws -> (id: Int64, name: String)? {
    let plain = MarkName.plain(name) ?? ""
    return try db.row(
      "SELECT id, name FROM album WHERE is_deleted = 0 AND \(db.folded("name")) = \(db.folded("$1"))", [plain]
    ) { (id: try $0["id"], name: try $0["name"]) }
  }

  /// A name that no other album has: the name itself, or the first that is free with a number behind it.
  func freeName(like name: String, of id: Int64) throws -> String {
    try MarkName.free(like: name) { try row(named: $0).map { $0.id != id } ?? false }
  }

  func expected(_ name: String) throws -> (id: Int64, name: String) {
    if let album = try row(named: name) { return album }
    let names: [String] = try db.values("SELECT name FROM album WHERE is_deleted = 0 LIMIT 1000")
    throw MarkError.noAlbum(name, nearest: Spelling.nearest(to: name, among: names))
  }

  @discardableResult
  func create(_ name: String, _ writer: inout MarkWriter) throws -> Int64 {
    if let other = try row(named: name) { throw MarkError.albumExists(other.name) }
    try SavedSearches(db: db).endShares(naming: name, of: .album, writer.now)
    // Stamps are unique, and so is this one in its change.
    let identity = "\(writer.stamp.text.dropFirst(2)) \(name)"
    let id = try insert(identity: identity, name: name, stamp: writer.stamp.text)
    try writer.remember("album-deleted", String(id), "1", written: "0")
    try announce()
    return id
  }

  /// Tells whoever shows the names of albums that there are others, also of an album that has no posts.
  func announce() throws {
    // A change of post 0, which is none, says that lists hold other posts than before.
    try db.insert("INSERT INTO change (post)", [[0]])
  }

  func insert(identity: String, name: String, stamp: String) throws -> Int64 {
    try db.insertNumbered(
      "INSERT INTO album (identity, name, name_stamp, deleted_stamp) VALUES ($1, $2, $3, $3)", [identity, name, stamp])
  }

  // MARK: Places

  /// Adds posts to the end of an album, in this order. Those that it has stay where they are.
  func add(_ posts: [Int64], to album: Int64, _ writer: inout MarkWriter) throws {
    let current = try MarkColumn.album(album).current(of: posts, in: db)
    let new = posts.filter { current[$0].flatMap(\.value) == nil }
    try writer.set(.album(album), keys(for: new, atEndOf: album, &writer))
  }

  func place(of post: Int64, in album: Int64) throws -> String? {
    try db.value("SELECT place FROM album_post WHERE album = $1 AND post = $2", [album, post])
  }

  /// Keys behind all posts of an album.
  func keys(for posts: [Int64], atEndOf album: Int64, _ writer: inout MarkWriter) throws -> [(
    post: Int64, value: String?
  )] {
    var last = try self.last(of: album)
    var keys: [(post: Int64, value: String?)] = []
    for post in posts {
      var next = PlaceKey.between(last, nil)
      if next.map({ $0.utf8.count > PlaceKey.longest }) ?? true, keys.isEmpty {
        try number(album, &writer)
        next = PlaceKey.between(try self.last(of: album), nil)
      }
      last = next
      keys.append((post, next))
    }
    return keys
  }

  /// A key before a post, or behind all.
  func place(of post: Int64, before next: Int64?, in album: Int64, _ writer: inout MarkWriter) throws -> String? {
    for isNumbered in [false, true] {
      let order: [(post: Int64, place: String)]
      if let next {
        order = try db.rows(
          """
          SELECT b.post, b.place FROM album_post b, album_post n
          WHERE n.album = $1 AND n.post = $2 AND b.album = $1 AND b.place IS NOT NULL AND b.post <> $3
            AND (b.place, b.stamp, b.post) <= (n.place, n.stamp, n.post)
          ORDER BY b.place DESC, b.stamp DESC, b.post DESC LIMIT 2
          """, [album, next, post]
        ) { (post: try $0["post"], place: try $0["place"]) }
      } else {
        order = try last(of: album).map { [(post: Int64(0), place: $0)] } ?? []
      }
      let (low, high) = next == nil ? (order.first?.place, nil) : (order.dropFirst().first?.place, order.first?.place)
      if let key = PlaceKey.between(low, high), key.utf8.count <= PlaceKey.longest { return key }
      if !isNumbered { try number(album, &writer) }
    }
    return nil
  }

  private func last(of album: Int64) throws -> String? {
    try db.value(
      "SELECT place FROM album_post WHERE album = $1 AND place IS NOT NULL ORDER BY place DESC LIMIT 1", [album])
  }

  /// Gives all posts of an album new keys, in the order in which they stand.
  private func number(_ album: Int64, _ writer: inout MarkWriter) throws {
    let posts: [Int64] = try db.values(
      "SELECT post FROM album_post WHERE album = $1 AND place IS NOT NULL ORDER BY place, stamp, post", [album])
    var (last, values): (String?, [(post: Int64, value: String?)]) = (nil, [])
    for post in posts {
      last = PlaceKey.between(last, nil)
      values.append((post, last))
    }
    try writer.set(.album(album), values)
  }
}
