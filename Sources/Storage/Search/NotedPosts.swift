import Rows

extension SearchText {
  /// The posts that match only with the notes that the person wrote to them. The index has no notes, so that a search by somebody
  /// else cannot find them; a person writes few enough that all are read, in some microseconds each.
  func notedPosts(in db: Database) throws -> [Int64] {
    guard let finder = try TermMatcher(self, in: db) else { return [] }
    let notes: [(post: Int64, note: String)] = try db.rows(
      "SELECT post, note FROM post_state WHERE note IS NOT NULL ORDER BY post", []
    ) { (try $0["post"], separated(try $0["note"])) }
    let touched = try notes.filter { try finder.isTouched(by: $0.note) }
    return try db.rows(SearchedTexts.selection(in: db), [touched.map(\.post).jsonList]) { row -> Int64? in
      let (index, texts): (Int, [String?]) = try (row["key"], SearchedTexts.columns.map { try row[$0] })
      return try finder.isFound(in: texts.compactMap(\.self) + [touched[index].note]) ? touched[index].post : nil
    }.compactMap(\.self)
  }
}
