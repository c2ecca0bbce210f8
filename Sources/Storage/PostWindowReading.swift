/// How many posts a list, or one of its sections, holds.
public enum ListTotal: Sendable, Hashable {
  /// So many.
  case exactly(Int)
  /// More than were counted.
  case moreThan(Int)
}

/// A post at its place in a list.
public struct PostRow: Sendable, Equatable, Identifiable {
  /// The place: no other row of the list has it, even where the post stands in several sections.
  public let key: PostKey
  /// The post.
  public let post: StoredPost

  /// The key.
  public var id: PostKey { key }
}

/// A section of a list, as far as a window shows it.
public struct PostSection: Sendable, Equatable, Identifiable {
  /// `2026-11-21` for a day, else the number of the author or the tag; `0` for posts without an author.
  public let key: String
  /// The day again, the author's name, or the tag.
  public let name: String
  /// How many posts it holds in the whole list.
  public let count: ListTotal
  /// Its rows within the window.
  public let rows: Range<Int>

  /// The key.
  public var id: String { key }
}

/// A part of a list, all of it read at one moment.
public struct PostWindowReading: Sendable, Equatable {
  /// The posts, in the list's order.
  public var rows: [PostRow] = []
  /// The sections they stand in; none where the list has no sections.
  public var sections: [PostSection] = []
  /// How many rows the whole list holds.
  public var total = ListTotal.exactly(0)
  /// Whether the list has rows before these.
  public var hasMoreBefore = false
  /// Whether the list has rows after these.
  public var hasMoreAfter = false

  /// An empty list.
  public init() {}
}
