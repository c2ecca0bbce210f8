import Filters
import FoundationEssentials
import Machine
import Posts
import Rows

/// A filter with a name.
public struct SavedSearch: Sendable, Equatable, Identifiable {
  /// Its name.
  public let name: String
  /// The filter, in its one spelling.
  public let filter: String

  /// Its name.
  public var id: String { name }
}

extension Store {
  /// The saved searches, by name.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func savedSearches() throws(StorageError) -> [SavedSearch] {
    try read { db in
      try SavedSearches.all(in: db).map {
        SavedSearch(name: $0.name, filter: try NamedPosts(db: db).numbered($0.filter))
      }
    }
  }

  /// Saves a filter under a name, in place of the one that it has.
  ///
  /// - Throws: `MarkError` for a name that cannot be one, a filter that leaves nothing out, and one that names what there is not,
  ///   or the saved search itself; `StorageError` if one that it names cannot be used, or the library cannot be written.
  @discardableResult
  public func save(_ filter: Filter, as name: String, by marker: Marker, now: Date) throws -> Marking {
    guard let plain = MarkName.plain(name) else { throw MarkError.name(name) }
    var old: String?
    var marking = try changingMarks("searches save \(plain)", [], by: marker, now: now) { writer, _ in
      let searches = SavedSearches(db: writer.db)
      guard filter != .everything else { throw MarkError.emptySearch }
      if try searches.names(plain, in: filter) { throw MarkError.searchInItself(plain) }
      try searches.expectUsable(filter)
      old = try searches.row(named: plain)?.name
      if old == nil { try searches.endShares(naming: plain, of: .saved, now) }
      try searches.write(filter.description, as: old ?? plain, &writer)
    }
    marking.replaced = marking.change == nil ? nil : old
    return marking
  }

  /// Gives a saved search another name, also where filters name it.
  ///
  /// - Throws: `MarkError` if there is none, or another has the name; `StorageError` if the library cannot be written.
  @discardableResult
  public func renameSearch(_ name: String, to new: String, by marker: Marker, now: Date) throws -> Marking {
    guard let plain = MarkName.plain(new) else { throw MarkError.name(new) }
    return try changingMarks("searches rename \(name)", [], by: marker, now: now) { writer, _ in
      let searches = SavedSearches(db: writer.db)
      let search = try searches.expected(name)
      if let other = try searches.row(named: plain), other.name != search.name {
        throw MarkError.searchExists(other.name)
      }
      guard plain != search.name else { return }
      // Something may have the new name before anything is called so.
      if let filter = try? Filter(parsing: search.filter), try searches.names(plain, in: filter) {
        throw MarkError.searchInItself(plain)
      }
      if MarkName.folded(plain) != MarkName.folded(search.name) {
        try searches.endShares(naming: plain, of: .saved, now)
      }
      try NamingFilters(search: search.name, in: writer.db).rename(to: plain, &writer)
      // It may name itself.
      let filter = try searches.expected(name).filter
      try searches.write(nil, as: search.name, &writer)
      try searches.write(filter, as: plain, &writer)
    }
  }

  /// Removes a saved search. What it found stays.
  ///
  /// - Throws: `MarkError.noSearch`; `StorageError` if the library cannot be written.
  @discardableResult
  public func deleteSearch(_ name: String, by marker: Marker, now: Date) throws -> Marking {
    try changingMarks("searches delete \(name)", [], by: marker, now: now) { writer, _ in
      let searches = SavedSearches(db: writer.db)
      let found = try searches.expected(name).name
      try searches.rememberShares(naming: found, of: .saved, &writer)
      try searches.write(nil, as: found, &writer)
    }
  }
}

/// Reads and writes saved searches in a transaction.
struct SavedSearches {
  let db: Database

  static func all(in db: Database) throws -> [SavedSearch] {
    try db.rows("SELECT name, filter FROM saved_search WHERE filter IS NOT NULL ORDER BY \(db.folded("name"))") {
      SavedSearch(name: try $0["name"], filter: try $0["filter"])
    }
  }

  /// The saved search of a name; nil if there is none.
  func row(named name: String) throws -> SavedSearch? {
    try db.row(
      "SELECT name, filter FROM saved_search WHERE filter IS NOT NULL AND \(db.folded("name")) = \(db.folded("$1"))",
      [MarkName.plain(name) ?? ""]
    ) { SavedSearch(name: try $0["name"], filter: try $0["filter"]) }
  }

  /// A name that no other saved search has: the name itself, or the first that is free with a number behind it.
  func freeName(like name: String, besides own: String? = nil) throws -> String {
    try MarkName.free(like: name) { try row(named: $0).map { $0.name != own } ?? false }
  }

  func expected(_ name: String) throws -> SavedSearch {
    if let search = try row(named: name) { return search }
    let names: [String] = try db.values("SELECT name FROM saved_search WHERE filter IS NOT NULL LIMIT 1000")
    throw MarkError.noSearch(name, nearest: Spelling.nearest(to: name, among: names))
  }

