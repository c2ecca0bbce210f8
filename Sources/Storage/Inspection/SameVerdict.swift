import Blobs
import FoundationEssentials
import Rows

/// What a person says of two pictures.
public enum SameVerdict: String, Sendable, Hashable, Decodable {
  /// They show the same, whatever their hashes say.
  case same
  /// They do not.
  case different
  /// What their hashes say.
  case none

  /// What was said of a picture and others.
  static func verdicts(
    of picture: String, in db: Database
  ) throws -> [(other: String, verdict: SameVerdict)] {
    try db.rows(
      """
      SELECT other, verdict FROM same_verdict WHERE one = $1 UNION ALL
      SELECT one, verdict FROM same_verdict WHERE other = $1
      """, [picture]
    ) { (try $0["other"], SameVerdict(rawValue: try $0["verdict"]) ?? .none) }
  }
}

/// What was noted of pictures.
public struct SameDecision: Sendable, Equatable {
  /// How many pairs had another verdict before.
  public let pairs: Int
  /// The posts that became one.
  public let joined: [TwinPosts]
  /// By what `Store.undo` takes it back; nil if nothing changed.
  public let change: Int64?
}

extension Store {
  /// Notes what a person says of two pictures. It lasts until another verdict, whatever becomes of their hashes and posts.
  ///
  /// - Parameters:
  ///   - verdict: What they say.
  ///   - pairs: The pictures.
  ///   - posts: The posts of which they say it. Of those that show the same, an export's and the one that Instagram shows
  ///     become one.
  ///   - marker: Who says it.
  ///   - now: When.
  /// - Returns: What changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func set(
    _ verdict: SameVerdict, of pairs: [(BlobID, BlobID)], in posts: [Int64] = [], by marker: Marker, now: Date
  ) throws(StorageError) -> SameDecision {
    try writeDurably { db in
      var count = 0
      let twins = try verdict == .same ? TwinPosts.find(among: posts, in: db) : []
      var writer = try MarkWriter(verdict.words, by: marker, now: now, in: db)
      for (one, other) in pairs where one != other {
        let (one, other) = (min(one.hex, other.hex), max(one.hex, other.hex))
        let before = try SameVerdict.current(one, other, in: db)
        guard before != verdict.rawValue else { continue }
        try SameVerdict.store(verdict.rawValue, one, other, stamp: writer.stamp.text, in: db)
        try writer.remember(SameVerdict.mark, "\(one) \(other)", before, written: verdict.rawValue)
        count += 1
      }
      if count > 0 { try db.announce(filesOf: try PictureGroups(db: db).complete()) }
      for twin in twins { try twin.join(&writer) }
      return SameDecision(pairs: count, joined: twins, change: try writer.end())
    }
  }

  /// Notes what a person says of the pictures of posts: of each post's with each other post's. Of posts with several
  /// pictures, those are meant that are near by a hash.
  ///
  /// - Parameters:
  ///   - verdict: What they say.
  ///   - posts: Two posts or more.
  ///   - pictures: The pictures that are meant, each with each; nil for those that are near.
  ///   - marker: Who says it.
  ///   - now: When.
  /// - Returns: The posts, if anything changed, and by what it is undone.
  /// - Throws: `MarkError` if a post has no picture that is meant, if there are more than 50 posts, or if one file is called
  ///   different from itself; `StorageError` if the library cannot be written.
  @discardableResult
  public func set(
    _ verdict: SameVerdict, ofPosts posts: [Int64], showing pictures: [BlobID]? = nil, by marker: Marker, now: Date
  ) throws -> Marking {
    let posts = Set(posts).sorted()
    guard max(posts.count, pictures?.count ?? 0) <= SameVerdict.mostPosts else {
      throw MarkError.manyToCompare(max(posts.count, pictures?.count ?? 0))
    }
    let pairs = try pictures.map { $0.pairs } ?? likelyPairs(ofPosts: posts)
    if verdict == .different, !pairs.isEmpty, pairs.allSatisfy({ $0 == $1 }) { throw MarkError.sameFile }
    var marking = Marking()
    let decision = try set(verdict, of: pairs, in: posts, by: marker, now: now)
    (marking.change, marking.joined) = (decision.change, decision.joined.count)
    if marking.change != nil { marking.changed = posts }
    return marking
  }

  /// The pairs of pictures of posts that are near by a hash, or the same file.
  ///
  /// - Throws: `MarkError` if a post has none.
  private func likelyPairs(ofPosts posts: [Int64]) throws -> [(BlobID, BlobID)] {
    let pictures = try read { db in
      var pictures: [Int64: [HashedPicture]] = [:]
      try db.rows(
        """
        SELECT DISTINCT a.post, b.sha256, h.difference, h.same_as
        FROM \(db.each)($1) j \(db.crossJoin) attachment a ON a.post = j.value
          JOIN blob b ON b.id = a.blob LEFT JOIN picture_hash h ON h.blob = b.id
        WHERE a.kind IN ('image', 'video', 'gifv')
        """, [posts.jsonList]
      ) { row in
        if let picture = try HashedPicture(row) { pictures[try row["post"], default: []].append(picture) }
      }
      return pictures
    }
    var pairs: [(BlobID, BlobID)] = []
    var unpaired = Set(posts)
    for (one, other) in posts.pairs {
      let (ones, others) = (pictures[one] ?? [], pictures[other] ?? [])
      let near = HashedPicture.likely(ones, others, always: ones.count == 1 && others.count == 1)
      if !near.isEmpty { unpaired.subtract([one, other]) }
      pairs += near
    }
    if let post = posts.first(where: unpaired.contains) { throw MarkError.noLikePicture(post) }
    return pairs
  }
}

