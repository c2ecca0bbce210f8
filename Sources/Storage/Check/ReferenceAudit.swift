import FoundationEssentials
import Rows

extension StoreAudit {
  /// Whether every row that a row refers to exists.
  static let references = StoreAudit(
    name: "what refers to what",
    find: { db in
      try dangling(in: db).map { reference in
        Finding(.reference, reference.message, post: try reference.post(in: db))
      }
    },
    mend: { db, mending in
      try db.execute("PRAGMA defer_foreign_keys = ON")
      // Other rows may refer to a deleted one. Such chains are short.
      for _ in 0..<most {
        let found = try dangling(in: db)
        if found.isEmpty { return }
        for reference in found { try reference.mend(in: db, mending) }
      }
    }
  )

  private static func dangling(in db: Database) throws -> [DanglingReference] {
    let sql =
      "SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check WHERE rowid IS NOT NULL LIMIT \(most)"
    return try db.rows(sql)
  }
}

/// A row that refers to a missing row.
private struct DanglingReference: RowDecodable {
  let table: String
  let row: Int64
  let target: String
  /// The index of the key among its table's foreign keys.
  let key: Int

  init(_ row: some RowReading) throws {
    table = try row["table"]
    self.row = try row["rowid"]
    target = try row["parent"]
    key = try row["fkid"]
  }

  var message: String { "row \(row) of \(table) refers to a row of \(target) that is not there" }

  /// The post that the row belongs to.
  func post(in db: Database) throws -> Int64? {
    if table == "post" { return row }
    guard try db.hasRow("SELECT 1 FROM pragma_table_info($1) WHERE name = 'post'", [table]) else { return nil }
    return try db.value("SELECT post FROM \(table) WHERE rowid = $1", [row])
  }

  /// Clears the reference if the row is useful without it; otherwise sets the row aside and deletes it.
  func mend(in db: Database, _ mending: Mending) throws {
    guard let column = try column(in: db) else { return }
    switch "\(table).\(column)" {
    case "attachment.blob":
      try PictureWriter(db: db, now: mending.now).giveUp(attachment: row)
    case "author.avatar_blob":
      try PictureWriter(db: db, now: mending.now).giveUp(avatar: row)
    case "feed_post.coverage":
      try db.run("UPDATE feed_post SET coverage = NULL, place = NULL WHERE id = $1", [row])
    case _ where try mayBeEmpty(column, in: db):
      try db.run("UPDATE \(table) SET \(column) = NULL WHERE rowid = $1", [row])
    default:
      try mending.setAside(try line(in: db))
      try cutInterval(in: db)
      try db.run("DELETE FROM \(table) WHERE rowid = $1", [row])
    }
  }

  /// Removing a row of `feed_post` makes a gap in its coverage interval.
  private func cutInterval(in db: Database) throws {
    guard table == "feed_post" else { return }
    let stored = try db.row("SELECT coverage, place FROM feed_post WHERE id = $1 AND coverage IS NOT NULL", [row]) {
      (interval: try $0["coverage"] as Int64, position: try $0["place"] as Int64?)
    }
    guard let stored, let position = stored.position else { return }
    try Claim(interval: stored.interval, db: db).cut(at: position)
  }

  private func column(in db: Database) throws -> String? {
    try db.value("SELECT \"from\" FROM pragma_foreign_key_list($1) WHERE id = $2", [table, key])
  }

  private func mayBeEmpty(_ column: String, in db: Database) throws -> Bool {
    let mayBe = "SELECT \"notnull\" = 0 AND pk = 0 FROM pragma_table_info($1) WHERE name = $2"
    return try db.value(mayBe, [table, column]) ?? false
  }

  /// The whole row as a JSON object, with bytes in hexadecimal.
  private func line(in db: Database) throws -> String {
    let names: [String] = try db.values("SELECT name FROM pragma_table_info($1)", [table])
    let pairs = names.map { name in
      "'\(name)', CASE typeof(\(name)) WHEN 'blob' THEN hex(\(name)) ELSE \(name) END"
    }
    let object = "json_object('table', '\(table)', \(pairs.joined(separator: ", ")))"
    return try db.value("SELECT \(object) FROM \(table) WHERE rowid = $1", [row]) ?? "{}"
  }
}
