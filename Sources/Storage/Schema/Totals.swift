import Posts

/// Which exact count to read. Only posts that are not deleted count. The cost does not depend on the count.
public enum PostTotal: Sendable, Hashable {
  /// All posts.
  case library
  /// Posts that carry the tag, or that a feed of the tag brought.
  case tag(String)
  /// Posts of the author with this number; nil for posts without an author.
  case author(Int64?)
  /// Posts that a feed brought, each once.
  case feed(Feed)
}

extension Store {
  /// How many posts of a list are not deleted; 0 for an unknown tag, author or feed.
  public func count(of total: PostTotal) throws(StorageError) -> Int {
    try read { db in
      switch total {
      case .library: try db.total("library", 0)
      case .author(let author): try db.total("author", author ?? 0)
      case .tag(let tag):
        try db.value("SELECT id FROM tag WHERE name = $1", [Feed.tagName(tag)]).map { try db.total("tag", $0) } ?? 0
      case .feed(let feed):
        try db.value("SELECT id FROM feed WHERE name = $1", [feed.name]).map { try db.total("feed", $0) } ?? 0
      }
    }
  }
}

extension Database {
  /// A row of the totals, which triggers maintain.
  func total(_ kind: String, _ ref: Int64) throws -> Int {
    try row("SELECT posts FROM total WHERE kind = $1 AND ref = $2", [kind, ref]) { try $0.number("posts") } ?? 0
  }

  /// How many posts of an ordered source are not deleted. For several tags this is an upper bound: a post may carry
  /// more than one.
  func total(of source: PostSource) throws -> Int {
    switch source {
    case .tags(let tags): try tags.reduce(0) { try $0 + total("tag", $1) }
    case .feed(let feed): try total("feed", feed)
    case .authors([]): try total("author", 0)
    case .authors(let authors): try authors.reduce(0) { try $0 + total("author", $1) }
    default: try total("library", 0)
    }
  }
}
