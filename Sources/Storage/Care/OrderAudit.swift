extension StoreAudit {
  /// Whether every list has a post at the post's own date: each keeps the date beside its own key, to be read in order.
  static let orders = StoreAudit(
    name: "the order of lists",
    find: { db in
      try lists.flatMap { list in
        try db.rows("SELECT post FROM \(list.table) WHERE rowid IN (\(misplaced(in: list))) LIMIT \(most)").map {
          Finding(.order, "a post stands in the list of \(list.name) at another date than its own", post: $0[0])
        }
      }
    },
    mend: { db, _ in
      for list in lists {
        try db.run(
          """
          UPDATE \(list.table) SET created_at = (SELECT p.created_at FROM post p WHERE p.id = \(list.table).post)
          WHERE rowid IN (\(misplaced(in: list)))
          """
        )
      }
    }
  )

  /// A table that keeps a list in order.
  private struct List {
    let table: String
    let name: String
  }

  private static let lists = [
    List(table: "post_tag", name: "a tag"), List(table: "tag_extra", name: "a tag"),
    List(table: "feed_post", name: "a feed"),
  ]

  /// The list's rows come in the order in which they were written, and so do the posts, most of them.
  private static func misplaced(in list: List) -> String {
    """
    SELECT k.rowid FROM \(list.table) k NOT INDEXED CROSS JOIN post p ON p.id = k.post
    WHERE k.created_at <> p.created_at
    """
  }
}
