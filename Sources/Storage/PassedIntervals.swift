import Posts

// Intervals whose posts are all gone upstream: a walk goes by without meeting one of them.

extension Store {
  /// The ids of items of the interval below a gap, where by their dates the interval above may have gone by it: the
  /// newest first, then such as stand further down. Empty where nothing suggests it.
  ///
  /// Dates only raise the question. The server's order answers it.
  public func idsOfPassed(_ gap: Gap) throws(StorageError) -> [String] {
    try read { db in
      guard let (upper, lower) = try Self.intervals(of: gap, in: db),
        let reached = try upper.moments(ofLowest: Self.trusted, in: db)?.lowerBound,
        let oldest = try lower.moments(ofLowest: Self.trusted, in: db)?.lowerBound, reached < oldest
      else { return [] }
      return try lower.samples(in: db)
    }
  }

  /// How many items of an interval's lower end tell how far down it goes: one alone may have a wrong date.
  private static let trusted = 5

  /// Takes the interval below a gap into the one above where a page, which the server gave below one of the lower one's
  /// ids, goes on within the upper one.
  ///
  /// - Parameters:
  ///   - gap: What lies between the two, as far as was known.
  ///   - ids: The ids of the page's items, in the server's order. Without any, the server knows none of the lower
  ///     interval's posts: then its dates, which raised the question, decide.
  /// - Returns: Whether the gap is closed by it.
  /// - Throws: What the library says.
  public func closePassed(_ gap: Gap, by ids: [String]) throws(StorageError) -> Bool {
    let isClosed = try write { db in
      guard let (upper, lower) = try Self.intervals(of: gap, in: db),
        let feed: Int64 = try db.value("SELECT feed FROM coverage WHERE id = ?", [upper.id]),
        let bottom = try upper.bottom(in: db)?.place
      else { return false }
      var place = bottom
      if let first = ids.first {
        guard let found = try upper.place(of: first, feed: feed, in: db), found > bottom,
          try ids.allSatisfy({ try lower.place(of: $0, feed: feed, in: db) == nil })
        else { return false }
        // The newest page of all proves nothing: so answers a server that takes no notice of an id.
        let above = try db.rows(
          "SELECT 1 FROM feed_post WHERE coverage = ? AND place > ? LIMIT 3", [upper.id, found])
        guard above.count == 3 else { return false }
        place = found
      }
      try lower.dissolve(into: upper, place: place, within: moves, in: db)
      return true
    }
    try finishJoins(of: gap.feed)
    return isClosed
  }

  private static func intervals(of gap: Gap, in db: Database) throws -> (upper: Stretch, lower: Stretch)? {
    guard let ends = gap.ends, let upper = try Stretch.read(ends.upper, in: db),
      let lower = try Stretch.read(ends.lower, in: db)
    else { return nil }
    return (upper, lower)
  }
}