  /// The most values that saved searches may bring into a filter. The engines take no statement of any length.
  private static let mostValues = 1_000

  /// Throws if a filter names what there is not, or a saved search that cannot be used.
  func expectUsable(_ filter: Filter) throws {
    try filter.expectNames(in: db)
    _ = try expanded(filter)
  }

  /// Whether a filter names a saved search or an album, itself or by saved searches.
  func names(_ name: String, of key: FilterKey = .saved, in filter: Filter) throws -> Bool {
    var (left, seen) = ([filter], Set<String>())
    while let next = left.popLast() {
      let words = { (key: FilterKey) in next.terms.filter { $0.key == key }.flatMap(\.words) }
      if words(key).contains(where: { MarkName.plain($0).map(MarkName.folded) == MarkName.folded(name) }) {
        return true
      }
      for word in words(.saved) {
        guard let search = try row(named: word), seen.insert(search.name).inserted else { continue }
        left += (try? Filter(parsing: search.filter)).map { [$0] } ?? []
      }
    }
    return false
  }

  /// A filter with the filters of the saved searches that it names in place of their names. A name that is none matches
  /// nothing.
  ///
  /// - Throws: `StorageError.unusableSearch` for one that names what is gone, or itself, or lies too deep. As one that finds
  ///   nothing, it would let its opposite find everything, and somebody may delete what a filter finds.
  func expanded(_ filter: Filter) throws -> Filter {
    var left = Self.mostValues
    return try expanded(filter, within: [], level: 0, &left)
  }

  private func expanded(
    _ filter: Filter, within names: [String], level: Int, _ left: inout Int
  ) throws -> Filter {
    switch filter {
    case .all(let parts):
      return .conjunction(try parts.map { try expanded($0, within: names, level: level + 1, &left) })
    case .any(let parts):
      return .alternative(try parts.map { try expanded($0, within: names, level: level + 1, &left) })
    case .not(let inner): return .opposite(of: try expanded(inner, within: names, level: level, &left))
    case .term(let term) where term.key == .saved:
      return .alternative(
        try term.words.map { name in
          guard let search = try row(named: name) else { return .any([]) }
          let found = try usable(search, within: names)
          left -= found.terms.reduce(1) { $0 + $1.values.count }
          guard left >= 0, level + found.levels <= Filter.mostLevels else {
            throw StorageError.unusableSearch(search.name, reason: "with it, the filter is too large")
          }
          return try expanded(found, within: names + [search.name], level: level + 1, &left)
        })
    case .words, .term: return filter
    }
  }

  /// The filter of a saved search, all of whose names are there.
  private func usable(_ search: SavedSearch, within names: [String]) throws -> Filter {
    let reason: String
    do {
      let filter = try Filter(parsing: search.filter)
      try filter.expectNames(in: db)
      guard names.contains(search.name) || filter == .everything else { return filter }
      reason = filter == .everything ? "its filter is empty" : "it names itself, or another one that does"
    } catch let error as FilterError { reason = error.message } catch let error as MarkError { reason = error.summary }
    throw StorageError.unusableSearch(search.name, reason: reason)
  }

  /// Ends the shares that name a deleted saved search or album, before another one has its name, whose posts were not meant for
  /// them.
  ///
  /// - Parameter own: The tokens of shares that named the very one which gets the name back.
  func endShares(naming name: String, of key: FilterKey, _ now: Date, except own: Set<String> = []) throws {
    for (token, _) in try shares(naming: name, of: key) where !own.contains(token) {
      try db.run("UPDATE share SET revoked_at = $1 WHERE token_hash = $2", [UTC.text(now), token])
    }
  }

  /// Remembers which shares name what is deleted. They show it again when that is undone.
  func rememberShares(naming name: String, of key: FilterKey, _ writer: inout MarkWriter) throws {
    for (token, filter) in try shares(naming: name, of: key) {
      try writer.remember("share", token, filter, written: filter)
    }
  }

  /// The live shares that name a saved search or an album, themselves or by saved searches.
  private func shares(naming name: String, of key: FilterKey) throws -> [(token: String, filter: String)] {
    try db.rows(
      "SELECT token_hash, filter FROM share WHERE revoked_at IS NULL AND is_live = 1 AND filter IS NOT NULL"
    ) {
      (token: try $0["token_hash"] as String, filter: try $0["filter"] as String)
    }.filter { share in
      try (try? Filter(parsing: share.filter)).map { try names(name, of: key, in: $0) } ?? false
    }
  }

  func write(_ filter: String?, as name: String, _ writer: inout MarkWriter) throws {
    let before: String? = try db.value("SELECT filter FROM saved_search WHERE name = $1", [name])
    guard before != filter else { return }
    try writer.remember("search", name, before, written: filter)
    try db.run(
      """
      INSERT INTO saved_search (name, filter, stamp) VALUES ($1, $2, $3)
      ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, stamp = excluded.stamp
      """, [name, filter, writer.stamp.text])
  }
}
