import Blobs
import FoundationEssentials
import Rows

/// What a person says of two pictures.
public enum SameVerdict: String, Sendable, Hashable {
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

extension Store {
  /// Notes what a person says of two pictures. It lasts until another verdict, whatever becomes of their hashes and posts.
  ///
  /// - Parameters:
  ///   - verdict: What they say.
  ///   - pairs: The pictures.
  ///   - marker: Who says it.
  ///   - now: When.
  /// - Returns: How many pairs had another verdict before.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func set(
    _ verdict: SameVerdict, of pairs: [(BlobID, BlobID)], by marker: Marker, now: Date
  ) throws(StorageError) -> Int {
    try write { db in
      var count = 0
      let stamp = try MarkStamp.next(by: marker, now: now, in: db)
      for (one, other) in pairs where one != other {
        let (one, other) = (min(one.hex, other.hex), max(one.hex, other.hex))
        let before: String? = try db.value(
          "SELECT verdict FROM same_verdict WHERE one = $1 AND other = $2", [one, other])
        guard before ?? SameVerdict.none.rawValue != verdict.rawValue else { continue }
        try SameVerdict.store(verdict.rawValue, one, other, stamp: stamp.text, in: db)
        count += 1
      }
      guard count > 0 else { return 0 }
      try db.announce(filesOf: try PictureGroups(db: db).complete())
      return count
    }
  }
}

extension SameVerdict {
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
    let pairs = pictures.flatMap { one in others.map { (one, $0) } }.filter { $0 != $1 }
    guard !always else { return pairs }
    return try read { db in
      func hash(_ blob: BlobID) throws -> (difference: Int64, group: Int64?)? {
        try db.row(
          "SELECT h.difference, h.same_as FROM picture_hash h JOIN blob b ON b.id = h.blob WHERE b.sha256 = $1",
          [blob.hex]
        ) { (try $0["difference"], try $0["same_as"]) }
      }
      return try pairs.filter { one, other in
        guard let (one, other) = try hash(one).flatMap({ one in try hash(other).map { (one, $0) } }) else {
          return false
        }
        let distance = PictureHash.distance(UInt64(bitPattern: one.difference), UInt64(bitPattern: other.difference))
        return distance <= PictureHash.likelyDistance || one.group != nil && one.group == other.group
      }
    }
  }
}
