import Filters
import FoundationEssentials
import Rows

/// An album of another library.
struct MergedAlbum {
  let identity, name, nameStamp: String
  let isDeleted: Bool
  let deletedStamp: String
}

/// Merges albums into the library, and keeps what names them to what it meant.
struct AlbumMerge {
  let db: Database
  let now: Date
  /// Those that are not written yet.
  private var albums: [MergedAlbum] = []
  /// The numbers of albums here, by their names in the other library, in small letters.
  private(set) var names: [String: Int64]
  /// The names of those that were added, or that changed.
  private(set) var changed: Set<String> = []

  /// - Parameter names: The albums that were merged before.
  init(db: Database, names: [String: Int64], now: Date) { (self.db, self.names, self.now) = (db, names, now) }

  /// Adds an album, which `write` writes.
  mutating func add(_ album: MergedAlbum) { albums.append(album) }

  /// The number of an album, or of the one that it became.
  func row(ofAlbum identity: String) throws -> Int64? {
    try db.value("SELECT coalesce(same_as, id) FROM album WHERE identity = $1", [identity.storable])
  }

  /// Writes the albums that were merged. What is deleted frees its name before others take it, and new ones come last: two of one
  /// name become one, wherever the name comes from.
  mutating func write() throws {
    guard !albums.isEmpty else { return }
    let merged = albums
    albums = []
    let before = try shown()
    for (id, album) in try known(merged) where album.isDeleted { try setDeleted(album, id) }
    repeat { try rename(try known(merged)) } while try joinOne(of: try known(merged))
    for album in merged where !album.isDeleted {
      guard let id = try row(ofAlbum: album.identity) else { continue }
      if let other = try rival(of: album, id) { try join(id, other, album) } else { try bringBack(album, id) }
    }
    for album in merged where try row(ofAlbum: album.identity) == nil { try insert(album) }
    try note(merged, before: before)
  }

