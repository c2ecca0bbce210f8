import Blobs
import Rows

/// Finds out which pictures are the same in other bytes.
///
/// Each picture is compared with the first of each group, so that a group never grows from one look to another. What the
/// person said of two pictures counts before any hash.
struct PictureGroups {
  let db: Database
  /// The pictures that the person called the same as another. What is like one of them belongs to its group, too.
  private let confirmed: [Int64: PictureHash]

  init(db: Database) throws {
    self.db = db
    var confirmed: [Int64: PictureHash] = [:]
    try db.rows(
      """
      SELECT DISTINCT \(PictureHash.columns) FROM same_verdict v
        \(db.crossJoin) blob b ON b.sha256 IN (v.one, v.other) \(db.crossJoin) picture_hash h ON h.blob = b.id
      WHERE v.verdict = 'same'
      """
    ) { confirmed[try $0["file"]] = try PictureHash(row: $0, in: db) }
    self.confirmed = confirmed
  }

  /// Groups that are only read.
  init(reading db: Database) { (self.db, confirmed) = (db, [:]) }

  private struct Ungrouped {
    let file: Int64
    let sha256: String
    let hash: PictureHash
  }

  /// Finds the group of every picture that has none yet.
  ///
  /// - Returns: The files of groups that changed, and that more than one file has.
  func complete() throws -> Set<Int64> {
    var changed: Set<Int64> = []
    while true {
      let rows = try db.rows(
        """
        SELECT b.sha256, \(PictureHash.columns) FROM picture_hash h JOIN blob b ON b.id = h.blob
        WHERE h.same_as IS NULL ORDER BY h.blob LIMIT 200
        """
      ) { Ungrouped(file: try $0["file"], sha256: try $0["sha256"], hash: try PictureHash(row: $0, in: db)) }
      guard !rows.isEmpty else { return changed }
      // What the person called the same comes first: others are near one or the other of them.
      let order = rows.filter { confirmed[$0.file] != nil } + rows.filter { confirmed[$0.file] == nil }
      for row in order { changed.formUnion(try group(row)) }
    }
  }

  private func group(_ picture: Ungrouped) throws -> [Int64] {
    let first = try first(of: picture) ?? picture.file
    try db.run("UPDATE picture_hash SET same_as = $1 WHERE blob = $2", [first, picture.file])
    guard first != picture.file else { return [] }
    // It was the first of others: they are compared anew.
    try db.run("UPDATE picture_hash SET same_as = NULL WHERE same_as = $1 AND blob <> $1", [picture.file])
    return [first, picture.file]
  }

  /// The first picture of the group that a picture belongs to; nil if there is none.
  private func first(of picture: Ungrouped) throws -> Int64? {
    let verdicts = try SameVerdict.verdicts(of: picture.sha256, in: db)
    let different = verdicts.filter { $0.verdict == .different }.map(\.other)
    for verdict in verdicts where verdict.verdict == .same {
      let first: Int64? = try db.value(
        "SELECT h.same_as FROM picture_hash h JOIN blob b ON b.id = h.blob WHERE b.sha256 = $1 AND h.blob <> $2",
        [verdict.other, picture.file])
      if let first, first != picture.file, try !hasAny(of: different, first) { return first }
    }
    for file in try candidates(of: picture) {
      guard let first: Int64 = try db.value("SELECT same_as FROM picture_hash WHERE blob = $1", [file]),
        first != picture.file, try !hasAny(of: different, first)
      else { continue }
      return first
    }
    return nil
  }

  /// So many near pictures are compared at most: of pictures of one shade there are many.
  private static let mostCompared = 200

  /// The first pictures of groups that are the same as a picture, the nearest first, and then those that were confirmed.
  private func candidates(of picture: Ungrouped) throws -> [Int64] {
    let distance = picture.hash.film == nil ? PictureHash.sameDistance : PictureHash.likelyDistance
    let near = try near(picture.hash.difference, within: distance).filter { $0 != picture.file }
    let fitting = try ofLength(picture.hash.film?.duration, among: near)
    let firsts = try near.filter(fitting.contains).prefix(Self.mostCompared).filter { file in
      try PictureHash(of: file, in: db).map(picture.hash.isSame) ?? false
    }
    let others = confirmed.filter { $0.key != picture.file && picture.hash.isSame(as: $0.value) }
    return firsts + others.keys.sorted()
  }

