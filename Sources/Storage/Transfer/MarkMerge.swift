import Blobs
import Filters
import FoundationEssentials
import Rows

/// Merges marks into the library: of each that both have, the later one counts, whichever is merged into which.
struct MarkMerge {
  let db: Database
  private let now: Date
  private var highest = ""
  private(set) var albums: AlbumMerge
  /// Albums that got a post, or another place of one.
  private var filled: Set<Int64> = []
  /// What was added or changed.
  private(set) var changed = MergedMarks()

  init(db: Database, albumNames: [String: Int64], now: Date) {
    (self.db, self.now) = (db, now)
    albums = AlbumMerge(db: db, names: albumNames, now: now)
  }

  /// Lets the library's next marks come after those that were merged.
  mutating func end() throws {
    try writeAlbums()
    let names: [String] = try filled.compactMap {
      try db.value("SELECT name FROM album WHERE id = $1 AND is_deleted = 0", [$0])
    }
    changed.albums = albums.changed.union(names)
    try MarkStamp.raiseClock(to: [highest], in: db)
  }

  /// Writes the albums that were merged.
  mutating func writeAlbums() throws { try albums.write() }

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
      guard let album = try entry[.album].text.flatMap(albums.row) else { continue }
      let key = entry[.place].text.map { PlaceKey.isKey($0) ? $0 : "a0" }
      try db.run(
        """
        INSERT INTO album_post (album, post, place, stamp) VALUES ($1, $2, $3, $4) \(AlbumMerge.laterPlace)
        """, [album, id, key, stamp(entry[.stamp])])
      guard db.changesCount > 0 else { continue }
      filled.insert(album)
      isChanged = true
    }
    for note in post.earlierNotes {
      guard let text = note[.note].text else { continue }
      isChanged = try keep(text, stamp(note[.stamp]), of: id) || isChanged
    }
    return isChanged
  }

  /// Merges an album, as soon as all are known that may have its name.
  mutating func merge(_ album: RecordFields<TransferColumns.Album>) throws {
    guard let identity = album[.identity].text?.storable, !identity.isEmpty,
      let name = album[.name].text.flatMap(MarkName.plain)
    else { throw RefusedRecord("it has no name") }
    let (nameStamp, deletedStamp) = (stamp(album[.nameStamp]), stamp(album[.deletedStamp]))
    albums.add(
      MergedAlbum(
        identity: identity, name: name, nameStamp: nameStamp, isDeleted: album[.isDeleted] == .integer(1),
        deletedStamp: deletedStamp))
  }

  // MARK: Saved searches and rules

  /// A row of them.
  private struct Named {
    let name: String
    /// NULL if it was removed.
    let filter: TransferValue
    let actions: String
    let stamp: String
    /// How many of the posts that the filter names nobody can tell.
    let unknown: Int

    var isThere: Bool { filter != .null }

    /// A change that gives another name removes the old one: what is there counts. Of two copies of one change, that counts
    /// which still says what posts it names.
    func isEarlier(than other: Named) -> Bool {
      (stamp, isThere ? 1 : 0, -unknown) < (other.stamp, other.isThere ? 1 : 0, -other.unknown)
    }
  }

  private func named(_ name: String, _ filter: TransferValue, _ actions: String, _ stamp: String) throws -> Named {
    let unknown = try NamedPosts(db: db).unknown(in: filter)
    return Named(name: name, filter: filter, actions: actions, stamp: stamp, unknown: unknown)
  }

  /// A filter of the other library, with what its names are here.
  private func localized(_ filter: TransferValue) throws -> TransferValue {
    NamedPosts.arriving(try albums.localized(filter))
  }

  /// Merges a rule for new posts.
  mutating func merge(_ rule: RecordFields<TransferColumns.Rule>) throws {
    guard let name = rule[.name].text.flatMap(MarkName.plain) else { throw RefusedRecord("it has no name") }
    let actions = try albums.localized(actions: rule[.actions].text?.storable ?? "")
    let row = try named(name, try localized(rule[.filter]), actions, stamp(rule[.stamp]))
    let isChanged = try merge(row, into: "rule") { _ in
      try db.run(
        """
        INSERT INTO rule (name, filter, actions, stamp) VALUES ($1, $2, $3, $4)
        ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, actions = excluded.actions, stamp = excluded.stamp
        """, [name, row.filter.argument, row.actions, row.stamp])
    }
    guard isChanged else { return }
    changed.rules.insert(name)
    try db.run("DELETE FROM rule_failure WHERE rule NOT IN (SELECT name FROM rule WHERE filter IS NOT NULL)")
  }

  /// Merges a saved search.
  mutating func merge(_ search: RecordFields<TransferColumns.SavedSearch>) throws {
    guard let name = search[.name].text.flatMap(MarkName.plain) else { throw RefusedRecord("it has no name") }
    let row = try named(name, try localized(search[.filter]), "", stamp(search[.stamp]))
    let isChanged = try merge(row, into: "saved_search") { held in
      // One that was only written in other letters is the one that shares mean.
      let isNew = held.allSatisfy { !$0.isThere && ($0.stamp != row.stamp || $0.name == name) }
      if isNew, row.isThere { try SavedSearches(db: db).endShares(naming: name, of: .saved, now) }
      try db.run(
        """
        INSERT INTO saved_search (name, filter, stamp) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, stamp = excluded.stamp
        """, [name, row.filter.argument, row.stamp])
    }
    if isChanged { changed.searches.insert(name) }
  }

  /// Merges a row, if it is the latest of its name. Two libraries may have written the name in other letters: those that it
  /// replaces are removed, as if it had got their name.
  ///
  /// - Returns: Whether people see a change.
  private func merge(_ row: Named, into table: String, _ write: ([Named]) throws -> Void) throws -> Bool {
    let held = try db.rows(
      """
      SELECT name, filter, \(table == "rule" ? "actions" : "''") AS actions, stamp FROM \(table)
      WHERE \(db.folded("name")) = \(db.folded("$1"))
      """, [row.name]
    ) {
      try named($0["name"], ColumnContent(try $0["filter"] as String?), $0["actions"], $0["stamp"])
    }
    let isLatest = held.allSatisfy { $0.isEarlier(than: row) }
    let shown = held.filter(\.isThere)
    let gone = shown.filter { $0.isEarlier(than: row) && !(isLatest && $0.name == row.name) }
    if isLatest { try write(held) }
    for old in gone {
      try db.run("UPDATE \(table) SET filter = NULL, stamp = $1 WHERE name = $2", [row.stamp, old.name])
    }
    guard isLatest else { return !gone.isEmpty }
    guard row.isThere, shown.count == 1 else { return row.isThere || !shown.isEmpty }
    return shown[0].name != row.name || shown[0].filter != row.filter || shown[0].actions != row.actions
  }

  /// Merges a hidden author or tag.
  mutating func merge(_ hidden: RecordFields<TransferColumns.Hidden>) throws {
    guard let kind = hidden[.kind].text, ["author", "tag"].contains(kind), let source = hidden[.source].text?.storable,
      let identity = hidden[.identity].text?.storable, !identity.isEmpty, (kind == "tag") == source.isEmpty
    else { throw RefusedRecord("it names no author and no tag") }
    let isHidden: Int64 = hidden[.isHidden] == .integer(1) ? 1 : 0
    let wasHidden: Int64? = try db.value(
      "SELECT is_hidden FROM hidden WHERE kind = $1 AND source = $2 AND identity = $3", [kind, source, identity])
    try db.run(
      """
      INSERT INTO hidden (kind, source, identity, name, is_hidden, stamp) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (kind, source, identity)
      DO UPDATE SET name = excluded.name, is_hidden = excluded.is_hidden, stamp = excluded.stamp
      WHERE excluded.stamp > hidden.stamp OR excluded.stamp = hidden.stamp AND excluded.is_hidden > hidden.is_hidden
      """,
      [
        kind, source, identity, hidden[.name].text?.storable ?? identity, isHidden, stamp(hidden[.stamp]),
      ])
    if db.changesCount > 0, (wasHidden ?? 0) != isHidden { changed.hidden.insert("\(kind) \(source) \(identity)") }
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
}
