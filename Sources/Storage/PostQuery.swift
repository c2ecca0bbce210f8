import Foundation
import Posts

/// Which posts to show, newest first.
public struct PostQuery: Sendable, Hashable {
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
  /// Those that come after this post.
  public var before: Int64?
  /// At most so many; nil for all.
  public var limit: Int?
  /// Whether deleted posts are among them.
  public var includesDeleted: Bool

  /// A query from its parts; the newest 50 of the library where nothing is said.
  public init(
    tag: String? = nil,
    tags: [String] = [],
    user: String? = nil,
    feed: Feed? = nil,
    search: String? = nil,
    day: DateInterval? = nil,
    before: Int64? = nil,
    limit: Int? = 50,
    includesDeleted: Bool = false
  ) {
    self.tags = tag.map { [$0] + tags } ?? tags
    self.user = user
    self.feed = feed
    self.search = search
    self.day = day
    self.before = before
    self.limit = limit
    self.includesDeleted = includesDeleted
  }
  /// The list these posts are a part of.
  var list: PostListQuery {
    PostListQuery(tags: tags, user: user, feed: feed, search: search, day: day, includesDeleted: includesDeleted)
  }
}
