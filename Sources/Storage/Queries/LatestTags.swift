extension Store {
  /// The setting that stores the tags, one a line. Users do not see it.
  private static let row = "latest-tags"
  /// Maximum number of stored tags, and maximum length of each in bytes.
  private static let most = 30
  private static let longest = 600

  /// The tags that were shown last, as passed to `noteTag`, newest first.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func latestTags() throws(StorageError) -> [String] {
    (try setting(Self.row) ?? "").split(separator: "\n").map(String.init)
  }

  /// The names of tags with a prefix, in alphabetical order.
  ///
  /// - Parameters:
  ///   - prefix: The start of the names, in any case.
  ///   - limit: Maximum number of names.
  /// - Returns: The names as posts spell them.
  /// - Throws: `StorageError` if the library cannot be read.
  public func tagNames(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    // "\u{10FFFF}" sorts after every letter.
    try read { db in
      try db.values(
        """
        SELECT name FROM tag WHERE \(db.folded("name")) >= \(db.folded("$1")) AND \(db.folded("name")) < \(db.folded("$1")) || $2
        ORDER BY \(db.folded("name")), id LIMIT $3
        """, [prefix.storable, "\u{10FFFF}", limit]
      )
    }
  }

  /// The person's own tags with a prefix, in alphabetical order.
  ///
  /// - Parameters:
  ///   - prefix: The start of the names, in any case.
  ///   - limit: Maximum number of names.
  /// - Throws: `StorageError` if the library cannot be read.
  public func ownTags(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    try read { db in
      // Names stand in small letters.
      try db.values(
        "SELECT DISTINCT name FROM own_tag WHERE is_set = 1 AND name >= $1 AND name < $1 || $2 ORDER BY name LIMIT $3",
        [prefix.lowercased().storable, "\u{10FFFF}", limit])
    }
  }

  /// The handles of authors with a prefix, in alphabetical order.
  ///
  /// - Parameters:
  ///   - prefix: The start of the handles, in any case.
  ///   - limit: Maximum number of handles.
  /// - Throws: `StorageError` if the library cannot be read.
  public func authorHandles(beginningWith prefix: String, limit: Int) throws(StorageError) -> [String] {
    try read { db in
      try db.values(
        """
        SELECT handle FROM author
        WHERE \(db.folded("handle")) >= \(db.folded("$1")) AND \(db.folded("handle")) < \(db.folded("$1")) || $2
        GROUP BY handle ORDER BY \(db.folded("handle")) LIMIT $3
        """, [prefix.storable, "\u{10FFFF}", limit]
      )
    }
  }

  /// Records the tag that is shown now. An empty tag, one of more than 600 bytes, and one with a line break are not
  /// recorded.
  ///
  /// - Returns: The last 30 tags, newest first.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  public func noteTag(_ tag: String) throws(StorageError) -> [String] {
    let tag = tag.storable
    guard !tag.isEmpty, tag.utf8.count <= Self.longest, !tag.contains(where: \.isNewline) else {
      return try latestTags()
    }
    return try write { db in
      let stored: String = try db.value("SELECT value FROM setting WHERE name = $1", [Self.row]) ?? ""
      let others = stored.split(separator: "\n").map(String.init).filter { $0 != tag }
      let tags = Array(([tag] + others).prefix(Self.most))
      try db.run(Self.setting, [Self.row, tags.joined(separator: "\n")])
      return tags
    }
  }
}
