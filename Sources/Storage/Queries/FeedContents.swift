import Posts

// Which feeds have posts.

extension Store {
  /// Whether any post of a feed is stored.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func hasPosts(of feed: Feed) throws(StorageError) -> Bool {
    try read { db in
      try db.value(
        "SELECT EXISTS (SELECT 1 FROM feed_post WHERE feed = (SELECT id FROM feed WHERE name = $1))", [feed.name])
        ?? false
    }
  }
}
