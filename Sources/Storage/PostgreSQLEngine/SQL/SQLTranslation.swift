/// A statement as PostgreSQL reads it.
///
/// Statements are written once, in SQL that SQLite has, too. What differs between the two and can be told from the words
/// alone is translated here:
///
/// - `?` and `?3` become `$1` and `$3`; `LIMIT ?` becomes a limit for which -1 means none.
/// - SQLite's hints for its planner are left out: `INDEXED BY` a name, `NOT INDEXED`, a plus before a name, and `CROSS JOIN` where a condition follows.
/// - `json_each` reads numbers, or texts if its argument is followed by `/* texts */`.
/// - `IS` and `IS NOT` compare values. `COLLATE NOCASE` folds the letters of ASCII.
/// - `max(a, b)` and `min(a, b)` are the larger and the smaller value. `sum` is an integer. An `INTEGER` has 64 bits.
/// - A query in parentheses behind `FROM` or `JOIN` has a name.
struct SQLTranslation {
  /// The translated statement.
  var text: String { tokens.map(\.text).joined() }

  private var tokens: [SQLToken]

  /// - Parameter sql: A statement, in capital keywords.
  init(_ sql: String) {
    tokens = SQLToken.tokens(of: Self.translatedSearch(sql))
    dropHints()
    nameQueries()
    translateFunctions()
    translateComparisons()
    numberParameters()
  }

  /// The search index is asked by functions of the schema.
  private static func translatedSearch(_ sql: String) -> String {
    guard sql.contains("caption_fts") else { return sql }
    let pieces = [
      (
        "SELECT rowid AS number FROM caption_fts WHERE caption_fts MATCH ? LIMIT ?",
        "SELECT post AS number FROM found(?, ?)"
      ),
      ("SELECT 1 FROM caption_fts WHERE caption_fts MATCH ? LIMIT ?", "SELECT 1 FROM found(?, ?)"),
      ("EXISTS (SELECT 1 FROM caption_fts f WHERE f.rowid = ", "is_found("),
      (" AND caption_fts MATCH ?", ", ?"),
      ("SELECT f.rowid FROM caption_fts f WHERE caption_fts MATCH ?", "SELECT f.post FROM found(?, -1) f WHERE TRUE"),
      ("f.rowid", "f.post"),
    ]
    return pieces.reduce(sql) { $0.replacing($1.0, with: $1.1) }
  }

  // MARK: Neighbours

  /// The index of the next token that is no space.
  private func next(after index: Int) -> Int? {
    tokens.indices.dropFirst(index + 1).first { if case .space = tokens[$0] { false } else { true } }
  }

  /// The index of the previous token that is no space.
  private func previous(before index: Int) -> Int? {
    tokens.indices.prefix(index).last { if case .space = tokens[$0] { false } else { true } }
  }

  private func follows(_ index: Int, _ words: [String]) -> Bool {
    next(after: index).map { next in words.contains { tokens[next].is($0) || tokens[next] == .other($0) } } ?? false
  }