  private func insert(_ album: MergedAlbum) throws {
    let twin = try album.isDeleted ? nil : Albums(db: db).row(named: album.name)
    if !album.isDeleted { try endShares(naming: album.name) }
    try db.run(
      """
      INSERT INTO album (identity, name, name_stamp, is_deleted, deleted_stamp, same_as)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        album.identity, album.name, album.nameStamp, album.isDeleted || twin != nil ? 1 : 0, album.deletedStamp,
        twin?.id,
      ])
    if let twin { try raise(twin.id, album) }
  }

  /// Notes what changed, and which albums the other library's names mean.
  private mutating func note(_ merged: [MergedAlbum], before: [Int64: String]) throws {
    let after = try shown()
    changed.formUnion(after.filter { before[$0.key] != $0.value }.values)
    changed.formUnion(before.filter { after[$0.key] == nil }.values)
    for album in merged where !album.isDeleted {
      if let id = try row(ofAlbum: album.identity) { names[MarkName.folded(album.name)] = id }
    }
  }

  /// The names of those that are there.
  private func shown() throws -> [Int64: String] {
    let albums = try db.rows("SELECT id, name FROM album WHERE is_deleted = 0") {
      (try $0["id"] as Int64, try $0["name"] as String)
    }
    return Dictionary(uniqueKeysWithValues: albums)
  }

  // MARK: What names albums

  /// A filter of the other library, with the names that albums have here.
  func localized(_ filter: TransferValue) throws -> TransferValue {
    guard !names.isEmpty, let read = filter.text.flatMap({ try? Filter(parsing: $0) }) else { return filter }
    let renamed = try read.renaming(.album, localized(name:))
    return renamed == read ? filter : .text(renamed.description)
  }

  /// What a rule of the other library does, with the names that albums have here.
  func localized(actions: String) throws -> String {
    guard !names.isEmpty else { return actions }
    return try actions.split(separator: "\n").map { line in
      guard case .album(let name)? = RuleAction(line: String(line)) else { return String(line) }
      return RuleAction.album(try localized(name: name)).line
    }.joined(separator: "\n")
  }

  private func localized(name: String) throws -> String {
    guard let id = names[MarkName.plain(name).map(MarkName.folded) ?? ""] else { return name }
    let here: String? = try db.value(
      "SELECT name FROM album WHERE id = (SELECT coalesce(same_as, id) FROM album WHERE id = $1) AND is_deleted = 0",
      [id])
    return here.flatMap { MarkName.folded($0) == MarkName.folded(name) ? nil : $0 } ?? name
  }

  /// Ends the shares that name what was deleted, before another album has its name. What an album that is there means with its
  /// name, it takes along.
  private func endShares(naming name: String) throws {
    guard try holders(of: name).isEmpty else { return }
    try SavedSearches(db: db).endShares(naming: name, of: .album, now)
  }

  /// Brings an album back, if that is later. Shares that name it mean it, unless another one had its name since.
  private func bringBack(_ album: MergedAlbum, _ id: Int64) throws {
    let taken: String? = try db.value(
      """
      SELECT a.name FROM album a WHERE a.id = $1 AND a.is_deleted = 1 AND a.deleted_stamp < $2 AND EXISTS (
        SELECT 1 FROM album b WHERE b.is_deleted = 1 AND b.same_as IS NULL AND b.deleted_stamp > a.deleted_stamp
          AND \(db.folded("b.name")) = \(db.folded("a.name")))
      """, [id, album.deletedStamp])
    if let taken { try endShares(naming: taken) }
    try setDeleted(album, id)
  }

  private func known(_ merged: [MergedAlbum]) throws -> [(id: Int64, album: MergedAlbum)] {
    try merged.compactMap { album in try row(ofAlbum: album.identity).map { (id: $0, album: album) } }
  }

  /// The album that has the name which a known one is to have; nil if it is free, or if the album stays deleted.
  private func rival(of album: MergedAlbum, _ id: Int64) throws -> Int64? {
    let wanted: String? = try db.value(
      """
      SELECT CASE WHEN name_stamp < $1 THEN $2 ELSE name END FROM album
      WHERE id = $3 AND (is_deleted = 0 OR deleted_stamp < $4)
      """, [album.nameStamp, album.name, id, album.deletedStamp])
    return try wanted.flatMap { try holders(of: $0).first { $0 != id } }
  }

  /// Joins an album with the one that has its name, first such whose name does not become free by joining another one.
  private func joinOne(of known: [(id: Int64, album: MergedAlbum)]) throws -> Bool {
    let taken = try known.filter { !$0.album.isDeleted }.compactMap { id, album in
      try rival(of: album, id).map { (id: id, album: album, rival: $0) }
    }
    guard let next = taken.first(where: { one in !taken.contains { $0.id == one.rival } }) ?? taken.first else {
      return false
    }
    try join(next.id, next.rival, next.album)
    return true
  }

  /// Lets an album become another one, which has its name: libraries that have only one of the two call it so, too.
  private func join(_ id: Int64, _ other: Int64, _ album: MergedAlbum) throws {
    // Shares of one that was deleted have ended.
    if try shown()[id] != nil, let name = try shown()[other] {
      try NamingFilters.rename(albums: [id: name], in: db)
      try db.run("UPDATE share SET album = $1 WHERE album = $2", [other, id])
    }
    try db.run(
      """
      INSERT INTO album_post (album, post, place, stamp)
      SELECT $1, b.post, b.place, b.stamp FROM album_post b WHERE b.album = $2
      \(Self.laterPlace)
      """, [other, id])
    try db.run("DELETE FROM album_post WHERE album = $1", [id])
    try db.run("UPDATE album SET is_deleted = 1, same_as = $1 WHERE id = $2 OR same_as = $2", [other, id])
    try raise(other, album)
  }

  /// Lets an album count as late as the one that became it.
  private func raise(_ id: Int64, _ album: MergedAlbum) throws {
    try db.run(
      "UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3 AND name_stamp < $2",
      [album.name, album.nameStamp, id])
    try setDeleted(album, id)
  }

  /// Takes the later place of a post in an album.
  static let laterPlace = """
    ON CONFLICT (album, post) DO UPDATE SET place = excluded.place, stamp = excluded.stamp
    WHERE excluded.stamp > album_post.stamp
      OR excluded.stamp = album_post.stamp AND coalesce(excluded.place, '') > coalesce(album_post.place, '')
    """

  private func setDeleted(_ album: MergedAlbum, _ id: Int64) throws {
    try db.run(
      "UPDATE album SET is_deleted = $1, deleted_stamp = $2 WHERE id = $3 AND deleted_stamp < $2",
      [album.isDeleted ? 1 : 0, album.deletedStamp, id])
  }

  /// Gives albums their later names, all at once: they may have changed names with each other. A name that another album has by
  /// now stays with that one.
  private func rename(_ known: [(id: Int64, album: MergedAlbum)]) throws {
    let renamed = try renamed(among: known)
    guard !renamed.isEmpty else { return }
    let before = try shown()
    for (id, album) in renamed where before[id].map(MarkName.folded) != MarkName.folded(album.name) {
      try endShares(naming: album.name)
    }
    try NamingFilters.rename(albums: Dictionary(renamed.map { ($0.id, $0.album.name) }) { $1 }, in: db)
    // No two albums may have one name, not even on the way.
    for (id, album) in renamed { try db.run("UPDATE album SET name = $1 WHERE id = $2", [album.identity, id]) }
    for (id, album) in renamed {
      try db.run("UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3", [album.name, album.nameStamp, id])
    }
  }

  /// Those that get their later names.
  private func renamed(
    among known: [(id: Int64, album: MergedAlbum)]
  ) throws -> [(id: Int64, album: MergedAlbum)] {
    var renamed = try known.filter { id, album in
      try db.hasRow("SELECT 1 FROM album WHERE id = $1 AND name_stamp < $2", [id, album.nameStamp])
    }
    while true {
      let ids = Set(renamed.map(\.id))
      let free = try renamed.filter { id, album in
        let rivals = renamed.filter { $0.id != id && MarkName.folded($0.album.name) == MarkName.folded(album.name) }
        return try holders(of: album.name).isSubset(of: ids)
          && rivals.allSatisfy { ($0.album.nameStamp, $0.id) < (album.nameStamp, id) }
      }
      guard free.count < renamed.count else { return renamed }
      renamed = free
    }
  }

  /// The albums that have a name.
  private func holders(of name: String) throws -> Set<Int64> {
    Set(
      try db.values(
        "SELECT id FROM album WHERE is_deleted = 0 AND \(db.folded("name")) = \(db.folded("$1"))", [name]) as [Int64])
  }
}
