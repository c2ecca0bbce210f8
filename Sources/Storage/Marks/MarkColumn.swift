import Rows

/// Where a mark of posts is stored. Each has a value, and the stamp of when it was set.
struct MarkColumn: Hashable {
  /// A post, and what is said of it.
  typealias Value = (post: Int64, value: String?)

  /// Its name in `mark_before`.
  let mark: String
  /// The own tag, or the number of the album; empty for the others.
  let name: String
  private let table: String
  private let value: String
  private let stamp: String
  /// The column that `name` stands in.
  private let key: String?
  private let isNumber: Bool

  private init(
    _ mark: String, _ name: String = "", in table: String = "post_state", value: String, stamp: String,
    key: String? = nil, isNumber: Bool = false
  ) {
    (self.mark, self.name, self.table, self.value) = (mark, name, table, value)
    (self.stamp, self.key, self.isNumber) = (stamp, key, isNumber)
  }

  static let favourite = MarkColumn("favourite", value: "favourite", stamp: "favourite_stamp", isNumber: true)
  static let rating = MarkColumn("rating", value: "rating", stamp: "rating_stamp", isNumber: true)
  static let hidden = MarkColumn("hidden-post", value: "hidden", stamp: "hidden_stamp", isNumber: true)
  static let seen = MarkColumn("seen", value: "seen_at", stamp: "seen_stamp")
  static let note = MarkColumn("note", value: "note", stamp: "note_stamp")

  static func own(_ tag: String) -> MarkColumn {
    MarkColumn("own", tag, in: "own_tag", value: "is_set", stamp: "stamp", key: "name", isNumber: true)
  }

  static func album(_ id: Int64) -> MarkColumn {
    MarkColumn("album", String(id), in: "album_post", value: "place", stamp: "stamp", key: "album")
  }

  /// The column of a row of `mark_before`; nil if the row is about something else.
  init?(mark: String, name: String) {
    switch mark {
    case "own": self = .own(name)
    case "album":
      guard let id = Int64(name) else { return nil }
      self = .album(id)
    default:
      guard let column = [Self.favourite, .rating, .seen, .note, .hidden].first(where: { $0.mark == mark }) else {
        return nil
      }
      self = column
    }
  }

  /// What a post without a row has, and one whose value was taken away.
  private var none: String? { isNumber ? "0" : nil }

  /// Whether two values say the same. When a post was seen first is not changed by seeing it again.
  func isSame(_ one: String?, _ other: String?) -> Bool {
    self == .seen ? (one == nil) == (other == nil) : (one ?? none) == (other ?? none)
  }

  /// Current values by post. Posts that the library has not are left out.
  func current(of posts: [Int64], in db: Database) throws -> [Int64: (value: String?, stamp: String)] {
    // Not a join: a server does not know yet how many rows the transaction wrote, and would join all with each post.
    let ofName: Clause = key.map { "AND t.\($0) = \(bind: keyArgument)" as Clause } ?? ""
    func of(_ column: String) -> Clause { "(SELECT t.\(column) FROM \(table) t WHERE t.post = p.id \(ofName))" }
    let rows = try db.rows(
      """
      SELECT p.id AS post, CAST(\(of(value)) AS text) AS value, coalesce(\(of(stamp)), '') AS stamp
      FROM \(db.each)(\(bind: posts.jsonList)) j \(db.crossJoin) post p ON p.id = j.value
      """ as Clause
    ) { row -> (Int64, (value: String?, stamp: String)) in
      (try row["post"], (value: try row["value"], stamp: try row["stamp"]))
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// What `write` takes together: the row of a post in a table.
  var row: String { key == nil ? table : "\(table) \(name)" }

  /// Writes values of one row with a stamp. A post keeps what it is given no value for.
  static func write(_ marks: [(column: MarkColumn, values: [Value])], stamp: String, in db: Database) throws {
    guard let table = marks.first?.column.table, let key = marks.first?.column.keyed else { return }
    var rows: [Int64: Arguments] = [:]
    for (index, mark) in marks.enumerated() {
      for (post, value) in mark.values {
        var row = rows[post] ?? key.values + [post] + Arguments(repeating: nil, count: 2 * marks.count)
        let start = row.endIndex - 2 * (marks.count - index)
        (row[start], row[start + 1]) = (try mark.column.content(value), stamp)
        rows[post] = row
      }
    }
    let columns = marks.map { ($0.column.value, $0.column.stamp) }
    let updates = columns.map { value, stamp in
      """
      \(value) = CASE WHEN excluded.\(stamp) IS NULL THEN \(table).\(value) ELSE excluded.\(value) END,
      \(stamp) = coalesce(excluded.\(stamp), \(table).\(stamp))
      """
    }
    try db.insert(
      "INSERT INTO \(table) (\(key.names), \(columns.map { "\($0), \($1)" }.joined(separator: ", ")))",
      rows.sorted { $0.key < $1.key }.map(\.value),
      "ON CONFLICT (\(key.names)) DO UPDATE SET \(updates.joined(separator: ", "))")
  }

  /// The columns of a row's key, and what stands in them before the post.
  private var keyed: (names: String, values: Arguments) { key.map { ("\($0), post", [keyArgument]) } ?? ("post", []) }

  private func content(_ text: String?) throws -> (any Argument)? {
    guard isNumber else { return text?.isEmpty == true ? nil : text }
    guard let number = Int64(text ?? "0") else { throw Contradiction("a mark in numbers is none") }
    return number
  }

  private var keyArgument: any Argument {
    if key == "album", let id = Int64(name) { return id }
    return name
  }
}