  /// The index of the parenthesis that closes the one at an index.
  private func close(of open: Int) -> Int? {
    var depth = 0
    for index in tokens.indices[open...] {
      if tokens[index] == .other("(") { depth += 1 }
      if tokens[index] == .other(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  // MARK: Translations

  private mutating func dropHints() {
    for index in tokens.indices.reversed() where tokens[index].is("NOT") && follows(index, ["INDEXED"]) {
      tokens.removeSubrange(index...(next(after: index) ?? index))
    }
    for index in tokens.indices.reversed() where tokens[index] == .other("+") && isSign(index) {
      tokens.remove(at: index)
    }
    for index in tokens.indices.reversed() where tokens[index].is("INDEXED") {
      guard let by = next(after: index), let name = next(after: by) else { continue }
      tokens.removeSubrange(index...name)
    }
    for index in tokens.indices.reversed() where tokens[index].is("CROSS") && hasCondition(after: index) {
      tokens.removeSubrange(index..<(next(after: index) ?? index))
    }
  }

  /// Whether a plus is a sign before a name, which keeps SQLite from an index.
  private func isSign(_ plus: Int) -> Bool {
    guard let before = previous(before: plus), plus + 1 < tokens.count, case .word = tokens[plus + 1] else {
      return false
    }
    return ["(", ",", "AND", "OR", "NOT", "WHERE", "BY", "ON"].contains(tokens[before].text)
  }

  /// Whether `ON` follows before the join's end.
  private func hasCondition(after cross: Int) -> Bool {
    guard let join = next(after: cross) else { return false }
    var index = join
    while let following = next(after: index) {
      let token = tokens[following]
      if token.is("ON") { return true }
      if Self.ends.contains(token.text) { return false }
      index = token == .other("(") ? close(of: following) ?? following : following
    }
    return false
  }

  /// What may follow a query in a list of tables that has no name.
  private static let ends: Set<String> = [
    "WHERE", "GROUP", "ORDER", "LIMIT", "ON", "CROSS", "JOIN", "LEFT", "UNION", "EXCEPT", ")", ",", "SET",
  ]

  private mutating func nameQueries() {
    var count = 0
    for index in tokens.indices.reversed() where tokens[index] == .other("(") && follows(index, ["SELECT", "WITH"]) {
      guard let before = previous(before: index), tokens[before].is("FROM") || tokens[before].is("JOIN"),
        let close = close(of: index)
      else { continue }
      let following = next(after: close).map { tokens[$0].text }
      guard following.map(Self.ends.contains) ?? true else { continue }
      count += 1
      tokens.insert(.other(" AS unnamed\(count)"), at: close + 1)
    }
  }

  private mutating func translateFunctions() {
    for index in tokens.indices.reversed() {
      guard case .word(let name) = tokens[index] else { continue }
      if name == "INTEGER" { tokens[index] = .word("bigint") }
      guard index + 1 < tokens.count, tokens[index + 1] == .other("("), let close = close(of: index + 1) else {
        continue
      }
      switch name {
      case "max" where hasComma(in: index + 2..<close): tokens[index] = .word("greatest")
      case "min" where hasComma(in: index + 2..<close): tokens[index] = .word("least")
      case "sum": castSum(index, close)
      case "json_each":
        let isOfTexts = tokens[index..<close].contains(.word("texts"))
        tokens[index] = .word(isOfTexts ? "json_texts" : "json_numbers")
      default: break
      }
    }
  }

  private func hasComma(in range: Range<Int>) -> Bool {
    var depth = 0
    for token in tokens[range] {
      if token == .other("(") { depth += 1 }
      if token == .other(")") { depth -= 1 }
      if token == .other(","), depth == 0 { return true }
    }
    return false
  }

  /// A sum of integers has any number of digits.
  private mutating func castSum(_ index: Int, _ close: Int) {
    var end = close
    if let over = next(after: close), tokens[over].is("OVER"), let open = next(after: over) {
      end = self.close(of: open) ?? close
    }
    tokens.insert(.other(" AS bigint)"), at: end + 1)
    tokens.insert(.other("CAST("), at: index)
  }

  private mutating func translateComparisons() {
    for index in tokens.indices.reversed() {
      if tokens[index].is("IS") {
        translateIs(index)
      } else if tokens[index].is("COLLATE"), let name = next(after: index), tokens[name].is("NOCASE") {
        tokens.replaceSubrange(index...name, with: [.other("COLLATE \"C\")")])
        if let start = startOfOperand(before: index) { tokens.insert(.other("lower("), at: start) }
      }
    }
  }

  private mutating func translateIs(_ index: Int) {
    let kept = ["NULL", "TRUE", "FALSE", "DISTINCT"]
    if follows(index, kept) { return }
    guard follows(index, ["NOT"]), let not = next(after: index) else {
      return tokens[index] = .other("IS NOT DISTINCT FROM")
    }
    if !follows(not, kept) { tokens.replaceSubrange(index...not, with: [.other("IS DISTINCT FROM")]) }
  }

  /// Where the parameter, the name or the name of a table's column begins that ends before an index.
  private func startOfOperand(before index: Int) -> Int? {
    guard var start = previous(before: index) else { return nil }
    while start >= 2, tokens[start - 1] == .other(".") { start -= 2 }
    return start
  }

  private mutating func numberParameters() {
    var last = 0
    for index in tokens.indices {
      guard case .parameter(let number) = tokens[index] else { continue }
      let parameter = number ?? last + 1
      last = max(last, parameter)
      let isLimit = previous(before: index).map { tokens[$0].is("LIMIT") } ?? false
      tokens[index] = .other(isLimit ? "NULLIF(CAST($\(parameter) AS bigint), -1)" : "$\(parameter)")
    }
  }
}
