import Coverage
import Posts

// Intervals whose posts are all gone upstream: a pull downwards passes them without meeting a post.

extension Store {
  /// The ids of items of the interval below a gap, if their dates suggest that the interval above has passed it.
  ///
  /// Dates only raise the question. The server's order answers it.
  ///
  /// - Returns: The newest first, then some further down. Empty if nothing suggests it.
  public func idsOfPassed(_ gap: Gap) throws(StorageError) -> [String] {
    try read { db in
      guard let (upper, lower) = try gap.intervals(in: db),
        let reached = try upper.moments(ofLowest: Self.trusted, in: db)?.lowerBound,
        let oldest = try lower.moments(ofLowest: Self.trusted, in: db)?.lowerBound, reached < oldest
      else { return [] }
      return try lower.samples(in: db)
    }
  }

  /// The number of lowest items that date an interval's end. A single item may have a wrong date.
  private static let trusted = 5

  /// Merges the interval below a gap into the one above, if a page that the server gave below an id of the lower
  /// interval continues within the upper one.
  ///
  /// - Parameters:
  ///   - gap: The gap between the two.
  ///   - ids: The ids of the page's items, in the server's order. If empty, the server knows none of the lower
  ///     interval's posts: then its dates, which raised the question, decide.
  /// - Returns: Whether the gap is closed.
  /// - Throws: `StorageError`.
  public func closePassed(_ gap: Gap, by ids: [String]) throws(StorageError) -> Bool {
    let isClosed = try write { db in
      guard let (upper, lower) = try gap.intervals(in: db), let bottom = try upper.end(.down, in: db)?.position
      else { return false }
      var position = bottom
      if let first = ids.first {
        guard let found = try upper.position(of: first, in: db), found > bottom,
          try ids.allSatisfy({ try lower.position(of: $0, in: db) == nil })
        else { return false }
        // The newest page proves nothing: a server that ignores an id answers so.
        guard try upper.count("place > $2", found, atMost: 3, in: db) == 3 else { return false }
        position = found
      }
      try lower.dissolve(into: upper, position: position, within: moves, in: db)
      return true
    }
    try finishJoins(of: gap.feed)
    return isClosed
  }
}

extension Gap {
  /// The intervals that it lies between; nil if one no longer exists.
  func intervals(in db: Database) throws -> (upper: CoverageInterval, lower: CoverageInterval)? {
    guard let ends, let upper = try CoverageInterval.read(ends.upper, in: db),
      let lower = try CoverageInterval.read(ends.lower, in: db)
    else { return nil }
    return (upper, lower)
  }
}
