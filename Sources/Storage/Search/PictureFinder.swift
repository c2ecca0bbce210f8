/// Finds out whether a search found posts only with the text in their pictures.
struct PictureFinder {
  private let matcher: TermMatcher
  private let search: SearchText

  /// nil if the search has too many words.
  init?(_ search: SearchText, in db: Database) throws {
    guard let matcher = try TermMatcher(search, in: db) else { return nil }
    (self.matcher, self.search) = (matcher, search)
  }

  /// Whether a post that was found would not be found without the text in its pictures.
  func isNeeded(by post: StoredPost) throws -> Bool {
    guard !search.noted.contains(post.id),
      try post.attachments.contains(where: { attachment in
        try attachment.text.map { try matcher.isTouched(by: search.separated($0.text)) } ?? false
      })
    else { return false }
    let texts =
      [post.title, post.caption, post.warning].compactMap(\.self) + [
        post.author.map { SearchedTexts.author($0.name, $0.handle) } ?? "",
        post.attachments.compactMap(\.alt).joined(separator: "\n"), post.tags.joined(separator: "\n"),
        post.attachments.compactMap(\.name).joined(separator: "\n"),
      ]
    return try !matcher.isFound(in: texts.map(search.separated))
  }
}
