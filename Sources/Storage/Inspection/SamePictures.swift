import Blobs
import FoundationEssentials
import Machine
import Rows

/// Posts that show the same picture, in the same or in other bytes.
public struct SamePictures: Sendable, Equatable {
  /// A file of a post.
  public struct Showing: Sendable, Equatable {
    /// The post.
    public let post: Int64
    /// The index of the file in the post; 0 is the first.
    public let position: Int
    /// Its bytes.
    public let blob: BlobID
    /// The number of bytes.
    public let byteCount: Int
    /// Its width in pixels; nil if it is not known.
    public let width: Int?
    /// Its height in pixels; nil if it is not known.
    public let height: Int?
    /// When the post was written.
    public let createdAt: Date
    /// The author's handle; nil if it has no author.
    public let author: String?
    /// The bits in which its difference hash differs from that of the earliest file; nil if one of them has none.
    public internal(set) var distance: Int?
    /// Whether its pixels are those of another file of the group, or its bytes are.
    public internal(set) var isExact = false
  }

  /// The files, of the earliest post first.
  public let showings: [Showing]
  /// The index of the file with the most pixels, and of those the most bytes.
  public var largest: Int {
    showings.indices.max { size(of: $0) < size(of: $1) } ?? 0
  }

  private func size(of index: Int) -> (Int, Int, Int) {
    let one = showings[index]
    // Of equal ones, the earliest.
    return ((one.width ?? 0) * (one.height ?? 0), one.byteCount, -index)
  }

  /// The number of posts.
  public var posts: Int { Set(showings.map(\.post)).count }
}

extension Store {
  /// Calls `body` with each group of posts that show the same picture, that of the most posts first.
  ///
  /// - Parameters:
  ///   - posts: Only groups with one of these posts; nil for all.
  ///   - distance: Pictures count as the same up to this distance of their difference hashes, if they have one form; nil for
  ///     what was found when they were inspected, which compares more.
  ///   - limit: The maximum number of groups; nil for all.
  /// - Throws: `StorageError` if the library cannot be read; what `body` throws.
  public func eachSamePictures(
    of posts: [Int64]? = nil, within distance: Int? = nil, atMost limit: Int? = nil,
    _ body: (SamePictures) throws -> Void
  ) throws {
    let groups = try read { db in
      let near = try distance.map { try NearPictures(in: db).groups(within: $0) } ?? SamePictures.stored(in: db)
      let groups = try SamePictures.ranked(near, in: db)
      guard let posts else { return groups }
      let files = Set(
        try db.values(
          "SELECT DISTINCT blob FROM attachment WHERE post IN (SELECT value FROM \(db.each)($1)) AND blob IS NOT NULL",
          [posts.jsonList]) as [Int64])
      return groups.filter { !files.isDisjoint(with: $0) }
    }
    var count = 0
    for group in groups {
      if let limit, count >= limit { return }
      guard let same = try read({ try SamePictures(of: group, in: $0) }) else { continue }
      count += 1
      try body(same)
    }
  }

  /// For each of some posts, how many posts show one of its pictures, itself included: of that of its pictures which most do.
  /// Counted up to 100. Posts whose pictures no other post shows are left out.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func sharedPictures(of posts: [Int64]) throws(StorageError) -> [Int64: Int] {
    try read { db in try SamePictures.counts(of: posts, in: db) }
  }
}

extension SamePictures {
  /// What `Store.sharedPictures` returns.
  static func counts(of posts: [Int64], in db: Database) throws -> [Int64: Int] {
    guard !posts.isEmpty else { return [:] }
    var counts: [Int64: Int] = [:]
    let members = """
      SELECT * FROM (SELECT m.blob FROM picture_hash m WHERE m.same_as = h.same_as LIMIT 100) AS members
      UNION ALL SELECT a.blob
      """
    // A post that shows a picture twice counts once, by its first file: to sort out the others would take a table.
    try db.rows(
      """
      SELECT a.post, (
        SELECT count(*) FROM (
          SELECT 1 FROM attachment o WHERE o.blob IN (\(members))
            AND NOT EXISTS (
              SELECT 1 FROM attachment e WHERE e.post = o.post AND e.id < o.id AND e.blob IN (\(members)))
            AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = o.post AND s.deleted_at IS NOT NULL)
          LIMIT 100) AS showing
        ) AS posts
      FROM \(db.each)($1) j \(db.crossJoin) attachment a ON a.post = j.value
        LEFT JOIN picture_hash h ON h.blob = a.blob
      WHERE a.blob IS NOT NULL
      """, [posts.jsonList]
    ) { row in
      let (post, count): (Int64, Int) = try (row["post"], row.number("posts"))
      if count > 1 { counts[post] = max(count, counts[post] ?? 0) }
    }
    return counts
  }

  /// The groups of more than one file that were found when pictures were inspected.
  fileprivate static func stored(in db: Database) throws -> [[Int64]] {
    var groups: [Int64: [Int64]] = [:]
    try db.rows(
      """
      SELECT h.same_as, h.blob FROM picture_hash h
      WHERE h.same_as IN (SELECT m.same_as FROM picture_hash m WHERE m.same_as <> m.blob) ORDER BY h.same_as, h.blob
      """
    ) { groups[try $0["same_as"], default: []].append(try $0["blob"]) }
    return Array(groups.values)
  }

