extension StoreAudit {
  /// Whether every list has a post at the post's own date: each list stores a copy of the date, by which it is ordered.
  static let orders = StoreAudit(
    name: "the order of lists",
    find: { db in
      try lists.flatMap { list in
        try db.rows("SELECT k.post FROM \(misplaced(in: list, db)) LIMIT \(most)") { row in
          let post: Int64 = try row["post"]
          return Finding(.order, "a post stands in the list of \(list.name) at another date than its own", post: post)
        }
      }
    },
    mend: { db, _ in
      for list in lists {
        try db.run(
          """
          UPDATE \(list.table) AS t SET created_at = p.created_at FROM post p
          WHERE p.id = t.post AND t.created_at <> p.created_at
          """
        )
      }
    }
  )

  /// A table that stores a list in order.
  private struct List {
    let table: String
    let name: String
  }

  private static let lists = [
    List(table: "post_tag", name: "a tag"), List(table: "tag_extra", name: "a tag"),
    List(table: "feed_post", name: "a feed"),
  ]

  /// A scan without an index reads the list's rows in the order they were written, and mostly the posts, too.
  private static func misplaced(in list: List, _ db: Database) -> String {
    """
    \(list.table) k \(db.noIndex) \(db.crossJoin) post p ON p.id = k.post
    WHERE k.created_at <> p.created_at
    """
  }
}
