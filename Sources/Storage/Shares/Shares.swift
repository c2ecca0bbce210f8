import Blobs
import Filters
import FoundationEssentials
import Machine
import Posts

// Shares: pages for friends. What they show is decided here, whenever somebody looks.

extension Store {
  /// The most posts of a share.
  public static let mostShared = Bound.exact

  private static let selection = """
    SELECT s.id, s.title, s.album, a.name AS album_name, s.filter, s.is_live, s.has_originals, s.shows, s.password_hash,
      s.made_at, s.ends_at, s.revoked_at
    FROM share s LEFT JOIN album a ON a.id = s.album AND a.is_deleted = 0
    """

  /// Makes a share. One of a filter that is not live keeps the posts that the filter finds now.
  ///
  /// - Parameters:
  ///   - draft: The share.
  ///   - tokenHash: The hash of the token in its address.
  ///   - now: The current time.
  /// - Returns: Its number.
  /// - Throws: `MarkError` for a title that cannot be one, and if there is no such album or saved search; `StorageError`
  ///   if the library cannot be written.
  public func makeShare(_ draft: ShareDraft, tokenHash: String, now: Date) throws -> Int64 {
    guard MarkName.plain(draft.title) != nil else { throw MarkError.name(draft.title) }
    var failure: MarkError?
    do throws(StorageError) {
      return try writeDurably { db in
        do { return try ShareWriter(db: db, now: now).write(draft, tokenHash) } catch let error as MarkError {
          failure = error
          throw error
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// All shares, the newest first, also those that have ended.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func shares() throws(StorageError) -> [StoredShare] {
    try read { db -> [StoredShare] in try db.rows("\(Self.selection) ORDER BY s.id DESC") }
  }

  /// The share with the hash of a token, whether it is open or not; nil if there is none.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func share(tokenHash: String) throws(StorageError) -> StoredShare? {
    let found: [StoredShare] = try read { db in
      try db.rows("\(Self.selection) WHERE s.token_hash = $1", [tokenHash])
    }
    return found.first
  }

  /// Ends shares, at once and for ever.
  ///
  /// - Parameters:
  ///   - id: The number of one; nil for all.
  ///   - now: The current time.
  /// - Returns: How many were ended that nobody had revoked before.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func revokeShares(_ id: Int64?, now: Date) throws(StorageError) -> Int {
    try writeDurably { db in
      let one = id.map { " AND id = \($0)" } ?? ""
      try db.run("UPDATE share SET revoked_at = $1 WHERE revoked_at IS NULL\(one)", [UTC.text(now)])
      return db.changesCount
    }
  }

  /// The posts that a share shows now, in its order: an album's, or that in which they were found.
  ///
  /// - Parameters:
  ///   - share: The share.
  ///   - now: The current time.
  /// - Returns: The numbers of its posts, at most `mostShared`. None if its filter names what is gone: it would show what it
  ///   was to leave out.
  /// - Throws: `StorageError` if the library cannot be read.
  public func posts(of share: StoredShare, now: Date) throws(StorageError) -> [Int64] {
    let posts = SharedPosts(share)
    if let filter = posts.filter, try !canUse(filter) { return [] }
    guard let kept = posts.kept else {
      return try read { db in try Self.shown(posts.list(at: now), in: db) }
    }
    var found: [Int64] = []
    var passed = 0
    while found.count < Self.mostShared {
      let some: [Int64] = try read { [passed] db in
        try db.values(
          "SELECT k.post FROM \(kept.rows) ORDER BY \(kept.order) LIMIT \(Self.mostShared) OFFSET \(passed)")
      }
      let shown = try members(of: posts.list(at: now), among: Set(some), byAuthors: [])
      found += some.filter(shown.contains)
      passed += some.count
      if some.count < Self.mostShared { break }
    }
    return Array(found.prefix(Self.mostShared))
  }

  /// How many posts a share shows, and how many of those that its filter finds it leaves out; 0 of very many.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  package func tally(
    of share: StoredShare, _ filter: Filter, now: Date
  ) throws(StorageError) -> (posts: Int, leftOut: Int) {
    let posts = try posts(of: share, now: now).count
    var all = PostListQuery()
    all.filter = PostFilter(filter, now: now)
    let leftOut = if case .exactly(let count) = try totalIfUsable(of: all) { max(0, count - posts) } else { 0 }
    return (posts, leftOut)
  }

