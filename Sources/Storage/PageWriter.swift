import Blobs
import Foundation
import GRDB
import Posts

extension Store {
  /// Stores a page: posts, authors, tags, attachments, raw answers, the feed's stretch and the pull's cursor, in one
  /// transaction.
  ///
  /// Without `pictures`, new attachments are marked as skipped. Throws `StorageError.overtaken` when another pull
  /// changed the stretch this one extends.
  public func save(_ page: Page, in pull: Pull, pictures: Bool = true, now: Date) throws(StorageError) -> Saved {
    try write { db in
      var writer = try PageWriter(db: db, pull: pull, pictures: pictures, now: now)
      return try writer.save(page)
    }
  }
}

/// Writes one page. It lives as long as the page's transaction.
struct PageWriter {
  private let db: Database
  private let pull: Pull
  private let now: String
  private var posts: PostWriter
  private var saved = Saved()
  private var seen: Set<Int64> = []

  init(db: Database, pull: Pull, pictures: Bool, now: Date) throws {
    self.db = db
    self.pull = pull
    self.now = UTC.text(now)
    posts = try PostWriter(db: db, pictures: pictures, now: self.now)
  }

  mutating func save(_ page: Page) throws -> Saved {
    var walk = try FeedWalk(db: db, pull: pull, now: now)
    for item in page.items {
      switch item.content {
      case .post(let post):
        let written = try posts.write(post, raw: item.raw)
        count(written)
        let by = try item.repetition.map { try posts.authors.write($0.by, of: post).id }
        try walk.pass(item, post: written, repeatedBy: by)
      case .unreadable(let reason):
        saved.unreadable += 1
        try keep(item, reason: reason)
      }
    }
    try posts.index()
    try walk.finish(next: page.next)
    return saved
  }

  private mutating func count(_ post: WrittenPost) {
    let first = seen.insert(post.id).inserted
    if first, !post.isDeleted { saved.posts.append(post.id) }
    if post.isDeleted {
      saved.deleted += 1
    } else if post.isNew {
      saved.new += 1
    } else if post.isChanged || (first && post.isAuthorRenamed) {
      saved.updated += 1
    } else {
      saved.unchanged += 1
    }
  }

  private mutating func keep(_ item: PageItem, reason: String) throws {
    let digest = BlobID(hashing: item.raw).hex
    try db.run(
      """
      INSERT INTO unreadable (feed, digest, remote_id, reason, pulled_at, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (feed, digest) DO UPDATE SET reason = excluded.reason, pulled_at = excluded.pulled_at
      """,
      [
        pull.feedID, digest, item.id?.storable, reason.storable, now, Data(try posts.compressor.compress(item.raw)),
      ]
    )
  }
}
