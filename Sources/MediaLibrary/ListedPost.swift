import FetchedResults
import Storage

/// A post as a row of a list.
public struct ListedPost: Sendable, Equatable, Identifiable {
  /// What makes it the same row from one reading to the next, wherever it stands.
  public struct ID: Sendable, Hashable {
    /// The post's number.
    public let post: Int64
    /// The key of its section where the list is grouped by tag: there a post may have several rows. Else nil, so that a
    /// post whose day or author is another one moves instead of leaving and coming.
    public internal(set) var tag: String?
  }

  /// Which row it is.
  public internal(set) var id: ID
  /// Its place in the list: what a window hangs on.
  public let key: PostKey
  /// The post.
  public let post: StoredPost
}

extension Snapshot where Row == ListedPost {
  /// A reading of a list's window. A list that is not grouped is one section without a name; one that is grouped and
  /// empty has none.
  public init(_ reading: PostWindowReading, of list: PostListQuery) {
    var rows = reading.rows.map { row in
      ListedPost(id: ListedPost.ID(post: row.post.id, tag: nil), key: row.key, post: row.post)
    }
    if list.grouping == .tag {
      for section in reading.sections {
        for place in section.rows.clamped(to: rows.indices) { rows[place].id.tag = section.key }
      }
    }
    self.init(
      rows: rows,
      sections: list.grouping == .none ? nil : reading.sections.map(ListSection.init),
      total: Total(reading.total),
      hasMoreBefore: reading.hasMoreBefore,
      hasMoreAfter: reading.hasMoreAfter
    )
  }
}

extension ListSection {
  fileprivate init(_ section: PostSection) {
    self.init(id: section.key, name: section.name, count: Total(section.count), rows: section.rows)
  }
}

extension Total {
  /// The total of a list that was read from a store.
  public init(_ total: ListTotal) {
    switch total {
    case .exactly(let count): self = .exactly(count)
    case .moreThan(let count): self = .moreThan(count)
    }
  }
}
