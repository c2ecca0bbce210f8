import MediaLibrary

/// Shows the newest posts of a tag.
struct Birdwatch {
  let library: Library

  init(folder: String) throws {
    library = try Library(in: folder)
  }

  /// The captions of the newest posts of a tag.
  func newest(_ tag: String) throws -> [String] {
    let query = PostListQuery(tag: tag)
    let snapshot = try library.snapshot(of: query, window: Window(after: 20))
    return snapshot.rows.map(\.post.caption)
  }

  /// Shows the newest posts of a tag, and shows them again whenever they change.
  func follow(_ tag: String, show: (String) -> Void) async throws {
    let results = library.results(of: PostListQuery(tag: tag), window: Window(after: 20))
    try await results.performFetch()
    for try await update in results.updates() {
      for row in update.rows { show(row.post.caption) }
    }
  }
}
