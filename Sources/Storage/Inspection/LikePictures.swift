import Blobs
import Rows

/// Finds pictures that look like those of a post.
struct LikePictures {
  let db: Database
  /// The maximum number of files.
  private static let most = 5000

  /// The files that look like one of those of some posts, turned left to right or not, those files included.
  func files(like posts: [Int64]) throws -> [Int64] {
    var found: Set<Int64> = []
    let groups = PictureGroups(reading: db)
    let own = try db.rows(
      """
      SELECT a.blob, h.difference, h.mirrored, h.width, h.height, h.same_as
      FROM attachment a LEFT JOIN picture_hash h ON h.blob = a.blob
      WHERE a.post IN (SELECT value FROM \(db.each)($1)) AND a.blob IS NOT NULL
      """, [posts.jsonList]
    ) { row -> (same: Int64?, hashes: [UInt64]) in
      found.insert(try row["blob"])
      let hashes: [Int64?] = try [row["difference"], row["mirrored"]]
      return (try row["same_as"], hashes.compactMap { $0.map(UInt64.init(bitPattern:)) })
    }
    var firsts = Set(own.compactMap(\.same))
    // A film is like a still of it.
    let frames: [Int64] = try db.values(
      """
      SELECT f.difference FROM attachment a JOIN frame_hash f ON f.blob = a.blob
      WHERE a.post IN (SELECT value FROM \(db.each)($1))
      """, [posts.jsonList])
    for hashes in own.map(\.hashes) + [frames.map(UInt64.init(bitPattern:))] {
      for hash in Set(hashes) { firsts.formUnion(try groups.near(hash, within: PictureHash.likelyDistance)) }
    }
    let all: [Int64] = try db.values(
      "SELECT blob FROM picture_hash WHERE same_as IN (SELECT value FROM \(db.each)($1)) ORDER BY blob LIMIT $2",
      [firsts.sorted().jsonList, Self.most])
    return found.union(all).sorted()
  }
}
