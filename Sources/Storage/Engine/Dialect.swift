// Statements are written once, in SQL that SQLite and PostgreSQL read alike: `$1`, `IS NOT DISTINCT FROM`, queries with names.
// The words in which the two differ stand here, and are put into a statement where it needs them:
//
//   SELECT p.title FROM \(db.each)($1) j \(db.crossJoin) post p ON p.id = j.value

extension Database {
  /// What keeps SQLite's planner to an index. PostgreSQL's chooses by its statistics.
  func index(_ name: String) -> String { engine == .sqlite ? "INDEXED BY \(name)" : "" }

  /// What keeps SQLite's planner from the indexes of a table.
  var noIndex: String { engine == .sqlite ? "NOT INDEXED" : "" }

  /// What stands before a column whose index SQLite's planner must not use.
  var unindexed: String { engine == .sqlite ? "+" : "" }

  /// A join with a condition, of which SQLite reads the left side first.
  var crossJoin: String { engine == .sqlite ? "CROSS JOIN" : "JOIN" }

  /// The function whose rows are the numbers of a JSON array, in a column `value`, in the order of a column `key`.
  var each: String { engine == .sqlite ? "json_each" : "json_numbers" }

  /// The same for an array of texts.
  var eachText: String { engine == .sqlite ? "json_each" : "json_texts" }

  /// The function that returns the largest of several values. It is NULL in SQLite if one of them is.
  var greatest: String { engine == .sqlite ? "max" : "greatest" }

  /// The function that returns the smallest of several values.
  var least: String { engine == .sqlite ? "min" : "least" }

  /// A text by which is compared and sorted without regard to the case of the letters of ASCII, as the indexes are.
  ///
  /// - Parameter text: A column or a parameter.
  func folded(_ text: String) -> String {
    engine == .sqlite ? "\(text) COLLATE NOCASE" : "lower(\(text) COLLATE \"C\")"
  }
}

// MARK: Searches, for which each engine has an index of its own

extension Database {
  /// The posts that match: a table `f` with their numbers in a column `number`.
  ///
  /// - Parameter limit: The maximum number of posts; -1 for all.
  func found(_ match: SearchMatch, atMost limit: Int) -> Clause {
    let indexed: Clause =
      switch engine {
      case .sqlite:
        "SELECT rowid AS number FROM caption_fts WHERE caption_fts MATCH \(bind: match) LIMIT \(bind: limit)"
      case .postgresql: "SELECT post AS number FROM found(\(bind: match), \(bind: limit))"
      }
    guard let noted = noted(match.search) else { return "(\(indexed)) f" }
    let all: Clause = "SELECT number FROM (\(indexed)) i UNION \(noted)"
    return "(SELECT number FROM (\(all)) u\(Clause(limit: limit))) f"
  }

  /// The posts that match only with their notes; nil if there are none.
  private func noted(_ search: SearchText) -> Clause? {
    search.noted.isEmpty ? nil : "SELECT j.value AS number FROM \(each)(\(bind: search.noted.jsonList)) j"
  }

  /// The post whose number is `id` matches a search. `id` must be an integer.
  ///
  /// If the words are whole, FTS5 looks a post up directly. For a prefix it gathers the posts of all words with that
  /// prefix, once per query. So a prefix is queried once, for all numbers or a range of them.
  func matches(_ id: String, from numbers: ClosedRange<Int64>?, _ search: SearchText) -> Clause {
    let indexed = isIndexed(id, from: numbers, search)
    return noted(search).map { "(\(indexed) OR \(id) IN (\($0)))" } ?? indexed
  }

  private func isIndexed(_ id: String, from numbers: ClosedRange<Int64>?, _ search: SearchText) -> Clause {
    let match = search.match
    guard search.isOpen else {
      switch engine {
      case .sqlite:
        return "EXISTS (SELECT 1 FROM caption_fts f WHERE f.rowid = \(id) AND caption_fts MATCH \(bind: match))"
      case .postgresql: return "is_found(\(id), \(bind: match))"
      }
    }
    let all: Clause =
      switch engine {
      case .sqlite: "SELECT f.rowid AS number FROM caption_fts f WHERE caption_fts MATCH \(bind: match)"
      case .postgresql: "SELECT f.post AS number FROM found(\(bind: match), -1) f WHERE TRUE"
      }
    guard let numbers else { return "\(id) IN (\(all))" }
    let number = engine == .sqlite ? "f.rowid" : "f.post"
    return "\(id) IN (\(all) AND \(number) >= \(bind: numbers.lowerBound) AND \(number) <= \(bind: numbers.upperBound))"
  }
}
