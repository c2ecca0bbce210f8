extension Store {
  /// Writes a setting.
  static let setting = """
    INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """

  /// All settings, by name.
  public func settings() throws(StorageError) -> [String: String] {
    try read { db in
      let rows = try db.rows("SELECT name, value FROM setting") {
        (try $0["name"] as String, try $0["value"] as String)
      }
      return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The value of a setting; nil if it is not set.
  public func setting(_ name: String) throws(StorageError) -> String? {
    try read { db in try db.value("SELECT value FROM setting WHERE name = $1", [name]) }
  }

  /// Sets a value, and syncs it to the disk. nil removes it.
  public func set(_ name: String, to value: String?) throws(StorageError) {
    try writeDurably { db in
      guard let value else { return try db.run("DELETE FROM setting WHERE name = $1", [name.storable]) }
      try db.run(Self.setting, [name.storable, value.storable])
    }
  }
}
