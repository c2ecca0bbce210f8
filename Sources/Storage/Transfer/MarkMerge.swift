import Blobs
import Rows

/// Merges marks into the library: of each that both have, the later one counts, whichever is merged into which.
struct MarkMerge {
  let db: Database
  private var highest = ""
  /// Those that are not written yet.
  private var albums: [MergedAlbum] = []

  private struct MergedAlbum {
    let identity, name, nameStamp: String
    let isDeleted: Bool
    let deletedStamp: String
  }

  init(db: Database) { self.db = db }

  /// Lets the library's next marks come after those that were merged.
  mutating func end() throws {
    try writeAlbums()
    try MarkStamp.raiseClock(to: [highest], in: db)
  }

  /// Notices a stamp. One of another form counts as the earliest there can be.
  private mutating func stamp(_ value: TransferValue) -> String {
    guard let text = value.text, MarkStamp.isValid(text) else { return "" }
    // Which rank it has does not matter to the clock.
    if text.dropFirst() > highest.dropFirst() { highest = text }
    return text
  }

  // MARK: Marks in the state of a post

  /// The state with values that a library takes. A stamp without the form of one would sort anywhere.
  mutating func checked(_ state: RecordFields<TransferColumns.State>) -> RecordFields<TransferColumns.State> {
    var state = state
    for (value, itsStamp) in TransferColumns.State.marks where state[value] != .null || state[itsStamp] != .null {
      state[itsStamp] = .text(stamp(state[itsStamp]))
    }
    if let note = state[.note].text, note.isEmpty { state[.note] = .null }
    return state
  }

  /// Takes the later of each mark.
  ///
  /// - Returns: Whether a note was kept that lost.
  mutating func merge(
    _ other: RecordFields<TransferColumns.State>, into merged: inout RecordFields<TransferColumns.State>, of post: Int64
  ) throws -> Bool {
    var isKept = false
    for (value, itsStamp) in TransferColumns.State.marks {
      guard let theirs = other[itsStamp].text else { continue }
      let ours = merged[itsStamp].text
      // Of two with one stamp, any rule will do that does not depend on which is merged into which.
      let isLater = ours.map { ($0, "\(merged[value])") < (theirs, "\(other[value])") } ?? true
      let loser = isLater ? (merged[value], ours) : (other[value], theirs)
      if isLater { (merged[value], merged[itsStamp]) = (other[value], other[itsStamp]) }
      if value == .note, let note = loser.0.text, merged[.note] != loser.0 {
        isKept = try keep(note, loser.1 ?? "", of: post) || isKept
      }
    }
    return isKept
  }

