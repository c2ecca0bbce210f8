extension Store {
  /// Adds the text digest to posts that an earlier version wrote. Their current text is taken as what was written.
  func fillDigests() throws(StorageError) {
    var last = Int64.min
    while true {
      let posts = try read { db in
        try db.rows(
          """
          SELECT id, title, caption, caption_html, warning FROM post
          WHERE id > $1 AND digest IS NULL ORDER BY id LIMIT 1000
          """,
          [last]
        ) { (id: try $0["id"] as Int64, digest: try TextDigest.of($0)) }
      }
      guard let end = posts.last else { return }
      last = end.id
      try writeDurably { db in
        for post in posts {
          try db.run("UPDATE post SET digest = $1 WHERE id = $2 AND digest IS NULL", [post.digest, post.id])
        }
      }
    }
  }
}

extension StoreAudit {
  /// Whether every post's text is byte for byte what was written.
  static let texts = StoreAudit(
    name: "the texts of posts",
    find: { db in
      try eachChunk(of: "post", in: db) { first, last in
        try db.rows(
          """
          SELECT id, digest, title, caption, caption_html, warning FROM post
          WHERE id > $1 AND id <= $2 AND digest IS NOT NULL
          """,
          [first, last]
        ) { row -> Int64? in
          let (id, digest): (Int64, Int64) = try (row["id"], row["digest"])
          return try TextDigest.of(row) == digest ? nil : id
        }.compactMap(\.self).map { post in
          let cure = "\"media recheck\" or a pull that shows it writes it anew, \"media show --raw\" tells what came"
          return Finding(.text, "the text of post \(post) is not what was written: \(cure)", post: post)
        }
      }
    }
  )

  /// Whether every verbatim answer can be decompressed and has its checksum.
  static let answers = StoreAudit(
    name: "the verbatim answers",
    find: { db in
      try eachChunk(of: "raw", by: "post", in: db) { first, last in
        try db.rows("SELECT post, body FROM raw WHERE post > $1 AND post <= $2", [first, last]) { row -> Int64? in
          let post: Int64 = try row["post"]
          return RawBytes.decompress(try row["body"]) == nil ? post : nil
        }.compactMap(\.self).map { post in
          Finding(.answer, "the answer that post \(post) came from cannot be read any more", post: post)
        }
      }
    }
  )

  private static let chunk: Int64 = 1000

  /// Searches a table in chunks of rows.
  private static func eachChunk(
    of table: String, by key: String = "id", in db: Database, _ find: (Int64, Int64) throws -> [Finding]
  ) throws -> [Finding] {
    var findings: [Finding] = []
    var last: Int64 = try db.value("SELECT min(\(key)) - 1 FROM \(table)") ?? 0
    let end: Int64 = try db.value("SELECT max(\(key)) FROM \(table)") ?? last
    while last < end, findings.count < most {
      findings += try find(last, last + chunk)
      last += chunk
    }
    return findings
  }
}
