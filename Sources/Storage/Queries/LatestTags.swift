// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Store {
  /// The setting that stores the tags, one a line. Users do not see it.
  private static let row = "latest-tags"
  /// Maximum number of stored tags, and maximum length of each in bytes.
  private static let most = 30
  private static let longest = 600

  public func latestTags() throws(StorageError) -> [String] {
    (try setting(Self.row) ?? "").split(separator: "\n").map(String.init)
  }

  public func tagNames(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    // "\u{10FFFF}" sorts after every letter.
    try read { db in
      try db.values(
        """
        SELECT name FROM tag WHERE name COLLATE NOCASE >= ?1 COLLATE NOCASE AND name COLLATE NOCASE < ?1 COLLATE NOCASE || ?2
        ORDER BY name COLLATE NOCASE, id LIMIT ?3
        """, [prefix.storable, "\u{10FFFF}", limit]
      )
    }
  }

  public func authorHandles(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    try read { db in
      try db.values(
        """
        SELECT handle FROM author
        WHERE handle COLLATE NOCASE >= ?1 COLLATE NOCASE AND handle COLLATE NOCASE < ?1 COLLATE NOCASE || ?2
        GROUP BY handle ORDER BY handle COLLATE NOCASE LIMIT ?3
        """, [prefix.storable, "\u{10FFFF}", limit]
      )
    }
  }

  @discardableResult
  public func noteTag(_ tag: String) throws(StorageError) -> [String] {
    let tag = tag.storable
    guard !tag.isEmpty, tag.utf8.count <= Self.longest, !tag.contains(where: \.isNewline) else {
      return try latestTags()
    }
    return try write { db in
      let stored: String = try db.value("SELECT value FROM setting WHERE name = ?", [Self.row]) ?? ""
      let others = stored.split(separator: "\n").map(String.init).filter { $0 != tag }
      let tags = Array(([tag] + others).prefix(Self.most))
      try db.run(Self.setting, [Self.row, tags.joined(separator: "\n")])
      return tags
    }
  }
}
