import Filters
import Rows

extension Store {
  /// Throws if a filter names an album, a saved search or a post that there is not, or an own tag that is misspelt: it would
  /// find nothing, or all, and nobody would know why.
  ///
  /// - Throws: `MarkError`; `StorageError` if the library cannot be read.
  public func expectNames(of filter: Filter) throws {
    var failure: MarkError?
    try read { db in
      do { try filter.expectNames(in: db) } catch let error as MarkError { failure = error }
    }
    if let failure { throw failure }
  }

  /// A filter with the filters of the saved searches that it names in place of their names, to see what it asks.
  ///
  /// - Throws: `StorageError` if one of them cannot be used, or the library cannot be read.
  package func expanded(_ filter: Filter) throws(StorageError) -> Filter {
    guard filter.terms.contains(where: { $0.key == .saved }) else { return filter }
    return try read { try SavedSearches(db: $0).expanded(filter) }
  }

  /// Whether all that a filter names is there, and can be used.
  func canUse(_ filter: Filter) throws(StorageError) -> Bool {
    try read { db in
      do {
        try SavedSearches(db: db).expectUsable(filter)
        return true
      } catch is MarkError { return false } catch StorageError.unusableSearch { return false }
    }
  }
}

extension Filter {
  /// Throws `MarkError` if something that it names itself is not there.
  func expectNames(in db: Database) throws {
    for term in terms {
      switch term.key {
      case .album: for name in term.words { _ = try Albums(db: db).expected(name) }
      case .saved: for name in term.words { _ = try SavedSearches(db: db).expected(name) }
      case .own: for name in term.words.compactMap(MarkName.ownTag) { try Self.expect(ownTag: name, in: db) }
      case .like:
        for name in term.words where try NamedPosts(db: db).number(of: name) == nil { throw MarkError.noPost(name) }
      default: break
      }
    }
  }

  /// Nobody makes an own tag before the first post has it, and one that was taken away was meant. So only one that was never
  /// there, and is like another, is a mistake.
  private static func expect(ownTag name: String, in db: Database) throws {
    guard try !db.hasRow("SELECT 1 FROM own_tag WHERE name = $1 LIMIT 1", [name]) else { return }
    let names: [String] = try db.values("SELECT DISTINCT name FROM own_tag WHERE is_set = 1")
    if let nearest = Spelling.nearest(to: name, among: names) { throw MarkError.noOwnTag(name, nearest: nearest) }
  }
}
