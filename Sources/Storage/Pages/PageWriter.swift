import Blobs
import Coverage
import FoundationEssentials
import Machine
import Posts

extension Store {
  /// Stores a page in one transaction: posts, authors, tags, attachments, raw answers, the feed's coverage interval and
  /// the pull's cursor. Rows of joined intervals move in transactions of their own, before and after it.
  ///
  /// - Parameters:
  ///   - page: The page. Its items are released one by one if nothing else holds them.
  ///   - pull: The open pull that read the page.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - limits: Which files are taken. What they leave out is skipped, with its reason.
  ///   - now: The time of the write.
  /// - Returns: What the page changed.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval that this one extends.
  public func save(
    _ page: consuming Page, in pull: Pull, pictures: Bool = true, limits: FileLimits = FileLimits(), now: Date
  ) throws(StorageError) -> Saved {
    var items = page.moveItemsOut().items
    let (next, visit) = (page.next, page.visit)
    var (saved, known) = try self.page(of: &items, in: pull, pictures, limits, now: now) { page in
      var writer = CoverageWriter(page, .down)
      try visit?.write(of: pull.feedID, now: page.now, in: page.db)
      return try writer.finish(next: next)
    }
    saved.known = known
    return saved
  }

  /// Stores the items of a page that is not where a pull stands: one that a server sent in place of another, or that was
  /// asked as a probe. Coverage claims nothing of it, and no pull moves on.
  ///
  /// - Parameters:
  ///   - items: The page's items, newest first.
  ///   - feed: The feed.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - limits: Which files are taken. What they leave out is skipped, with its reason.
  ///   - now: The time of the write.
  /// - Returns: What the items changed.
  /// - Throws: `StorageError` if the library cannot be written.
  public func saveAside(
    _ items: [PageItem], of feed: Feed, pictures: Bool, limits: FileLimits = FileLimits(), now: Date
  ) throws(StorageError) -> Saved {
    try write { db in
      // Its number is no row: such a page belongs to no pull.
      let pull = Pull(id: 0, feedID: try id(of: feed, in: db), feed: feed, goal: PullGoal())
      var writer = try PageWriter(db: db, pull: pull, now: now)
      var rest = items
      try writer.write(&rest, pictures: pictures, limits).writeLoose()
      try RuleRunner(db: db, now: now).run(onNew: writer.new)
      return writer.saved
    }
  }

  /// Stores the page above an item, for a pull that `beginFill` or `beginIncrementalPull` began, by
  /// the same rules.
  ///
  /// - Parameter anchor: The id of the item.
  /// - Returns: What the page changed, and how far the coverage interval grew upwards.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval.
  public func save(
    _ page: Page,
    above anchor: String,
    in pull: Pull,
    pictures: Bool = true,
    limits: FileLimits = FileLimits(),
    now: Date
  ) throws(StorageError) -> (Saved, UpwardMergeResult) {
    var items = page.items
    return try self.page(of: &items, in: pull, pictures, limits, now: now) { page in
      var writer = CoverageWriter(page, .up)
      return try writer.finish(above: anchor)
    }
  }

  /// The scope of a page: one transaction, which writes the items and hands `body` what it needs to record the coverage.
  /// It cannot end without it. Intervals that the page joins are merged before and after the transaction.
  ///
  /// - Parameters:
  ///   - items: The page's items. They are released one by one.
  ///   - pull: The open pull that read the page.
  ///   - pictures: Whether to fetch pictures. If false, new attachments are marked as skipped.
  ///   - limits: Which files are taken.
  ///   - now: The time of the write.
  ///   - body: Records the page's coverage and the pull's cursor.
  /// - Returns: What the items changed, and what `body` learnt.
  /// - Throws: `StorageError.overtaken` if another pull changed the interval that this one extends.
  private func page<Value>(
    of items: inout [PageItem], in pull: Pull, _ pictures: Bool, _ limits: FileLimits, now: Date,
    _ body: (OpenPage) throws -> RecordedPage<Value>
  ) throws(StorageError) -> (Saved, Value) {
    let (saved, value, isJoined) = try writeJoined(pull.feed) { db in
      // What is written names the pull's row, which may be gone.
      _ = try PullCheckpoint.read(pull, in: db)
      var writer = try PageWriter(db: db, pull: pull, now: now)
      var rest = items
      // The items are released as they are written, unless the transaction may have to run again.
      if db.engine == .sqlite { items = [] }
      let written = try writer.write(&rest, pictures: pictures, limits)
      let page = OpenPage(
        db: db, pull: pull, items: written, checkpoint: try PullCheckpoint.read(pull, in: db), limit: moves,
        now: UTC.text(now))
      let value = try body(page).value
      // Only now is it known which feed brought the posts.
      try RuleRunner(db: db, now: now).run(onNew: writer.new)
      return (writer.saved, value, try db.engine == .sqlite && !IntervalMove.isPending(of: pull.feedID, in: db))
    }
    if !isJoined { try finishJoins(of: pull.feedID) }
    return (saved, value)
  }
}

