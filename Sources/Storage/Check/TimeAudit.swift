import FoundationEssentials
import Machine
import Rows

extension StoreAudit {
  /// Whether every time has the form in which texts sort as times do. Another program may have written another one.
  static let times = StoreAudit(
    name: "the forms of times",
    find: { db in try misformed(in: db).map(\.finding) },
    mend: { db, _ in for time in try misformed(in: db) { try time.mend(in: db) } }
  )

  /// The columns that people write by hand. Those of other tables follow them, or are of no use to anybody else.
  private static let columns: [(table: String, key: String, names: [String])] = [
    ("post", "id", ["created_at", "ends_at", "edited_at", "stored_at", "updated_at"]),
    ("post_state", "post", ["deleted_at", "restored_at", "seen_at"]),
    ("attachment", "id", ["next_try_at", "gone_at"]),
    ("feed_post", "id", ["repeated_at", "seen_at"]),
    ("follow", "feed", ["followed_at", "due_at"]),
    ("blob", "id", ["stored_at"]),
  ]

  private static func misformed(in db: Database) throws -> [MisformedTime] {
    var found: [MisformedTime] = []
    for (table, key, names) in columns {
      let condition = names.map { "(\(isMisformed($0)))" }.joined(separator: " OR ")
      let sql = "SELECT \(key) AS number, \(names.joined(separator: ", ")) FROM \(table) WHERE \(condition) LIMIT $1"
      let rows = try db.rows(sql, [most - found.count]) { row in
        try names.compactMap { name in
          try (row[name] as String?).flatMap { try MisformedTime(table, key, row["number"], name, $0) }
        }
      }
      found += rows.joined()
    }
    return Array(found.prefix(most))
  }

  private static func isMisformed(_ column: String) -> String {
    """
    length(\(column)) <> 24 OR \(column) NOT LIKE '____-__-__T__:__:__.___Z' OR \(column) <> upper(\(column))
    """
  }
}

/// A time in another form than `YYYY-MM-DDTHH:MM:SS.sssZ`.
private struct MisformedTime {
  let table: String
  let key: String
  let row: Int64
  let column: String
  let text: String

  /// nil if the time has the right form.
  init?(_ table: String, _ key: String, _ row: Int64, _ column: String, _ text: String) {
    if Self.form(of: text) == text { return nil }
    (self.table, self.key, self.row, self.column, self.text) = (table, key, row, column, text)
  }

  private static func form(of text: String) -> String? { UTC.date(text).map(UTC.text) }

  var finding: Finding {
    let problem = "\(column) of row \(row) of \(table) is \"\(text.prefix(40))\""
    let cure =
      Self.form(of: text).map { ", which \"media check --repair\" writes as \($0)" }
      ?? ", which is no time: write it as YYYY-MM-DDTHH:MM:SS.sssZ"
    let isOfPost = table == "post" || table == "post_state"
    return Finding(.time, problem + cure, post: isOfPost ? row : nil)
  }

  func mend(in db: Database) throws {
    guard let form = Self.form(of: text) else { return }
    try db.run("UPDATE \(table) SET \(column) = $1 WHERE \(key) = $2 AND \(column) = $3", [form, row, text])
  }
}
