import FoundationEssentials
import Machine

/// Where a post stands in an album. It stays valid when the post has moved or left.
///
/// Its text (`description`) can be sent; `AlbumPosition(text)` reads it again. What is no position gives nil.
public struct AlbumPosition: Sendable, Hashable, LosslessStringConvertible {
  let key: String
  let stamp: String
  let post: Int64

  init(key: String, stamp: String, post: Int64) { (self.key, self.stamp, self.post) = (key, stamp, post) }

  /// Reads the text of a position; nil if the text is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, PlaceKey.isKey(parts[0]), parts[1].utf8.count <= 200, let post = Int64(parts[2]) else {
      return nil
    }
    (key, stamp, self.post) = (parts[0], parts[1], post)
  }

  /// The position as text. The texts of an album's positions sort as its posts stand.
  public var description: String { "\(key)/\(stamp)/\(post)" }
}

/// Which part of an album a window shows.
public enum AlbumAnchor: Sendable, Hashable {
  /// Its first post.
  case start
  /// Behind its last post.
  case end
  /// A post; the first one if the album does not have it.
  case post(Int64)
  /// A position, whether or not a post still stands there.
  case position(AlbumPosition)
}

/// A part of an album in its order, deleted and hidden posts left out, read from one snapshot.
public struct AlbumWindow: Sendable, Equatable {
  /// The album's name, as it is written.
  public let name: String
  /// The posts.
  public let reading: PostWindowReading
  /// The positions of the posts.
  public let positions: [AlbumPosition]
}

extension Store {
  /// A part of an album in its order. The cost grows with the requested rows, not with the album.
  ///
  /// - Parameters:
  ///   - name: The album's name.
  ///   - anchor: Where the window is.
  ///   - before: The maximum number of rows before the anchor.
  ///   - after: The maximum number of rows from the anchor on.
  /// - Returns: The window; nil if there is no such album.
  /// - Throws: `StorageError` if the library cannot be read.
  public func window(
    ofAlbum name: String, around anchor: AlbumAnchor = .start, before: Int = 0, after: Int = 50
  ) throws(StorageError) -> AlbumWindow? {
    try read { db in
      guard let album = try Albums(db: db).row(named: name) else { return nil }
      return try AlbumReader(album.id, in: db).window(album.name, around: anchor, max(before, 0), max(after, 0))
    }
  }

  /// The numbers of the posts of an album in its order, of all or from one to another, whichever comes first.
  ///
  /// - Parameter limit: The maximum number of them.
  /// - Returns: The numbers; nil if the album does not have one of the two, or there is no such album.
  /// - Throws: `StorageError` if the library cannot be read.
  public func members(
    ofAlbum name: String, from one: Int64?, to other: Int64?, atMost limit: Int
  ) throws(StorageError) -> [Int64]? {
    try read { db in
      guard let album = try Albums(db: db).row(named: name) else { return nil }
      return try AlbumReader(album.id, in: db).members(from: one, to: other, atMost: limit)
    }
  }

  /// How many posts of an album stand before one of them, counted up to 10,000.
  ///
  /// - Returns: The number; nil if the album does not have the post.
  /// - Throws: `StorageError` if the library cannot be read.
  public func count(before post: Int64, inAlbum name: String) throws(StorageError) -> ListTotal? {
    try read { db in
      guard let album = try Albums(db: db).row(named: name) else { return nil }
      let reader = try AlbumReader(album.id, in: db)
      return try reader.position(of: post).map { try reader.count(before: $0) }
    }
  }
}

/// Reads the positions of an album from their index.
private struct AlbumReader {
  let db: Database
  let album: Int64
  private let hidden: Hidden?

  init(_ album: Int64, in db: Database) throws {
    (self.db, self.album) = (db, album)
    hidden = try Hidden(in: db)
  }

