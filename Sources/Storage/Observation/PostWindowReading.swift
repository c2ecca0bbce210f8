import FoundationEssentials

/// How many posts a list or one of its sections has.
public enum ListTotal: Sendable, Hashable {
  /// The exact number.
  case exactly(Int)
  /// More than this number.
  case moreThan(Int)
}

/// A post at its position in a list.
public struct PostRow: Sendable, Equatable, Identifiable {
  /// The position. It is unique in the list, even if the post is in several sections.
  public let key: PostKey
  /// The post.
  public let post: StoredPost

  /// The key.
  public var id: PostKey { key }
}

/// A section of a list, as far as a window shows it.
public struct PostSection: Sendable, Equatable, Identifiable {
  /// `2026-11-21` for a day, else the number of the author or tag; `0` for posts without an author.
  public let key: String
  /// The day, the author's name, or the tag.
  public let name: String
  /// How many posts it has in the whole list.
  public let count: ListTotal
  /// Its rows within the window.
  public let rows: Range<Int>

  /// The key.
  public var id: String { key }
}

/// A part of a list, read from one snapshot.
public struct PostWindowReading: Sendable, Equatable {
  /// The posts, in the list's order.
  public var rows: [PostRow] = []
  /// How the list is divided or ordered: as it was asked for, or as its filter says.
  public var grouping = PostGrouping.none
  /// Their sections; empty if the list has none.
  public var sections: [PostSection] = []
  /// How many rows the whole list has.
  public var total = ListTotal.exactly(0)
  /// How many posts the list leaves out because they are hidden.
  public var hidden = ListTotal.exactly(0)
  /// Whether the list has rows before these.
  public var hasMoreBefore = false
  /// Whether the list has rows after these.
  public var hasMoreAfter = false
  /// Up to when the list was looked through, newest posts first, where that is not all of it yet: it may have more rows.
  /// nil for the whole list.
  public var lookedTo: Date?

  /// An empty list.
  public init() {}

  /// Whether the list is divided into sections.
  public var hasSections: Bool {
    switch grouping {
    case .none, .sorted: false
    case .author, .day, .tag: true
    }
  }
}
