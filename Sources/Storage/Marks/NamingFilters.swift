import Filters
import Rows

/// The filters of saved searches, rules and shares that name an album or a saved search.
struct NamingFilters {
  let db: Database
  private let key: FilterKey
  /// Whether a name in a filter is that of the album or saved search.
  private let isNamed: (String) throws -> Bool

  /// Those that name an album.
  init(album: Int64, in db: Database) {
    (self.db, key) = (db, .album)
    isNamed = { try Albums(db: db).row(named: $0)?.id == album }
  }

  /// Those that name a saved search.
  init(search: String, in db: Database) {
    (self.db, key) = (db, .saved)
    isNamed = { try SavedSearches(db: db).row(named: $0)?.name == search }
  }

  /// Writes another name in them, and in what rules do. The album or saved search must still have its old one.
  func rename(to new: String, _ writer: inout MarkWriter) throws {
    func renamed(_ filter: String) throws -> String {
      // What cannot be read names nothing.
      guard let read = try? Filter(parsing: filter) else { return filter }
      return try read.renaming(key) { try isNamed($0) ? new : $0 }.description
    }
    let searches = try SavedSearches.all(in: db).map { ($0, try renamed($0.filter)) }
    let rules = try RuleRunner.rules(in: db).map {
      ($0, try renamed($0.filter), try $0.actions.map { try action($0, new) })
    }
    let shares = try shares().map { ($0.token, $0.filter, try renamed($0.filter)) }
    for (search, filter) in searches { try SavedSearches(db: db).write(filter, as: search.name, &writer) }
    for (rule, filter, actions) in rules { try RuleRunner.write(rule.name, filter, actions, &writer) }
    for (token, before, filter) in shares where filter != before {
      try writer.remember("share", token, before, written: filter)
      try db.run("UPDATE share SET filter = $1 WHERE token_hash = $2", [filter, token])
    }
  }

  private func action(_ action: RuleAction, _ new: String) throws -> RuleAction {
    if key == .album, case .album(let name) = action, try isNamed(name) { .album(new) } else { action }
  }

  private func shares() throws -> [(token: String, filter: String)] {
    try db.rows("SELECT token_hash, filter FROM share WHERE filter IS NOT NULL") {
      (token: try $0["token_hash"], filter: try $0["filter"])
    }
  }

  /// Saved searches and rules that name it, for people: `the saved search "best"`.
  func holders() throws -> [String] {
    func names(_ filter: String) throws -> Bool {
      try (try? Filter(parsing: filter))?.terms.contains { try $0.key == key && $0.words.contains(where: isNamed) }
        ?? false
    }
    let searches = try SavedSearches.all(in: db).filter { try names($0.filter) }.map {
      "the saved search \"\($0.name)\""
    }
    let rules = try RuleRunner.rules(in: db).filter { rule in
      try names(rule.filter) || rule.actions.contains { try action($0, "") != $0 }
    }
    return searches + rules.map { "the rule \"\($0.name)\"" }
  }
}

extension Store {
  /// The saved searches and rules that name an album, for people; none if there is no such album.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func holders(ofAlbum name: String) throws(StorageError) -> [String] {
    try read { db in try Albums(db: db).row(named: name).map { try NamingFilters(album: $0.id, in: db).holders() } ?? []
    }
  }

  /// The other saved searches and the rules that name a saved search, for people; none if there is no such search.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func holders(ofSearch name: String) throws(StorageError) -> [String] {
    try read { db in
      guard let search = try SavedSearches(db: db).row(named: name) else { return [] }
      let itself = "the saved search \"\(search.name)\""
      return try NamingFilters(search: search.name, in: db).holders().filter { $0 != itself }
    }
  }
}