  func window(_ name: String, around anchor: AlbumAnchor, _ before: Int, _ after: Int) throws -> AlbumWindow {
    let start = try start(anchor)
    var onward = anchor == .end ? [] : try positions(start.map { "\(Self.order) >= \(value: $0)" }, "ASC", after + 1)
    var back: [AlbumPosition] = []
    if anchor == .end || start != nil {
      back = try positions(start.map { "\(Self.order) < \(value: $0)" }, "DESC", before + 1)
    }
    var reading = PostWindowReading()
    (reading.hasMoreBefore, reading.hasMoreAfter) = (back.count > before, onward.count > after)
    if reading.hasMoreBefore { back.removeLast() }
    if reading.hasMoreAfter { onward.removeLast() }
    let positions = back.reversed() + onward
    let posts = try PostReader(db: db).posts(positions.map(\.post))
    reading.rows = posts.map { PostRow(key: PostKey(createdAt: UTC.text($0.createdAt), id: $0.id), post: $0) }
    reading.total = try total("")
    if let hidden { reading.hidden = try total(" AND \(hidden.clause(of: "b.post"))", of: stored) }
    return AlbumWindow(name: name, reading: reading, positions: positions)
  }

  func position(of post: Int64) throws -> AlbumPosition? {
    try db.rows(
      "SELECT place, stamp FROM album_post WHERE album = \(bind: album) AND post = \(bind: post) AND place IS NOT NULL"
        as Clause
    ) { AlbumPosition(key: try $0["place"], stamp: try $0["stamp"], post: post) }.first
  }

  func members(from one: Int64?, to other: Int64?, atMost limit: Int) throws -> [Int64]? {
    guard let one, let other else { return try positions(nil, "ASC", limit).map(\.post) }
    guard let one = try position(of: one), let other = try position(of: other) else { return nil }
    let isOnward = (one.key, one.stamp, one.post) <= (other.key, other.stamp, other.post)
    let (first, last) = isOnward ? (one, other) : (other, one)
    return try positions("\(Self.order) >= \(value: first) AND \(Self.order) <= \(value: last)", "ASC", limit).map(
      \.post)
  }

  func count(before position: AlbumPosition) throws -> ListTotal {
    try total(" AND \(Self.order) < \(value: position)")
  }

  private func start(_ anchor: AlbumAnchor) throws -> AlbumPosition? {
    switch anchor {
    case .start, .end: nil
    case .post(let post): try position(of: post)
    case .position(let position): position
    }
  }

  private static let order: Clause = "(b.place, b.stamp, b.post)"

  /// The rows of its posts, hidden ones left out.
  private var listed: Clause { hidden.map { "\(stored) AND NOT \($0.clause(of: "b.post"))" } ?? stored }

  private var stored: Clause {
    """
    album_post b WHERE b.album = \(bind: album) AND b.place IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM post_state s WHERE s.post = b.post AND s.deleted_at IS NOT NULL)
    """
  }

  private func positions(_ condition: Clause?, _ way: String, _ limit: Int) throws -> [AlbumPosition] {
    let further: Clause = condition.map { " AND \($0)" } ?? ""
    return try db.rows(
      """
      SELECT b.place, b.stamp, b.post FROM \(listed)\(further)
      ORDER BY b.place \(way), b.stamp \(way), b.post \(way)\(Clause(limit: limit))
      """ as Clause
    ) { AlbumPosition(key: try $0["place"], stamp: try $0["stamp"], post: try $0["post"]) }
  }

  private func total(_ condition: Clause, of rows: Clause? = nil) throws -> ListTotal {
    let most = Clause(limit: Bound.exact + 1)
    return Bound.total(
      try db.value("SELECT count(*) FROM (SELECT 1 FROM \(rows ?? listed)\(condition)\(most)) AS listed" as Clause) ?? 0
    )
  }
}

extension Clause.StringInterpolation {
  fileprivate mutating func appendInterpolation(value position: AlbumPosition) {
    appendInterpolation("(\(bind: position.key), \(bind: position.stamp), \(bind: position.post))" as Clause)
  }
}
