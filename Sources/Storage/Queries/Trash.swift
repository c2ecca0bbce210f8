// Deleted posts, as a list of their own.

extension PostPredicate {
  /// Whether it selects all deleted posts, without another condition.
  var isTrash: Bool {
    deleted == .only && tags == nil && authors == nil && feed == nil && search == nil && timeRange == nil
      && !isConditional
  }
}

extension Database {
  /// The number of deleted posts, counted up to a limit.
  func countOfDeleted(atMost limit: Int = -1) throws -> Int {
    let deleted: Clause = """
      SELECT 1 FROM post_state \(index("post_state_deleted")) WHERE deleted_at IS NOT NULL\(Clause(limit: limit))
      """
    return try value("SELECT count(*) FROM (\(deleted)) AS deleted" as Clause) ?? 0
  }
}
