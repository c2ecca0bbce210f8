import FetchedResults
import Storage

/// A post as a row of a list.
public struct ListedPost: Sendable, Equatable, Identifiable {
  /// The identity of a row across readings, wherever the row is in the list.
  public struct ID: Sendable, Hashable {
    /// The post's number.
    public let post: Int64
    /// The key of its section if the list is grouped by tag: a post may then have several rows. Otherwise nil, so that a
    /// post whose day or author changes is moved, not deleted and inserted.
    public internal(set) var tag: String?
  }

  /// The identity of the row.
  public internal(set) var id: ID
  /// Its position in the list; the anchor of a window.
  public let key: PostKey
  /// The post.
  public let post: StoredPost
}

extension Snapshot where Row == ListedPost {
  /// A snapshot of a list's window. A list that is not grouped is one section without a name. An empty grouped list has
  /// no section.
  public init(_ reading: PostWindowReading) {
    var rows = reading.rows.map { row in
      ListedPost(id: ListedPost.ID(post: row.post.id, tag: nil), key: row.key, post: row.post)
    }
    if reading.grouping == .tag {
      for section in reading.sections {
        for index in section.rows.clamped(to: rows.indices) { rows[index].id.tag = section.key }
      }
    }
    self.init(
      rows: rows,
      sections: reading.hasSections ? reading.sections.map(ListSection.init) : nil,
      total: Total(reading.total),
      hidden: Total(reading.hidden),
      hasMoreBefore: reading.hasMoreBefore,
      hasMoreAfter: reading.hasMoreAfter,
      lookedTo: reading.lookedTo
    )
  }
}

extension ListSection {
  fileprivate init(_ section: PostSection) {
    self.init(id: section.key, name: section.name, count: Total(section.count), rows: section.rows)
  }
}

extension Total {
  /// The total of a list as the store read it.
  public init(_ total: ListTotal) {
    switch total {
    case .exactly(let count): self = .exactly(count)
    case .moreThan(let count): self = .moreThan(count)
    }
  }
}