  private func keep(_ note: String, _ stamp: String, of post: Int64) throws -> Bool {
    try db.run(
      "INSERT INTO earlier_note (post, stamp, note) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [post, stamp, note.storable])
    return db.changesCount > 0
  }

  // MARK: Marks with rows of their own

  /// Merges own tags, places in albums and earlier notes.
  ///
  /// - Returns: Whether anything changed.
  mutating func merge(_ post: TransferredPost, of id: Int64) throws -> Bool {
    var isChanged = false
    for tag in post.ownTags {
      guard let name = tag[.name].text.flatMap(MarkName.ownTag) else { continue }
      try db.run(
        """
        INSERT INTO own_tag (name, post, is_set, stamp) VALUES ($1, $2, $3, $4)
        ON CONFLICT (name, post) DO UPDATE SET is_set = excluded.is_set, stamp = excluded.stamp
        WHERE excluded.stamp > own_tag.stamp OR excluded.stamp = own_tag.stamp AND excluded.is_set > own_tag.is_set
        """, [name, id, tag[.isSet].argument, stamp(tag[.stamp])])
      isChanged = isChanged || db.changesCount > 0
    }
    for entry in post.albums {
      guard let album = try entry[.album].text.flatMap(row(ofAlbum:)) else { continue }
      let key = entry[.place].text.map { PlaceKey.isKey($0) ? $0 : "a0" }
      try db.run(
        """
        INSERT INTO album_post (album, post, place, stamp) VALUES ($1, $2, $3, $4) \(Self.laterPlace)
        """, [album, id, key, stamp(entry[.stamp])])
      isChanged = isChanged || db.changesCount > 0
    }
    for note in post.earlierNotes {
      guard let text = note[.note].text else { continue }
      isChanged = try keep(text, stamp(note[.stamp]), of: id) || isChanged
    }
    return isChanged
  }

  /// The number of an album, or of the one that it became.
  private func row(ofAlbum identity: String) throws -> Int64? {
    try db.value("SELECT coalesce(same_as, id) FROM album WHERE identity = $1", [identity.storable])
  }

  /// Merges an album, as soon as all are known that may have its name.
  mutating func merge(_ album: RecordFields<TransferColumns.Album>) throws {
    guard let identity = album[.identity].text?.storable, !identity.isEmpty,
      let name = album[.name].text.flatMap(MarkName.plain)
    else { throw RefusedRecord("it has no name") }
    let (nameStamp, deletedStamp) = (stamp(album[.nameStamp]), stamp(album[.deletedStamp]))
    albums.append(
      MergedAlbum(
        identity: identity, name: name, nameStamp: nameStamp, isDeleted: album[.isDeleted] == .integer(1),
        deletedStamp: deletedStamp))
  }

  /// Writes the albums that were merged. What is deleted frees its name before others take it, and new ones come last: two of one
  /// name become one, wherever the name comes from.
  mutating func writeAlbums() throws {
    guard !albums.isEmpty else { return }
    let merged = albums
    albums = []
    for (id, album) in try known(merged) where album.isDeleted { try setDeleted(album, id) }
    repeat { try rename(try known(merged)) } while try joinOne(of: try known(merged))
    for album in merged where !album.isDeleted {
      guard let id = try row(ofAlbum: album.identity) else { continue }
      if let other = try rival(of: album, id) { try join(id, other, album) } else { try setDeleted(album, id) }
    }
    for album in merged where try row(ofAlbum: album.identity) == nil {
      let twin = try album.isDeleted ? nil : Albums(db: db).row(named: album.name)
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
  private static let laterPlace = """
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
    var renamed = try known.filter { id, album in
      try db.hasRow("SELECT 1 FROM album WHERE id = $1 AND name_stamp < $2", [id, album.nameStamp])
    }
    while true {
      let ids = Set(renamed.map(\.id))
      let free = try renamed.filter { id, album in
        let rivals = renamed.filter { $0.id != id && $0.album.name.lowercased() == album.name.lowercased() }
        return try holders(of: album.name).isSubset(of: ids)
          && rivals.allSatisfy { ($0.album.nameStamp, $0.id) < (album.nameStamp, id) }
      }
      guard free.count < renamed.count else { break }
      renamed = free
    }
    // No two albums may have one name, not even on the way.
    for (id, album) in renamed { try db.run("UPDATE album SET name = $1 WHERE id = $2", [album.identity, id]) }
    for (id, album) in renamed {
      try db.run("UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3", [album.name, album.nameStamp, id])
    }
  }

  /// The albums that have a name.
  private func holders(of name: String) throws -> Set<Int64> {
    Set(
      try db.values(
        "SELECT id FROM album WHERE is_deleted = 0 AND \(db.folded("name")) = \(db.folded("$1"))", [name]) as [Int64])
  }

  /// Merges a rule for new posts.
  mutating func merge(_ rule: RecordFields<TransferColumns.Rule>) throws {
    guard let name = rule[.name].text.flatMap(MarkName.plain) else { throw RefusedRecord("it has no name") }
    try db.run(
      """
      INSERT INTO rule (name, filter, actions, stamp) VALUES ($1, $2, $3, $4)
      ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, actions = excluded.actions, stamp = excluded.stamp
      WHERE excluded.stamp > rule.stamp
      """, [name, rule[.filter].argument, rule[.actions].text?.storable ?? "", stamp(rule[.stamp])])
  }

  /// Merges a hidden author or tag.
  mutating func merge(_ hidden: RecordFields<TransferColumns.Hidden>) throws {
    guard let kind = hidden[.kind].text, ["author", "tag"].contains(kind), let source = hidden[.source].text?.storable,
      let identity = hidden[.identity].text?.storable, !identity.isEmpty, (kind == "tag") == source.isEmpty
    else { throw RefusedRecord("it names no author and no tag") }
    try db.run(
      """
      INSERT INTO hidden (kind, source, identity, name, is_hidden, stamp) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (kind, source, identity)
      DO UPDATE SET name = excluded.name, is_hidden = excluded.is_hidden, stamp = excluded.stamp
      WHERE excluded.stamp > hidden.stamp OR excluded.stamp = hidden.stamp AND excluded.is_hidden > hidden.is_hidden
      """,
      [
        kind, source, identity, hidden[.name].text?.storable ?? identity, hidden[.isHidden] == .integer(1) ? 1 : 0,
        stamp(hidden[.stamp]),
      ])
  }

  /// Merges what was said of two pictures.
  mutating func merge(_ verdict: RecordFields<TransferColumns.Verdict>) throws {
    guard let one = verdict[.one].text.flatMap(BlobID.init), let other = verdict[.other].text.flatMap(BlobID.init),
      one.hex < other.hex, let word = verdict[.verdict].text.flatMap(SameVerdict.init)
    else { throw RefusedRecord("it names no two pictures") }
    try SameVerdict.store(word.rawValue, one.hex, other.hex, stamp: stamp(verdict[.stamp]), in: db)
  }

  /// Merges what was said of a model's tag.
  mutating func merge(_ verdict: RecordFields<TransferColumns.TagVerdict>) throws {
    guard let file = verdict[.file].text.flatMap(BlobID.init), let tag = verdict[.tag].text?.storable,
      (1...256).contains(tag.utf8.count),
      let word = verdict[.verdict].text.flatMap(MachineTagVerdict.init)
    else { throw RefusedRecord("it names no tag of a file") }
    try MachineTagVerdict.store(word.rawValue, file.hex, tag, stamp: stamp(verdict[.stamp]), in: db)
  }

  /// Merges a saved search.
  mutating func merge(_ search: RecordFields<TransferColumns.SavedSearch>) throws {
    guard let name = search[.name].text.flatMap(MarkName.plain) else { throw RefusedRecord("it has no name") }
    try db.run(
      """
      INSERT INTO saved_search (name, filter, stamp) VALUES ($1, $2, $3)
      ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, stamp = excluded.stamp
      WHERE excluded.stamp > saved_search.stamp
      """, [name, search[.filter].argument, stamp(search[.stamp])])
  }
}
