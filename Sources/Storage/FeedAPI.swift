import Posts

extension Store {
  /// The API of its source by which a feed was last asked for by name; nil where it never was, or the usual one is used.
  public func api(of feed: Feed) throws(StorageError) -> String? {
    try read { db in try db.value("SELECT api FROM feed WHERE name = ?", [feed.name]) }
  }

  /// Notes by which API a feed is pulled from now on, whoever pulls it; nil is the usual one.
  ///
  /// The cursors of another API mean nothing to it: where it is `other` than the one before, they are let go. What was
  /// read stays complete, and what is unfinished begins anew at the feed's top; true where something is. Whoever calls it
  /// then keeps other pulls of the feed away.
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