  /// Groups, and the files beside them that several posts show, that of the most posts first.
  fileprivate static func ranked(_ groups: [[Int64]], in db: Database) throws -> [[Int64]] {
    var shared: [Int64: Int] = [:]
    try db.rows(
      """
      SELECT a.blob, count(DISTINCT a.post) AS posts FROM attachment a
      WHERE a.blob IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = a.post AND s.deleted_at IS NOT NULL)
      GROUP BY a.blob HAVING count(DISTINCT a.post) > 1
      """
    ) { shared[try $0["blob"]] = try $0.number("posts") }
    let grouped = Set(groups.joined())
    let all = groups + shared.keys.filter { !grouped.contains($0) }.map { [$0] }
    return all.map { group in (group, posts: group.reduce(0) { $0 + (shared[$1] ?? 1) }) }
      .sorted { ($0.posts, $1.0[0]) > ($1.posts, $0.0[0]) }.map(\.0)
  }

  /// The posts that show one of some files; nil if fewer than two do.
  fileprivate init?(of files: [Int64], in db: Database) throws {
    struct Found {
      var showing: Showing
      let difference: UInt64?
      let pixels: String?
    }
    let found = try db.rows(
      """
      SELECT a.post, a.position, b.sha256, b.bytes, coalesce(h.width, b.width, a.width) AS width,
        coalesce(h.height, b.height, a.height) AS height, p.created_at, u.handle, h.difference, h.pixels
      FROM \(db.each)($1) j \(db.crossJoin) blob b ON b.id = j.value
        \(db.crossJoin) attachment a ON a.blob = b.id \(db.crossJoin) post p ON p.id = a.post
        LEFT JOIN author u ON u.id = p.author LEFT JOIN picture_hash h ON h.blob = b.id
      WHERE NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = p.id AND s.deleted_at IS NOT NULL)
      ORDER BY p.created_at, p.id, a.position
      """, [files.jsonList]
    ) { row -> Found? in
      guard let blob = BlobID(try row["sha256"]) else { return nil }
      let showing = Showing(
        post: try row["post"], position: try row.number("position"), blob: blob, byteCount: try row.number("bytes"),
        width: try row["width"], height: try row["height"], createdAt: UTC.date(try row["created_at"]) ?? .distantPast,
        author: try row["handle"])
      let difference = try (row["difference"] as Int64?).map { UInt64(bitPattern: $0) }
      return Found(showing: showing, difference: difference, pixels: try row["pixels"])
    }.compactMap(\.self)
    let bytes = Dictionary(grouping: found, by: \.showing.blob).mapValues { Set($0.map(\.showing.post)).count }
    let pixels = Dictionary(grouping: found.filter { $0.pixels?.isEmpty == false }, by: \.pixels)
      .mapValues { Set($0.map(\.showing.post)).count }
    let first = found.first?.difference
    showings = found.map { one in
      var showing = one.showing
      if let hash = one.difference, let first { showing.distance = PictureHash.distance(hash, first) }
      showing.isExact = (bytes[showing.blob] ?? 0) > 1 || (pixels[one.pixels] ?? 0) > 1
      return showing
    }
    guard posts > 1 else { return nil }
  }
}

extension Store {
  /// The pictures whose pixels are not known, of those that have the hash and the size of another one.
  ///
  /// - Parameters:
  ///   - files: Pictures; their twins are returned, too.
  ///   - limit: The maximum number of pictures.
  /// - Throws: `StorageError` if the library cannot be read.
  public func picturesWithTwins(among files: [Int64], atMost limit: Int) throws(StorageError) -> [UninspectedFile] {
    try read { db in
      let twin = "t.difference = h.difference AND t.width = h.width AND t.height = h.height AND t.blob <> h.blob"
      // The first pictures of two animations say nothing of the others.
      let isStill = "h.duration IS NULL AND t.duration IS NULL"
      return try db.rows(
        """
        SELECT DISTINCT b.id, b.sha256, b.media_type FROM \(db.each)($1) j
          \(db.crossJoin) picture_hash h ON h.blob = j.value \(db.crossJoin) picture_hash t ON \(twin) AND \(isStill)
          \(db.crossJoin) blob b ON b.id IN (h.blob, t.blob) \(db.crossJoin) picture_hash n ON n.blob = b.id
        WHERE n.pixels IS NULL LIMIT $2
        """, [files.jsonList, limit]
      ) { row -> UninspectedFile? in
        guard let blob = BlobID(try row["sha256"]) else { return nil }
        return UninspectedFile(number: try row["id"], blob: blob, mediaType: try row["media_type"], kinds: [])
      }.compactMap(\.self)
    }
  }

  /// Stores hashes of decoded pixels; without a value, that they cannot be decoded.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  public func keep(pixels: [(file: Int64, hash: String?)]) throws(StorageError) {
    try write { db in
      for one in pixels {
        try db.run("UPDATE picture_hash SET pixels = $1 WHERE blob = $2", [one.hash ?? "", one.file])
      }
    }
  }
}
