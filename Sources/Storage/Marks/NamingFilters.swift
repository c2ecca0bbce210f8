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
    let all = try Self.renamed(key, in: db) { try isNamed($0) ? new : $0 }
    for (search, filter) in all.searches { try SavedSearches(db: db).write(filter, as: search.name, &writer) }
    for (rule, filter, actions) in all.rules { try RuleRunner.write(rule.name, filter, actions, &writer) }
    for (token, before, filter) in all.shares {
      try writer.remember("share", token, before, written: filter)
      try db.run("UPDATE share SET filter = $1 WHERE token_hash = $2", [filter, token])
    }
  }

  /// Writes other names of albums, by their numbers, as a merge brings them. The albums must still have their old ones.
  ///
  /// What is written keeps its stamp: each library does so by itself, and nobody said anything.
  static func rename(albums names: [Int64: String], in db: Database) throws {
    let albums = Albums(db: db)
    let all = try renamed(.album, in: db) { name in try albums.row(named: name).flatMap { names[$0.id] } ?? name }
    for (search, filter) in all.searches {
      try db.run("UPDATE saved_search SET filter = $1 WHERE name = $2", [filter, search.name])
    }
    for (rule, filter, actions) in all.rules {
      try db.run(
        "UPDATE rule SET filter = $1, actions = $2 WHERE name = $3",
        [filter, actions.map(\.line).joined(separator: "\n"), rule.name])
    }
    for (token, _, filter) in all.shares {
      try db.run("UPDATE share SET filter = $1 WHERE token_hash = $2", [filter, token])
    }
  }

  /// What names something else then, with its new filters and actions.
  private typealias Renamed = (
    searches: [(search: SavedSearch, filter: String)], rules: [(rule: Rule, filter: String, actions: [RuleAction])],
    shares: [(token: String, before: String, filter: String)]
  )

  private static func renamed(
    _ key: FilterKey, in db: Database, _ name: (String) throws -> String
  ) throws -> Renamed {
    func renamed(_ filter: String) throws -> String {
      // What cannot be read names nothing.
      guard let read = try? Filter(parsing: filter) else { return filter }
      let new = try read.renaming(key, name)
      return new == read ? filter : new.description
    }
    func renamed(_ action: RuleAction) throws -> RuleAction {
      if key == .album, case .album(let old) = action { .album(try name(old)) } else { action }
    }
    let searches = try SavedSearches.all(in: db).map { (search: $0, filter: try renamed($0.filter)) }
    let rules = try RuleRunner.rules(in: db).map {
      (rule: $0, filter: try renamed($0.filter), actions: try $0.actions.map(renamed))
    }
    let shares = try db.rows("SELECT token_hash, filter FROM share WHERE filter IS NOT NULL") {
      (token: try $0["token_hash"] as String, before: try $0["filter"] as String)
    }.map { (token: $0.token, before: $0.before, filter: try renamed($0.before)) }
    return (
      searches.filter { $0.filter != $0.search.filter },
      rules.filter { $0.filter != $0.rule.filter || $0.actions != $0.rule.actions },
      shares.filter { $0.filter != $0.before }
    )
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
      try names(rule.filter)
        || rule.actions.contains {
          if key == .album, case .album(let name) = $0 { try isNamed(name) } else { false }
        }
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
