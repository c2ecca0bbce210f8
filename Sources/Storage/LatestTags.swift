extension Store {
  /// The row that holds them, a line each; it is no setting that people know.
  private static let row = "latest-tags"
  /// More are not remembered, nor longer ones.
  private static let most = 30
  private static let longest = 600

  /// The tags that were looked at last, as `noteTag` was given them: the newest first.
  public func latestTags() throws(StorageError) -> [String] {
    (try setting(Self.row) ?? "").split(separator: "\n").map(String.init)
  }

  /// The names of tags that begin so, in their order.
  ///
  /// - Parameters:
  ///   - prefix: How the names begin; capitals and small letters are the same.
  ///   - limit: At most so many are read.
  /// - Returns: The names as posts carry them.
  /// - Throws: `StorageError` where the library cannot be read.
  public func tagNames(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    // "\u{10FFFF}" stands behind every letter.
    try read { db in
      try db.rows(
        """
        SELECT name FROM tag WHERE name COLLATE NOCASE >= ?1 AND name COLLATE NOCASE < ?1 || ?2
        ORDER BY name COLLATE NOCASE, id LIMIT ?3
        """, [prefix.storable, "\u{10FFFF}", limit]
      ).map { $0[0] }
    }
  }

  /// The handles of authors that begin so, in any case.
  ///
  /// - Throws: `StorageError` where the library cannot be read.
  public func authorHandles(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    try read { db in
      try db.rows(
        """
        SELECT DISTINCT handle FROM author WHERE handle COLLATE NOCASE >= ?1 AND handle COLLATE NOCASE < ?1 || ?2
        ORDER BY handle COLLATE NOCASE LIMIT ?3
        """, [prefix.storable, "\u{10FFFF}", limit]
      ).map { $0[0] }
    }
  }

  /// Notes the tag that is looked at now, and returns all that are remembered: the newest first, the last thirty.
  @discardableResult
  public func noteTag(_ tag: String) throws(StorageError) -> [String] {
    let tag = tag.storable
    guard !tag.isEmpty, tag.utf8.count <= Self.longest, !tag.contains(where: \.isNewline) else {
      return try latestTags()
    }
    return try write { db in
      let kept: String = try db.value("SELECT value FROM setting WHERE name = ?", [Self.row]) ?? ""
      let others = kept.split(separator: "\n").map(String.init).filter { $0 != tag }
      let tags = Array(([tag] + others).prefix(Self.most))
      try db.run(
        "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
        [Self.row, tags.joined(separator: "\n")]
      )
      return tags
    }
  }
}
