extension Database {
  /// Corrects totals.
  ///
  /// - Parameter wrong: A query of the wrong ones, with the columns `kind`, `ref`, `kept` and `counted`.
  func correctTotals(_ wrong: String) throws {
    switch engine {
    case .sqlite:
      try run(
        """
        INSERT INTO total (kind, ref, posts) SELECT kind, ref, counted FROM (\(wrong)) AS wrong WHERE TRUE
        ON CONFLICT (kind, ref) DO UPDATE SET posts = excluded.posts
        """)
    case .postgresql:
      // A total is a sum of differences. What others count meanwhile is added to it.
      try run(
        "INSERT INTO total_delta (kind, ref, posts) SELECT kind, ref, counted - coalesce(kept, 0) FROM (\(wrong)) AS wrong"
      )
    }
  }

  /// Corrects the size of the stored avatars.
  func correctCacheSize() throws {
    switch engine {
    case .sqlite:
      try run(
        """
        INSERT INTO cache_size (id, bytes) SELECT 1, coalesce(CAST(sum(bytes) AS bigint), 0) FROM cached WHERE TRUE
        ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes
        """)
    case .postgresql:
      try run(
        """
        INSERT INTO total_delta (kind, ref, posts)
        SELECT 'cache', 0, (SELECT coalesce(CAST(sum(bytes) AS bigint), 0) FROM cached) - (SELECT bytes FROM cache_size)
        """)
    }
  }
}