  /// The pictures that have about the length of another; nil is that of a still one.
  private func ofLength(_ duration: Int?, among files: [Int64]) throws -> Set<Int64> {
    guard !files.isEmpty else { return [] }
    let length: Clause =
      duration.map { duration in
        let reach = 2 * PictureHash.Film.reach(duration)
        return "duration BETWEEN \(bind: duration - reach) AND \(bind: duration + reach)"
      } ?? "duration IS NULL"
    let statement: Clause = """
      SELECT blob FROM picture_hash WHERE blob IN (SELECT value FROM \(db.each)(\(bind: files.jsonList))) AND \(length)
      """
    return Set(try db.rows(statement) { try $0["blob"] })
  }

  /// Whether a group has one of some files, which the person told apart from a picture.
  private func hasAny(of different: [String], _ first: Int64) throws -> Bool {
    guard !different.isEmpty else { return false }
    return try db.hasRow(
      """
      SELECT 1 FROM picture_hash h JOIN blob b ON b.id = h.blob
      WHERE h.same_as = $1 AND b.sha256 IN (SELECT value FROM \(db.eachText)($2))
      """, [first, different.jsonList])
  }

  /// The first pictures of groups whose difference hash is near another, the nearest first.
  ///
  /// Of hashes that differ in at most four bits, one of five parts is equal; in at most nine, one differs in at most one bit.
  func near(_ hash: UInt64, within distance: Int) throws -> [Int64] {
    let parts = HashPart.all.map { part -> Clause in
      let values = part.values(near: hash, changing: distance < HashPart.all.count ? 0 : 1)
      return """
        SELECT blob, difference FROM picture_hash
        WHERE same_as = blob AND \(part.column) IN (\(values.map(String.init).joined(separator: ", ")))
        """
    }
    let found = try db.rows(parts.joined(by: " UNION ALL ")) { row -> (file: Int64, distance: Int) in
      (try row["blob"], PictureHash.distance(hash, UInt64(bitPattern: try row["difference"])))
    }
    var seen: Set<Int64> = []
    return found.filter { $0.distance <= distance && seen.insert($0.file).inserted }
      .sorted { ($0.distance, $0.file) < ($1.distance, $1.file) }.map(\.file)
  }
}

/// A part of a difference hash, by which an index finds hashes.
struct HashPart {
  let start: Int
  let length: Int

  static let all = [(0, 13), (13, 13), (26, 13), (39, 13), (52, 12)].map { HashPart(start: $0, length: $1) }

  private var mask: UInt64 { 1 << length - 1 }

  /// The expression that the index has.
  var column: String { start == 0 ? "(difference & \(mask))" : "((difference >> \(start)) & \(mask))" }

  /// Its values of all hashes that differ from one in at most so many bits of it, which is 0 or 1.
  func values(near hash: UInt64, changing bits: Int) -> [UInt64] {
    let value = hash >> start & mask
    return [value] + (bits == 0 ? [] : (0..<length).map { value ^ 1 << $0 })
  }
}

extension PictureHash {
  /// The columns of `picture_hash h`.
  static let columns =
    "h.blob AS file, h.difference, h.mirrored, h.frequencies, h.thumbnail, h.width, h.height, h.duration"

  /// The hash in a row of `picture_hash`, as `columns` names it.
  init(row: Row, in db: Database) throws {
    try self.init(row: row, width: row.number("width"), height: row.number("height"))
    guard let duration = try row.duration() else { return }
    film = Film(duration: duration, frames: .init(repeating: nil, count: Film.shares.count))
    let size = (width: width, height: height)
    try db.rows(
      """
      SELECT number, difference, mirrored, frequencies, thumbnail FROM frame_hash WHERE blob = $1 AND number BETWEEN 0 AND $2
      """, [try row["file"] as Int64, Film.shares.count - 1]
    ) { row in
      film?.frames[try row.number("number")] = try PictureHash(row: row, width: size.width, height: size.height)
    }
  }

  private init(row: Row, width: Int, height: Int) throws {
    let (difference, mirrored, frequencies): (Int64, Int64, Int64) = try (
      row["difference"], row["mirrored"], row["frequencies"]
    )
    self.init(
      difference: UInt64(bitPattern: difference), mirrored: UInt64(bitPattern: mirrored),
      frequencies: UInt64(bitPattern: frequencies), thumbnail: try row["thumbnail"], width: width, height: height)
  }

  /// The hash of a file; nil if it has none.
  init?(of file: Int64, in db: Database) throws {
    let found = try db.row("SELECT \(Self.columns) FROM picture_hash h WHERE h.blob = $1", [file]) {
      try PictureHash(row: $0, in: db)
    }
    guard let found else { return nil }
    self = found
  }
}

extension Row {
  /// The length of a film in a row of `picture_hash`, in milliseconds; nil for a still picture.
  func duration() throws -> Int? {
    try (self["duration"] as Int64?).map(Int.init).flatMap { PictureHash.Film.durations.contains($0) ? $0 : nil }
  }
}
