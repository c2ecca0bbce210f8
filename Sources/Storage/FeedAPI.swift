import GRDB
import Posts

extension Store {
  /// The API of its source by which a feed was last asked for by name; nil where it never was, or the usual one is used.
  public func api(of feed: Feed) throws(StorageError) -> String? {
    try read { db in try db.row("SELECT api FROM feed WHERE name = ?", [feed.name])?[0] }
  }

  /// Notes by which API a feed is pulled from now on, whoever pulls it; nil is the usual one.
  public func note(api: String?, of feed: Feed) throws(StorageError) {
    try write { db in
      let feedID = try id(of: feed, in: db)
      try db.run("UPDATE feed SET api = ?1 WHERE id = ?2 AND api IS NOT ?1", [api?.storable, feedID])
    }
  }
}