  /// Whether a share shows a post with a stored file now.
  ///
  /// - Parameters:
  ///   - share: The share.
  ///   - blob: The file's name.
  ///   - now: The current time.
  /// - Throws: `StorageError` if the library cannot be read.
  public func does(_ share: StoredShare, show blob: BlobID, now: Date) throws(StorageError) -> Bool {
    let posts = SharedPosts(share)
    if let filter = posts.filter, try !canUse(filter) { return false }
    let kept = posts.kept.map { " AND EXISTS (SELECT 1 FROM \($0.rows) AND k.post = f.post)" } ?? ""
    return try does(posts.list(at: now), show: blob, where: kept)
  }

  /// Whether a post that may be published has a stored file.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func isPublished(_ blob: BlobID) throws(StorageError) -> Bool {
    var list = PostListQuery(deleted: .included)
    list.visibility = .published
    return try does(list, show: blob)
  }

  private func does(
    _ list: PostListQuery, show blob: BlobID, where condition: String = ""
  ) throws(StorageError) -> Bool {
    let all: [Int64] = try read { db in
      try db.values(
        """
        SELECT DISTINCT f.post FROM blob b JOIN attachment f ON f.blob = b.id AND f.state = 'stored'
        WHERE b.sha256 = $1\(condition)
        """, [blob.hex])
    }
    return try !members(of: list, among: Set(all), byAuthors: []).isEmpty
  }

  fileprivate static func shown(_ list: PostListQuery, in db: Database) throws -> [Int64] {
    try PostPlan(list, in: db).keys(PostSelection.ScanRange(start: nil), limit: mostShared, in: db).map(\.id)
  }
}

/// Writes a share in a transaction.
private struct ShareWriter {
  let db: Database
  let now: Date

  /// - Returns: Its number.
  /// - Throws: `MarkError` if there is no such album or saved search.
  func write(_ draft: ShareDraft, _ tokenHash: String) throws -> Int64 {
    let album = try draft.filter.name(of: .album).map { try Albums(db: db).expected($0).id }
    try draft.filter.expectNames(in: db)
    let isFixed = album == nil && !draft.isLive
    let share = try db.insertNumbered(
      """
      INSERT INTO share (token_hash, title, album, filter, is_live, has_originals, shows, password_hash, made_at, ends_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        tokenHash, MarkName.plain(draft.title), album, album == nil ? draft.filter.description : nil, isFixed ? 0 : 1,
        draft.hasOriginals ? 1 : 0, draft.shows.map(\.rawValue).sorted().joined(separator: " "),
        draft.passwordHash, UTC.text(now), draft.endsAt.map(UTC.text),
      ])
    if isFixed {
      try keep(try Store.shown(SharedPosts(filter: draft.filter, draft.shows).list(at: now), in: db), in: share)
    }
    return share
  }

  private func keep(_ posts: [Int64], in share: Int64) throws {
    try db.insert(
      "INSERT INTO share_post (share, position, post)",
      posts.enumerated().map { [share, Int64($0.offset), $0.element] })
  }
}

/// The posts of a share, before it is asked which of them may be seen.
private struct SharedPosts {
  /// What chooses them; nil where rows do.
  let filter: Filter?
  let shows: Set<SharedExtra>
  /// The rows that have them, each with its post in `k.post`, and their order; nil if the filter chooses them.
  private(set) var kept: (rows: String, order: String)?

  init(filter: Filter?, _ shows: Set<SharedExtra>) { (self.filter, self.shows) = (filter, shows) }

  init(_ share: StoredShare) {
    shows = share.shows
    if let album = share.albumID {
      filter = nil
      kept = ("album_post k WHERE k.album = \(album) AND k.place IS NOT NULL", "k.place, k.stamp, k.post")
    } else if share.isLive {
      // A filter that cannot be read any more shows nothing.
      filter = share.filter.flatMap { try? Filter(parsing: $0) } ?? .any([])
    } else {
      filter = nil
      kept = ("share_post k WHERE k.share = \(share.id)", "k.position")
    }
  }

  /// The list of those that may be seen. What the filter asks cannot bring deleted and hidden posts back, whatever it names.
  func list(at now: Date) -> PostListQuery {
    let states = ["deleted"] + SharedExtra.allCases.filter { !shows.contains($0) }.map(\.rawValue)
    let leftOut = states.map { Filter.not(.term(.init(.is, [.word($0)]))) }
    var list = PostListQuery()
    list.visibility = .published
    var wanted = PostFilter(.conjunction((filter.map { [$0] } ?? []) + leftOut), now: now)
    wanted.deniesByNotes = true
    list.filter = wanted
    return list
  }
}
