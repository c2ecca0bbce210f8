import Posts

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func api(of feed: Feed) throws(StorageError) -> String? {
    try read { db in try db.value("SELECT api FROM feed WHERE name = ?", [feed.name]) }
  }

  @discardableResult
  public func note(api: String?, other: Bool = false, of feed: Feed) throws(StorageError) -> Bool {
    try write { db in
      let feedID = try id(of: feed, in: db)
      try db.run("UPDATE feed SET api = ?1 WHERE id = ?2 AND api IS NOT ?1", [api?.storable, feedID])
      guard other else { return false }
      try db.run("UPDATE coverage SET next = NULL, version = version + 1 WHERE feed = ? AND next IS NOT NULL", [feedID])
      try db.run(
        """
        UPDATE cursor SET coverage = NULL, coverage_version = 0, place = NULL, next = NULL, pages = 0, items = 0
        WHERE feed = ? AND kind = 'pull' AND state <> 'reached' AND coverage IS NOT NULL
        """,
        [feedID]
      )
      return db.changesCount > 0
    }
  }
}
