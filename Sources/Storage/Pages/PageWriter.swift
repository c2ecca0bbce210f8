import Blobs
import Foundation
import Posts

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  public func save(
    _ page: consuming Page, in pull: Pull, pictures: Bool = true, now: Date
  ) throws(StorageError) -> Saved {
    var items = page.moveItemsOut().items
    let (next, visit) = (page.next, page.visit)
    try finishJoins(of: pull.feedID)
    let saved = try write { db in
      var writer = try PageWriter(db: db, pull: pull, pictures: pictures, now: now)
      let written = try writer.write(&items)
      writer.saved.arrived = written.arrived
      let checkpoint = try PullCheckpoint.read(pull, in: db)
      var merge = try DownwardMerge(db: db, pull: pull, now: UTC.text(now), standing: checkpoint, limit: moves)
      writer.saved.known = try merge.finish(written, next: next)
      try visit?.write(of: pull.feedID, now: UTC.text(now), in: db)
      return writer.saved
    }
    try finishJoins(of: pull.feedID)
    return saved
  }

  public func save(
    _ page: Page,
    above anchor: String,
    in pull: Pull,
    pictures: Bool = true,
    now: Date
  ) throws(StorageError) -> (Saved, UpwardMergeResult) {
    try finishJoins(of: pull.feedID)
    let result = try write { db in
      var writer = try PageWriter(db: db, pull: pull, pictures: pictures, now: now)
      var items = page.items
      let written = try writer.write(&items)
      writer.saved.arrived = written.arrived
      let checkpoint = try PullCheckpoint.read(pull, in: db)
      guard var merge = UpwardMerge(db: db, pull: pull, now: UTC.text(now), standing: checkpoint, limit: moves) else {
        throw StorageError.overtaken(feed: pull.feed.name)
      }
      return (writer.saved, try merge.finish(written, above: anchor))
    }
    try finishJoins(of: pull.feedID)
    return result
  }
}

/// Writes one page. It lives as long as the page's transaction.
struct PageWriter {
  private let db: Database
  private let pull: Pull
  private let now: String
  private var posts: PostWriter
  private var renaming: Renaming
  private var rechecks: RecheckWriter
  /// Whether the feed has unreadable items, which this page may make readable.
  private var hasUnreadable: Bool
  fileprivate var saved = Saved()
  private var seen: Set<Int64> = []
  /// Posts that were new to the library as quoted posts, and that the page has not brought by themselves yet.
  private var newlyQuoted: Set<Int64> = []

  init(db: Database, pull: Pull, pictures: Bool, now: Date) throws {
    self.db = db
    self.pull = pull
    self.now = UTC.text(now)
    renaming = try Renaming(db: db, pull: pull)
    rechecks = RecheckWriter(db: db, now: now)
    hasUnreadable =
      try db.row("SELECT 1 FROM unreadable WHERE feed = ? AND remote_id IS NOT NULL LIMIT 1", [pull.feedID]) != nil
    posts = try PostWriter(db: db, pictures: pictures, now: self.now)
  }

  /// Writes everything except the feed positions, which the result writes. It releases the items as it goes.
  mutating func write(_ items: inout [PageItem]) throws -> FeedItems {
    var feedItems = FeedItems(db: db, pull: pull, now: now, count: items.count)
    items.reverse()
    while let item = items.popLast() {
      switch item.content {
      case .post(let post):
        let written = try posts.write(post, raw: item.raw)
        try count(written)
        rechecks.append(written, of: post.source)
        if hasUnreadable, let id = item.id ?? post.remoteID {
          try db.run("DELETE FROM unreadable WHERE feed = ? AND remote_id = ?", [pull.feedID, id.storable])
        }
        let by = try item.repetition.map { try posts.authors.write($0.by, of: post) }
        try feedItems.pass(item, post: written, repeatedBy: by)
        if let quoted = try write(item.quoted, in: written) { feedItems.note(quoted) }
      case .unreadable(let reason):
        saved.unreadable += 1
        try keep(item, reason: reason)
      }
    }
    feedItems.settleDates()
    try renaming.keep(posts.authors.renamed)
    try rechecks.write()
    try posts.index()
    try feedItems.writePinned()
    return feedItems
  }

  /// Stores a quoted post as a post of its own. The feed did not bring it: it counts for nothing, and its pictures are
  /// fetched with those of the page.
  private mutating func write(_ quotation: Quotation?, in post: WrittenPost) throws -> WrittenPost? {
    guard let quotation else { return nil }
    let quoted = try quotation.post.map { try posts.write($0, raw: Array(quotation.slice)) }
    if let quoted, !quoted.isDeleted, seen.insert(quoted.id).inserted { saved.posts.append(quoted.id) }
    if let quoted, quoted.isNew { newlyQuoted.insert(quoted.id) }
    try QuoteWriter(db: db).write(quotation, of: post.id, quoted: quoted?.id)
    return quoted
  }

  private mutating func count(_ post: WrittenPost) throws {
    let first = seen.insert(post.id).inserted
    let isRenamed = try renaming.isFirst(post, renamed: posts.authors.renamed)
    if first, !post.isDeleted { saved.posts.append(post.id) }
    if post.isDeleted {
      saved.deleted += 1
    } else if newlyQuoted.remove(post.id) != nil || post.isNew {
      saved.new += 1
    } else if post.isChanged || isRenamed {
      saved.updated += 1
    } else {
      saved.unchanged += 1
    }
  }

  /// Keeps the last form of an item with an id, and each distinct form of an item without one.
  private mutating func keep(_ item: PageItem, reason: String) throws {
    hasUnreadable = true
    let id = item.id?.storable
    let digest = BlobID(hashing: item.raw).hex
    let target = id == nil ? "(feed, digest) WHERE remote_id IS NULL" : "(feed, remote_id) WHERE remote_id IS NOT NULL"
    try db.run(
      """
      INSERT INTO unreadable (feed, digest, remote_id, reason, pulled_at, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT \(target) DO UPDATE
        SET digest = excluded.digest, reason = excluded.reason, pulled_at = excluded.pulled_at, body = excluded.body
      """,
      [pull.feedID, digest, id, reason.storable, now, try posts.compressor.compress(item.raw)]
    )
  }
}
