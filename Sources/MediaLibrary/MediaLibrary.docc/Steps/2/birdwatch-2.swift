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
}
