import Posts

// Which feeds have posts.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func hasPosts(of feed: Feed) throws(StorageError) -> Bool {
    try read { db in
      try db.value(
        "SELECT EXISTS (SELECT 1 FROM feed_post WHERE feed = (SELECT id FROM feed WHERE name = ?))", [feed.name])
        ?? false
    }
  }
}