/// A page whose items are written and whose coverage is not. It lives as long as the page's transaction.
struct OpenPage {
  let db: Database
  let pull: Pull
  /// The items, with their known positions in the feed.
  let items: FeedItems
  /// Where the pull was before the page.
  let checkpoint: PullCheckpoint
  /// Limits how many rows a join moves in this transaction.
  let limit: MoveLimit
  let now: String
}

/// Writes the items of one page. It lives as long as the page's transaction.
private struct PageWriter {
  private let db: Database
  private let pull: Pull
  private let now: Date
  private var renaming: Renaming
  /// Whether the feed has unreadable items, which this page may make readable.
  private var hasUnreadable: Bool
  private(set) var saved = Saved()
  /// The posts that the library had not, apart from those that are only quoted.
  private(set) var new: [Int64] = []
  private var seen: Set<Int64> = []
  /// Posts that were new to the library as quoted posts, and that the page has not brought by themselves yet.
  private var newlyQuoted: Set<Int64> = []

  init(db: Database, pull: Pull, now: Date) throws {
    self.db = db
    self.pull = pull
    self.now = now
    renaming = try Renaming(db: db, pull: pull)
    hasUnreadable = try UnreadableItems(db: db, feed: pull.feedID, now: now).isAnyNamed
  }

  /// Writes everything except the feed positions, which the result writes.
  mutating func write(_ items: inout [PageItem], pictures: Bool, _ limits: FileLimits) throws -> FeedItems {
    var feedItems = FeedItems(db: db, pull: pull, now: UTC.text(now), count: items.count)
    var shown: [(post: WrittenPost, identity: Post.IdentityRule)] = []
    try feedItems.prepare(items)
    // Of posts of one date the one with the higher number is shown first. A document's first item is its newest.
    let isDocument = pull.feed.kind == .url
    ItemVersions.order(&items, fromEnd: isDocument)
    try PostWriter.scope(in: db, pictures: pictures, now: UTC.text(now)) { posts in
      try posts.prepare(items, of: pull)
      if !isDocument { items.reverse() }
      while let item = items.popLast() {
        switch item.content {
        case .post(let post): shown.append((try write(post, of: item, to: &feedItems, &posts), post.identity))
        case .unreadable(let reason):
          saved.unreadable += 1
          try keep(item, reason: reason, posts.compressor)
        }
      }
      try renaming.keep(posts.authors.renamed)
    }
    if isDocument {
      feedItems.reverse()
      saved.posts.reverse()
    }
    saved.arrived = feedItems.arrived
    feedItems.settleDates()
    try RecheckWriter(db: db, now: now).record(shown)
    try feedItems.writePinned()
    if pictures, !limits.isEmpty {
      saved.leftOut = try LimitWriter(db: db, limits: limits, occasion: .met).apply(to: saved.posts)
    }
    return feedItems
  }

  private mutating func write(
    _ post: Post, of item: PageItem, to feedItems: inout FeedItems, _ posts: inout PostWriter
  ) throws -> WrittenPost {
    let written = try posts.write(post, raw: item.raw)
    try count(written, renamed: posts.authors.renamed)
    if hasUnreadable, let id = item.id ?? post.remoteID {
      try UnreadableItems(db: db, feed: pull.feedID, now: now).forget(id)
    }
    let by = try item.repetition.map { try posts.authors.write($0.by, of: post) }
    try feedItems.pass(item, post: written, repeatedBy: by)
    if let quoted = try write(item.quoted, in: written, &posts) { feedItems.note(quoted) }
    return written
  }

  /// Stores a quoted post as a post of its own. The feed did not bring it: it counts for nothing, and its pictures are
  /// fetched with those of the page.
  private mutating func write(
    _ quotation: Quotation?, in post: WrittenPost, _ posts: inout PostWriter
  ) throws -> WrittenPost? {
    guard let quotation else { return nil }
    let quoted = try quotation.post.map { try posts.write($0, raw: Array(quotation.slice)) }
    if let quoted, !quoted.isDeleted, seen.insert(quoted.id).inserted { saved.posts.append(quoted.id) }
    if let quoted, quoted.isNew { newlyQuoted.insert(quoted.id) }
    try QuoteWriter(db: db).write(quotation, of: post.id, quoted: quoted?.id)
    return quoted
  }

  private mutating func count(_ post: WrittenPost, renamed: Set<Int64>) throws {
    let first = seen.insert(post.id).inserted
    let isRenamed = try renaming.isFirst(post, renamed: renamed)
    if first, !post.isDeleted {
      saved.posts.append(post.id)
      if post.isRevised { saved.revised.append(post.id) }
    }
    if post.isDeleted {
      saved.deleted += 1
    } else if newlyQuoted.remove(post.id) != nil || post.isNew {
      saved.new += 1
      new.append(post.id)
    } else if post.isChanged || isRenamed {
      saved.updated += 1
    } else {
      saved.unchanged += 1
    }
  }

  private mutating func keep(_ item: PageItem, reason: String, _ compressor: RawCompressor) throws {
    hasUnreadable = true
    try UnreadableItems(db: db, feed: pull.feedID, now: now).keep(item, reason: reason, compressor)
  }
}
