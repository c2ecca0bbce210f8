import FoundationEssentials
import Posts

extension Store {
  /// What the library has of posts that are about to be imported.
  ///
  /// - Parameter items: The items.
  /// - Returns: A status for each item.
  /// - Throws: `StorageError` if the library cannot be read.
  public func importStatus(of items: [ImportItem]) throws(StorageError) -> [ImportStatus] {
    try read { db in
      let match = ImportMatch(db: db)
      return try items.map { item in
        guard let post = item.item.post else { return ImportStatus(isKnown: false, missing: []) }
        let all = Set(post.attachments.indices)
        guard let known = try match.known(item, post) else { return ImportStatus(isKnown: false, missing: all) }
        if known.isDeleted { return ImportStatus(isKnown: true, missing: []) }
        let isNewer = ImportMatch.isNewer(item, than: known)
        let (attached, lacking, compared) = try match.attachments(
          of: item, in: known.id, adds: ImportedPage.mayAdd(item, to: known), isNewer: isNewer)
        let missing =
          item.replaces
          ? all.subtracting(attached.filter(\.isStored).map(\.index))
          : Set(attached.filter { !$0.isStored }.map(\.index) + lacking)
        var status = ImportStatus(isKnown: true, missing: missing)
        status.isNewer = isNewer
        status.compared = Set(compared)
        return status
      }
    }
  }

  /// Saves a batch in one transaction: the posts with their tags, verbatim form and stored pictures, and the items that
  /// could not be read.
  ///
  /// Saving the same batch again changes nothing. A post that the library has stays as it is, unless the item replaces
  /// it or is a newer version: what a server said later counts more than a copy. Its missing pictures are added. A deleted
  /// post stays deleted.
  ///
  /// - Parameters:
  ///   - items: The items, with the bytes of their pictures already stored.
  ///   - feed: The import's feed.
  ///   - now: The time of the write.
  /// - Returns: What changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func save(_ items: [ImportItem], of feed: Feed, now: Date) throws(StorageError) -> Imported {
    try write { db in
      var writer = ImportWriter(db: db, feed: feed, id: try id(of: feed, in: db), now: now)
      try writer.write(items)
      return writer.imported
    }
  }

  /// Deletes the posts that this feed alone brought. The change is durable when the call returns.
  ///
  /// - Returns: The posts that changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func delete(
    feed: Feed, by marker: Marker? = nil, now: Date, dryRun: Bool = false
  ) throws(StorageError) -> Deletion {
    let own: [Int64] = try read { db in
      try db.values(
        """
        SELECT DISTINCT f.post FROM feed_post f JOIN feed n ON n.id = f.feed
        WHERE n.name = $1 AND NOT EXISTS (SELECT 1 FROM feed_post o WHERE o.post = f.post AND o.feed <> f.feed)
        """,
        [feed.name])
    }
    return try delete(own, by: marker, now: now, dryRun: dryRun)
  }

  /// Restores every deleted post that a feed brought. The change is durable when the call returns.
  ///
  /// - Returns: The posts that changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func restore(
    feed: Feed, by marker: Marker? = nil, now: Date, dryRun: Bool = false
  ) throws(StorageError) -> Deletion {
    try restore(try deletedPosts(of: PostListQuery(feed: feed)), by: marker, now: now, dryRun: dryRun)
  }
}
