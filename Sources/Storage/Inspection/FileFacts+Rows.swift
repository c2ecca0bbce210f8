import Blobs
import Gazetteer
import Rows

extension FileFacts {
  /// The columns of `file_facts f`.
  static let columns = """
    f.taken_at, f.taken_offset, f.latitude, f.longitude, f.camera, f.artist, f.copyright, f.caption, f.keywords, f.origin,
      f.duration, f.codecs, f.has_sound, f.taken_by, f.place_by
    """

  /// The facts of a file; nil if it says nothing.
  init?(of file: Int64, in db: Database) throws {
    guard let facts = try db.row("SELECT \(Self.columns) FROM file_facts f WHERE f.blob = $1", [file], Self.init)
    else { return nil }
    self = facts
  }

  /// The facts in a row of `file_facts`, as `columns` names them.
  init(_ row: some RowReading) throws {
    self.init()
    takenAt = try row["taken_at"]
    offset = try (row["taken_offset"] as Int64?).map(Int.init)
    latitude = try row["latitude"]
    longitude = try row["longitude"]
    camera = try row["camera"]
    artist = try row["artist"]
    copyright = try row["copyright"]
    caption = try row["caption"]
    keywords = try (row["keywords"] as String?).flatMap([String].init(jsonList:)) ?? []
    origin = try row["origin"]
    duration = try (row["duration"] as Int64?).map(Int.init)
    codecs = try (row["codecs"] as String?).flatMap([String].init(jsonList:)) ?? []
    hasSound = try (row["has_sound"] as Int64?).map { $0 == 1 }
    (takenBy, placeBy) = (try row["taken_by"], try row["place_by"])
  }

  /// Stores them in place of those that the file had.
  func store(of file: Int64, in db: Database) throws {
    try db.run("DELETE FROM file_facts WHERE blob = $1", [file])
    let values = (1...17).map { "$\($0)" }.joined(separator: ", ")
    let town = latitude.flatMap { north in
      longitude.flatMap { Gazetteer.shared.nearest(latitude: north, longitude: $0) }
    }
    try db.run(
      "INSERT INTO file_facts (blob, \(Self.columns.replacing("f.", with: "")), country) VALUES (\(values))",
      [
        file, takenAt?.storable, offset, latitude, longitude, camera?.storable, artist?.storable, copyright?.storable,
        caption?.storable, keywords.isEmpty ? nil : keywords.map(\.storable).jsonList, origin?.storable, duration,
        codecs.isEmpty ? nil : codecs.map(\.storable).jsonList, hasSound.map { $0 ? 1 : 0 }, takenBy?.storable,
        placeBy?.storable, town?.town.country,
      ])
  }
}
