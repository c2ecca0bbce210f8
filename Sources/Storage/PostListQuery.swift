import Foundation
import Posts

/// How a list of posts is cut into sections.
public enum PostGrouping: Sendable, Hashable {
  /// Not at all: newest first.
  case none
  /// By the days of a place, newest first.
  case day(TimeZone)
  /// By author, in the order of their names; within an author newest first. Posts without one come first.
  case author
  /// By tag, in the order of the tags' names; within a tag newest first. A post stands in every tag's list it is on, and
  /// in none where it has no tag.
  case tag
}

/// Which posts a list shows, and in which order.
public struct PostListQuery: Sendable, Hashable {
  /// Those that carry one of these tags, or that a feed of one of them brought; empty for all posts.
  public var tags: [String]
  /// Those of an author: a handle, or its part before the host.
  public var user: String?
  /// Those that a feed brought.
  public var feed: Feed?
  /// Those in which all these words stand; the last one may be the beginning of a word.
  public var search: String?
  /// Those written in this stretch of time, its end not included.
  public var day: DateInterval?
  /// Whether deleted posts are among them.
  public var includesDeleted: Bool
  /// The sections.
  public var grouping: PostGrouping

  /// A query from its parts; the whole library, newest first, where nothing is said.
  public init(
    tag: String? = nil,
    tags: [String] = [],
    user: String? = nil,
    feed: Feed? = nil,
    search: String? = nil,
    day: DateInterval? = nil,
    includesDeleted: Bool = false,
    grouping: PostGrouping = .none
  ) {
    self.tags = tag.map { [$0] + tags } ?? tags
    self.user = user
    self.feed = feed
    self.search = search
    self.day = day
    self.includesDeleted = includesDeleted
    self.grouping = grouping
  }

  /// The tag, where the list is of a single one.
  public var tag: String? { tags.count == 1 ? tags[0] : nil }
}
