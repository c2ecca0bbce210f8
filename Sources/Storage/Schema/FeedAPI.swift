import Posts

extension Store {
  /// The API that was last chosen for a feed.
  ///
  /// - Returns: The API's name, or nil if none was chosen or the default is used.
  /// - Throws: `StorageError` if the library cannot be read.
  public func api(of feed: Feed) throws(StorageError) -> String? {
    try read { db in try db.value("SELECT api FROM feed WHERE name = $1", [feed.name]) }
  }

  /// Sets the API that all pulls of a feed use from now on.
  ///
  /// Cursors of one API mean nothing to another. If `other` is true, they are removed. What was read stays complete, and
  /// unfinished pulls start again at the feed's top. The caller then prevents other pulls of the feed.
  ///
  /// - Parameters:
  ///   - api: The API's name, or nil for the default.
  ///   - other: Whether the API differs from the one before.
  ///   - feed: The feed.
  /// - Returns: Whether an unfinished pull starts again.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func note(api: String?, other: Bool = false, of feed: Feed) throws(StorageError) -> Bool {
    try write { db in
      let feedID = try id(of: feed, in: db)
      try db.run("UPDATE feed SET api = $1 WHERE id = $2 AND api IS DISTINCT FROM $1", [api?.storable, feedID])
      guard other else { return false }
      try db.run(
        "UPDATE coverage SET next = NULL, version = version + 1 WHERE feed = $1 AND next IS NOT NULL", [feedID])
      try db.run(
        """
        UPDATE cursor SET coverage = NULL, coverage_version = 0, place = NULL, next = NULL, pages = 0, items = 0
        WHERE feed = $1 AND kind = 'pull' AND state <> 'reached' AND coverage IS NOT NULL
        """,
        [feedID]
      )
      return db.changesCount > 0
    }
  }
}
