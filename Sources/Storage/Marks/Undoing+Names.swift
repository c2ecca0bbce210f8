import Filters
import Rows

// Albums and saved searches, whose names others may have by now.

extension Undoing {
  /// What a change wrote that has a name.
  private typealias Named = (mark: String, name: String, value: String?, written: String?)

  /// Takes the rename of an album or a saved search back.
  ///
  /// - Returns: Whether the change is one.
  mutating func undoRename() throws -> Bool {
    let rows: [Named] = try db.rows(
      """
      SELECT mark, name, value, written FROM mark_before
      WHERE change = $1 AND mark IN ('album-name', 'search', 'rule', 'share')
      """, [change]
    ) { (mark: try $0["mark"], name: try $0["name"], value: try $0["value"], written: try $0["written"]) }
    let searches = rows.filter { $0.mark == "search" }
    if let album = rows.first(where: { $0.mark == "album-name" }) {
      try undoRename(ofAlbum: album, rows)
    } else if let old = searches.first(where: { $0.value != nil && $0.written == nil }),
      let new = searches.first(where: { $0.value == nil && $0.written != nil })
    {
      try undoRename(ofSearch: old, to: new, rows)
    } else {
      return false
    }
    return true
  }

  private mutating func undoRename(ofAlbum row: Named, _ rows: [Named]) throws {
    let albums = Albums(db: db)
    guard let old = row.value, let album = try album(Int64(row.name) ?? 0), !album.isDeleted, album.name == row.written,
      known.contains(album.nameStamp), try changedLater(row.mark, row.name, [(0, nil, nil)]).isEmpty
    else { return kept += 1 }
    let name = try albums.freeName(like: old, of: album.id)
    try rename(
      NamingFilters(album: album.id, in: db), of: .album, from: album.name, to: name, name == old ? rows : [])
    try db.run("UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3", [name, stamp.text, album.id])
    if name != old { renamed.append(name) }
    try albums.announce()
  }

  private mutating func undoRename(ofSearch old: Named, to new: Named, _ rows: [Named]) throws {
    let searches = SavedSearches(db: db)
    guard let search = try searches.row(named: new.name), search.name == new.name, try !isRemovedLater(new.name)
    else { return kept += 1 }
    let name = try searches.freeName(like: old.name, besides: new.name)
    let others = rows.filter { $0.mark != "search" || ![old.name, new.name].contains($0.name) }
    try rename(
      NamingFilters(search: new.name, in: db), of: .saved, from: new.name, to: name, name == old.name ? others : [])
    // It may name itself.
    let filter = try searches.expected(new.name).filter
    var writer = MarkWriter(undoingBy: stamp, now: now, in: db)
    try searches.write(nil, as: new.name, &writer)
    try searches.write(name == old.name && search.filter == new.written ? old.value : filter, as: name, &writer)
    if name != old.name { renamedSearches.append(name) }
  }

  /// Whether somebody deleted or renamed a saved search since. Another one may have its name.
  private func isRemovedLater(_ search: String) throws -> Bool {
    try db.hasRow(
      """
      SELECT 1 FROM mark_change c \(db.crossJoin) mark_before b ON b.change = c.id
      WHERE c.id > $1 AND b.mark = 'search' AND b.name = $2 AND b.written IS NULL
      """, [change, search])
  }

  /// Writes the name that an album or a saved search gets wherever its present one stands, also in what was made since.
  ///
  /// - Parameter rows: What is to be as it was before, letter by letter, if nobody changed it.
  private func rename(
    _ naming: NamingFilters, of key: FilterKey, from present: String, to name: String, _ rows: [Named]
  ) throws {
    let searches = SavedSearches(db: db)
    if MarkName.folded(name) != MarkName.folded(present) { try searches.endShares(naming: name, of: key, now) }
    var writer = MarkWriter(undoingBy: stamp, now: now, in: db)
    for row in rows {
      switch row.mark {
      case "search":
        if let search = try searches.row(named: row.name), search.name == row.name, search.filter == row.written {
          try searches.write(row.value, as: row.name, &writer)
        }
      case "rule":
        _ = try RuleRunner.restore(
          row.name, row.value, written: row.written, from: known, stamp: stamp.text, in: db)
      case "share":
        try db.run(
          "UPDATE share SET filter = $1 WHERE token_hash = $2 AND filter = $3", [row.value, row.name, row.written])
      default: break
      }
    }
    try naming.rename(to: name, &writer)
  }

