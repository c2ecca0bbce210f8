/// What changed in the data that lists show.
public enum LibraryChange: Sendable, Hashable {
  /// These posts, and all posts of these authors.
  case posts(Set<Int64>, authors: Set<Int64>)
  /// Too much to list. Everything must be read again.
  case everything

  /// The change with the posts that are linked with those of it: what becomes of one decides whether a list shows the other.
  func withLinks(in db: Database) throws -> LibraryChange {
    guard case .posts(let posts, let authors) = self, !posts.isEmpty else { return self }
    return .posts(posts.union(try db.links(of: posts)), authors: authors)
  }
}

/// A reader's position in the log of changes.
struct ChangeLog {
  /// Each engine knows the order of its commits in its own way.
  private enum Reader {
    case numbers(NumberLog)
    case snapshots(SnapshotLog)
  }

  private var reader: Reader

  /// Starts with the changes after this moment.
  init(in db: Database) throws {
    switch db.connection {
    case .sqlite: reader = .numbers(try NumberLog(in: db))
    case .postgresql(let session): reader = .snapshots(try SnapshotLog(in: session.connection))
    }
  }

  /// The changes since the last call. Nil if there are none.
  mutating func next(in db: Database) throws -> LibraryChange? {
    switch (reader, db.connection) {
    case (.numbers(var log), .sqlite):
      defer { reader = .numbers(log) }
      return try log.next(in: db)
    case (.snapshots(var log), .postgresql(let session)):
      defer { reader = .snapshots(log) }
      return try log.next(in: session.connection)
    default: throw Contradiction("a log of changes was read in another library")
    }
  }
}

extension Store {
  /// A change with the posts that are linked with those of it, which a folded list may show or leave out by it.
  ///
  /// - Throws: `StorageError` if the library cannot be read.
  public func withLinks(_ change: LibraryChange) throws(StorageError) -> LibraryChange {
    try read { try change.withLinks(in: $0) }
  }
}
