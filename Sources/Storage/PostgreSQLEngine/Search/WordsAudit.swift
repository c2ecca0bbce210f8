extension StoreAudit {
  /// Whether the stored words of each post are those of its texts.
  static let storedWords = StoreAudit(
    name: "the search index",
    find: { db in
      try unfit(in: db).map { Finding(.search, "the search index does not fit a post", post: $0) }
    },
    mend: { db, _ in
      guard case .postgresql(let session) = db.connection else { return }
      let numbers = try unfit(in: db)
      try session.searchIndex.mark(numbers, in: session.connection)
      try session.searchIndex.fillRest(in: session)
    }
  )

  private static func unfit(in db: Database) throws -> [Int64] {
    guard case .postgresql(let session) = db.connection else { return [] }
    // Posts of before are indexed by all their words later.
    let end = try Store.unreadWords(in: db)?.end ?? 0
    var (found, last): ([Int64], Int64) = ([], max(end - 1, 0))
    while found.count < most {
      let (unfit, end) = try session.searchIndex.unfit(after: last, in: session)
      found += unfit
      guard let end else { break }
      last = end
    }
    return Array(found.prefix(most))
  }
}