/// A picture with what tells which others are near.
private struct HashedPicture {
  let blob: BlobID
  private let difference: UInt64?
  private let group: Int64?

  /// Reads `sha256`, `difference` and `same_as`.
  init?(_ row: some RowReading) throws {
    guard let blob = BlobID(try row["sha256"]) else { return nil }
    self.blob = blob
    difference = try (row["difference"] as Int64?).map { UInt64(bitPattern: $0) }
    group = try row["same_as"]
  }

  func isNear(_ other: HashedPicture) -> Bool {
    if blob == other.blob || group != nil && group == other.group { return true }
    guard let difference, let theirs = other.difference else { return false }
    return PictureHash.distance(difference, theirs) <= PictureHash.likelyDistance
  }

  static func likely(
    _ ones: [HashedPicture], _ others: [HashedPicture], always: Bool
  ) -> [(BlobID, BlobID)] {
    ones.flatMap { one in others.filter { always || one.isNear($0) }.map { (one.blob, $0.blob) } }
  }
}

extension Array {
  /// Each element with each later one.
  fileprivate var pairs: [(Element, Element)] {
    indices.flatMap { index in self[(index + 1)...].map { (self[index], $0) } }
  }
}

extension SameVerdict {
  /// How a change of marks names it.
  static let mark = "same"
  /// Each post is compared with each other one.
  static let mostPosts = 50

  fileprivate var words: String {
    switch self {
    case .same: "call pictures the same"
    case .different: "call pictures different"
    case .none: "take a verdict back"
    }
  }

  /// The verdict about two pictures, which are in order.
  fileprivate static func current(_ one: String, _ other: String, in db: Database) throws -> String {
    try db.value("SELECT verdict FROM same_verdict WHERE one = $1 AND other = $2", [one, other]) ?? none.rawValue
  }

  /// Takes a verdict back that was written as a change, unless somebody said something else since.
  ///
  /// - Parameter pictures: Both, with a space between.
  static func restore(
    _ pictures: String, _ before: String?, written: String?, stamp: String, in db: Database
  ) throws {
    let pair = pictures.split(separator: " ").map(String.init)
    guard pair.count == 2, try current(pair[0], pair[1], in: db) == written else { return }
    try store(before ?? none.rawValue, pair[0], pair[1], stamp: stamp, in: db)
  }

  /// Stores a verdict unless a later one is there, and lets both pictures be grouped anew.
  ///
  /// - Returns: Whether it was stored.
  @discardableResult
  static func store(_ verdict: String, _ one: String, _ other: String, stamp: String, in db: Database) throws -> Bool {
    try db.run(
      """
      INSERT INTO same_verdict (one, other, verdict, stamp) VALUES ($1, $2, $3, $4)
      ON CONFLICT (one, other) DO UPDATE SET verdict = excluded.verdict, stamp = excluded.stamp
      WHERE excluded.stamp > same_verdict.stamp
        OR excluded.stamp = same_verdict.stamp AND excluded.verdict > same_verdict.verdict
      """, [one, other, verdict, stamp])
    guard db.changesCount > 0 else { return false }
    try db.announce(filesOf: Set(try files(one, other, in: db)))
    // The groups of both are made anew.
    try db.run(
      """
      UPDATE picture_hash SET same_as = NULL WHERE same_as IN (
        SELECT h.same_as FROM picture_hash h JOIN blob b ON b.id = h.blob WHERE b.sha256 IN ($1, $2))
      """, [one, other])
    return true
  }

  private static func files(_ one: String, _ other: String, in db: Database) throws -> [Int64] {
    try db.values("SELECT id FROM blob WHERE sha256 IN ($1, $2)", [one, other])
  }
}

extension Store {
  /// The pairs of two posts' pictures that a verdict about the posts is about: those that are near by a hash.
  ///
  /// - Parameters:
  ///   - pictures: The pictures of one post.
  ///   - others: Those of the other.
  ///   - always: Whether all pairs are meant, however much they differ.
  /// - Throws: `StorageError` if the library cannot be read.
  public func likelyPairs(
    _ pictures: [BlobID], _ others: [BlobID], always: Bool
  ) throws(StorageError) -> [(BlobID, BlobID)] {
    try read { db in
      func hashed(_ blobs: [BlobID]) throws -> [HashedPicture] {
        try db.rows(
          """
          SELECT b.sha256, h.difference, h.same_as FROM \(db.eachText)($1) j
            \(db.crossJoin) blob b ON b.sha256 = j.value LEFT JOIN picture_hash h ON h.blob = b.id
          """, [blobs.map(\.hex).jsonList], HashedPicture.init
        ).compactMap(\.self)
      }
      return HashedPicture.likely(try hashed(pictures), try hashed(others), always: always).filter { $0 != $1 }
    }
  }
}
