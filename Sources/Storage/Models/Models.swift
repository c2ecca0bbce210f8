import Blobs
import FoundationEssentials
import Machine
import Rows

extension Store {
  /// Notes that a model looks at files from now on. Files that it has not looked at are to be inspected.
  ///
  /// - Returns: Its number.
  /// - Throws: `StorageError` if the library cannot be written.
  public func use(_ model: ModelName, now: Date) throws(StorageError) -> Int64 {
    // A run that finds nothing to do writes nothing.
    if let current = try read({ try Model(in: $0) }), current.name == model { return current.number }
    return try write { db in
      try db.run(
        """
        INSERT INTO model (name, dimensions, used_at) VALUES ($1, $2, $3)
        ON CONFLICT (name, dimensions) DO UPDATE SET used_at = excluded.used_at
        """, [model.text.storable, model.dimensions, UTC.text(now)])
      guard
        let number: Int64 = try db.value(
          "SELECT id FROM model WHERE name = $1 AND dimensions = $2", [model.text.storable, model.dimensions])
      else { throw Contradiction("a model was stored and has no row") }
      return number
    }
  }

  /// The number of the model that looked at files last; nil if none ever did.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func currentModel() throws(StorageError) -> Int64? { try read { try Model(in: $0)?.number } }

  /// The number of a model; nil if it never looked at files of the library.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func number(of model: ModelName) throws(StorageError) -> Int64? {
    try read { db in
      try db.value(
        "SELECT id FROM model WHERE name = $1 AND dimensions = $2", [model.text.storable, model.dimensions])
    }
  }
}

/// The model that looked at files last.
struct Model {
  let number: Int64
  let name: ModelName

  /// nil if none ever did.
  init?(in db: Database) throws {
    let row = try db.row("SELECT id, name, dimensions FROM model ORDER BY used_at DESC, id DESC LIMIT 1") {
      (number: try $0["id"] as Int64, name: ModelName(try $0["name"], dimensions: try $0.number("dimensions")))
    }
    guard let row else { return nil }
    (number, name) = row
  }
}

extension ModelFindings {
  /// Stores them in place of those that the file had.
  ///
  /// - Returns: Whether posts show something else than before.
  static func replace(_ found: ModelFindings?, of file: Int64, by model: Int64, in db: Database) throws -> Bool {
    let before = try Self.shown(of: file, in: db)
    for table in ["picture_vector", "machine_tag", "machine_text"] {
      try db.run("DELETE FROM \(table) WHERE blob = $1", [file])
    }
    if let vector = found?.embedding {
      try db.run(
        "INSERT INTO picture_vector (blob, model, scale, vector) VALUES ($1, $2, $3, $4)",
        [file, model, vector.scale, vector.bytes])
    }
    if let tags = found?.tags, !tags.isEmpty {
      try db.insert(
        "INSERT INTO machine_tag (blob, tag, score)", tags.map { [file, $0.name.storable, $0.score] })
    }
    if found?.caption != nil || found?.sensitive != nil {
      try db.run(
        "INSERT INTO machine_text (blob, caption, sensitive) VALUES ($1, $2, $3)",
        [file, found?.caption?.storable, found?.sensitive])
    }
    return try Self.shown(of: file, in: db) != before
  }

  /// What posts show of it.
  private static func shown(of file: Int64, in db: Database) throws -> ModelFindings {
    var found = ModelFindings()
    found.tags = try db.rows("SELECT tag, score FROM machine_tag WHERE blob = $1 ORDER BY tag", [file]) {
      MachineTag(try $0["tag"], score: try $0["score"])
    }
    try db.row("SELECT caption, sensitive FROM machine_text WHERE blob = $1", [file]) {
      (found.caption, found.sensitive) = (try $0["caption"], try $0["sensitive"])
    }
    return found
  }
}
