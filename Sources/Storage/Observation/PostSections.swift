import Rows

/// The authors or tags by which posts are grouped, ordered by name.
struct PostSections {
  let isOfTags: Bool
  /// The only authors with sections; nil for all.
  let authors: [Int64]?
  /// Whether authors or tags are included whose posts are all deleted.
  let includesEmpty: Bool

  /// How many are read at once.
  private static let chunk = 32

  private var table: String { isOfTags ? "tag" : "author" }

  /// The current form of a section, whose name may have changed in case. nil if it was renamed, or is not in this list.
  func present(_ section: PostKey.Section, in db: Database) throws -> PostKey.Section? {
    guard isOfTags || authors?.contains(section.id) ?? true else { return nil }
    if section == .nobody { return section }
    let found: PostKey.Section? = try db.row("SELECT name, id FROM \(table) WHERE id = $1", [section.id])
    guard let present = found else { return nil }
    return present < section || section < present ? nil : present
  }

  /// The next sections, the nearest first; empty at the end.
  func next(after section: PostKey.Section?, continues: Bool, in db: Database) throws -> [PostKey.Section] {
    if !isOfTags, let authors { return try next(of: authors, after: section, continues: continues, in: db) }
    var found: [PostKey.Section] = try db.rows(statement(after: section, continues: continues, in: db))
    guard !isOfTags else { return found }
    // Posts without an author come before all names.
    if continues, section == nil { found.insert(.nobody, at: 0) }
    if !continues, section != .nobody, found.count < Self.chunk { found.append(.nobody) }
    return found
  }

  func statement(after section: PostKey.Section?, continues: Bool, in db: Database) -> Clause {
    let (sign, way) = continues ? (">", "ASC") : ("<", "DESC")
    let name = db.folded("g.name")
    var conditions: [Clause] = []
    if let section { conditions.append(db.isLater(name, "g.id", than: (section.name, section.id), sign)) }
    if !includesEmpty {
      conditions.append("(SELECT n.posts FROM total n WHERE n.kind = '\(table)' AND n.ref = g.id) > 0")
    }
    let condition: Clause = conditions.isEmpty ? "" : "WHERE \(conditions.joined(by: " AND "))"
    return """
      SELECT g.name, g.id FROM \(table) g \(condition) ORDER BY \(name) \(way), g.id \(way) LIMIT \(bind: Self.chunk)
      """
  }

  private func next(
    of authors: [Int64],
    after section: PostKey.Section?,
    continues: Bool,
    in db: Database
  ) throws -> [PostKey.Section] {
    let found: [PostKey.Section] = try db.rows(
      "SELECT a.name, a.id FROM \(db.each)($1) j \(db.crossJoin) author a ON a.id = j.value", [authors.jsonList])
    let all = found.sorted()
    guard let section else { return continues ? all : all.reversed() }
    return continues ? all.filter { section < $0 } : all.filter { $0 < section }.reversed()
  }
}

extension PostKey.Section: RowDecodable {
  package init(_ row: some RowReading) throws { try self.init(name: row["name"], id: row["id"]) }

  /// The section of posts without an author.
  static let nobody = Self(name: "", id: 0)
}
