import FoundationEssentials
import Posts

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func importStatus(of items: [ImportItem]) throws(StorageError) -> [ImportStatus] {
    try read { db in
      let match = ImportMatch(db: db)
      return try items.map { item in
        guard let post = item.item.post else { return ImportStatus(isKnown: false, missing: []) }
        let all = Set(post.attachments.indices)
        guard let known = try match.known(item, post) else { return ImportStatus(isKnown: false, missing: all) }
        if known.isDeleted { return ImportStatus(isKnown: true, missing: []) }
        let attached = try match.attachments(of: item, in: known.id)
        let missing =
          item.replaces
          ? all.subtracting(attached.filter(\.isStored).map(\.index))
          : Set(attached.filter { !$0.isStored }.map(\.index))
        return ImportStatus(isKnown: true, missing: missing)
      }
    }
  }

  @discardableResult
  public func save(_ items: [ImportItem], of feed: Feed, now: Date) throws(StorageError) -> Imported {
    try write { db in
      var writer = ImportWriter(db: db, feed: feed, id: try id(of: feed, in: db), now: now)
      try writer.write(items)
      return writer.imported
    }
  }

  @discardableResult
  public func delete(feed: Feed, now: Date) throws(StorageError) -> Deletion {
    let own: [Int64] = try read { db in
      try db.values(
        """
        SELECT DISTINCT f.post FROM feed_post f JOIN feed n ON n.id = f.feed
        WHERE n.name = ? AND NOT EXISTS (SELECT 1 FROM feed_post o WHERE o.post = f.post AND o.feed <> f.feed)
        """,
        [feed.name])
    }
    return try delete(own, now: now)
  }

  @discardableResult
  public func restore(feed: Feed, now: Date) throws(StorageError) -> Deletion {
    try restore(try deletedPosts(of: PostListQuery(feed: feed)), now: now)
  }
}