  /// Brings a deleted album back, or takes back that it was made.
  ///
  /// - Returns: Whether it could be. One that has posts by now stays.
  mutating func restoreAlbum(_ id: Int64, _ before: Before) throws -> Bool {
    let albums = Albums(db: db)
    let isDeleted = before.value == "1"
    guard let album = try album(id), album.isDeleted != isDeleted, known.contains(album.deletedStamp),
      try !(isDeleted && db.hasRow("SELECT 1 FROM album_post WHERE album = $1 AND place IS NOT NULL", [album.id]))
    else { return false }
    if !isDeleted {
      let name = try albums.freeName(like: album.name, of: album.id)
      try endShares(naming: name, of: .album, whichWas: album.name)
      if name != album.name {
        try db.run("UPDATE album SET name = $1, name_stamp = $2 WHERE id = $3", [name, stamp.text, album.id])
        renamed.append(name)
      }
    }
    try db.run(
      "UPDATE album SET is_deleted = $1, deleted_stamp = $2 WHERE id = $3", [isDeleted ? 1 : 0, stamp.text, album.id])
    try albums.announce()
    return true
  }

  /// Brings a deleted saved search back, or the filter that one had.
  mutating func restoreSearch(_ name: String, _ before: Before) throws {
    let searches = SavedSearches(db: db)
    var writer = MarkWriter(undoingBy: stamp, now: now, in: db)
    let present: (filter: String?, stamp: String)? = try db.row(
      "SELECT filter, stamp FROM saved_search WHERE name = $1", [name]
    ) { (filter: try $0["filter"], stamp: try $0["stamp"]) }
    if before.written != nil {
      let isOwn = present.map { $0.filter == before.written && known.contains($0.stamp) } ?? false
      guard isOwn, try changedLater("search", name, [before]).isEmpty else { return kept += 1 }
      try endShares(ofSearch: name, restoring: before.value)
      try searches.write(before.value, as: name, &writer)
    } else if present?.filter != before.value {
      let free = try searches.freeName(like: name)
      try endShares(naming: free, of: .saved, whichWas: name)
      try endShares(ofSearch: free, restoring: before.value)
      try searches.write(before.value, as: free, &writer)
      if free != name { renamedSearches.append(free) }
    }
  }

  /// Ends the shares of another one that had the name meanwhile.
  private func endShares(naming name: String, of key: FilterKey, whichWas old: String) throws {
    let own: [String] = try db.values("SELECT name FROM mark_before WHERE change = $1 AND mark = 'share'", [change])
    try SavedSearches(db: db).endShares(naming: name, of: key, now, except: name == old ? Set(own) : [])
  }

  /// Ends the shares of a saved search whose filter comes back and names an album or another search that is a new one by now.
  private func endShares(ofSearch name: String, restoring filter: String?) throws {
    guard let filter = filter.flatMap({ try? Filter(parsing: $0) }),
      let own: String = try db.value("SELECT stamp FROM mark_change WHERE id = $1", [change])
    else { return }
    let searches = SavedSearches(db: db)
    let albums = try db.rows(
      "SELECT name, name_stamp, deleted_stamp FROM album WHERE name_stamp > $1 OR deleted_stamp > $1", [own]
    ) { (name: try $0["name"] as String, stamps: [try $0["name_stamp"] as String, try $0["deleted_stamp"]]) }
    let others = try db.rows("SELECT name, stamp FROM saved_search WHERE stamp > $1", [own]) {
      (name: try $0["name"] as String, stamps: [try $0["stamp"] as String])
    }
    func isNamed(_ rows: [(name: String, stamps: [String])], of key: FilterKey) throws -> Bool {
      try rows.contains { row in
        try row.name != name && row.stamps.contains { $0 > own && !known.contains($0) }
          && searches.names(row.name, of: key, in: filter)
      }
    }
    guard try isNamed(albums, of: .album) || isNamed(others, of: .saved) else { return }
    try searches.endShares(naming: name, of: .saved, now)
  }

  /// An album, which may have become another one meanwhile.
  private func album(
    _ id: Int64
  ) throws -> (id: Int64, name: String, nameStamp: String, isDeleted: Bool, deletedStamp: String)? {
    try db.row(
      """
      SELECT id, name, name_stamp, is_deleted, deleted_stamp FROM album
      WHERE id = (SELECT coalesce(same_as, id) FROM album WHERE id = $1)
      """, [id]
    ) {
      (
        id: try $0["id"], name: try $0["name"], nameStamp: try $0["name_stamp"],
        isDeleted: try $0["is_deleted"] as Int64 == 1, deletedStamp: try $0["deleted_stamp"]
      )
    }
  }
}
