import FoundationEssentials
import Posts

/// How a list of posts is divided into sections, or ordered.
public enum PostGrouping: Sendable, Hashable {
  /// No sections: newest first.
  case none
  /// By day in a time zone, newest first.
  case day(TimeZone)
  /// By author, ordered by name; newest first within an author. Posts without an author come first.
  case author
  /// By tag, ordered by name; newest first within a tag. A post appears under each of its tags, and not at all if it
  /// has none.
  case tag
  /// No sections, in another order than newest first.
  case sorted(PostSort)
}

/// An order of posts by something else than newest first. Where posts are equal in it, the newest is first.
public enum PostSort: Sendable, Hashable {
  /// Oldest first.
  case oldest
  /// Those that the person rated highest first.
  case rating
  /// The one with the largest stored file first.
  case size
  /// In an order of no meaning, another one for each seed.
  case random(seed: Int64)
}

/// How a list treats deleted posts.
public enum DeletedPosts: Sendable, Hashable {
  /// The list has none of them.
  case excluded
  /// The list has them among the others.
  case included
  /// The list has only them.
  case only
}

/// How a list treats posts made by hand that begin only later.
public enum PlannedPosts: Sendable, Hashable {
  /// The list has them among the others.
  case included
  /// The list leaves out those that begin after this moment, unless its filter asks for words or for times that end.
  case excluded(after: Date)
}

/// How a list treats hidden posts, and those of hidden authors and tags.
public enum HiddenPosts: Sendable, Hashable {
  /// The list has them among the others.
  case included
  /// The list has none of them. In the list of deleted posts they stay.
  case excluded
}

/// Which posts a list shows, by who may see them at their servers.
public enum VisibilityFilter: Sendable, Hashable {
  /// All of them.
  case all
  /// Those with one of these visibilities.
  case only(Set<Visibility>)
  /// Those that may be published. Nobody has published posts made by hand, so they are left out.
  case published
}

/// Which posts a list shows, and in which order.
public struct PostListQuery: Sendable, Hashable {
  /// Posts that carry one of these tags, or that a feed of one of them brought; empty for all posts.
  public var tags: [String]
  /// Posts of an author: a handle, or its part before the host.
  public var user: String?
  /// Posts that a feed brought.
  public var feed: Feed?
  /// Posts that contain all these words. The last one may be a prefix.
  public var search: String?
  /// Posts written in this time range, its end excluded.
  public var within: DateInterval?
  /// How deleted posts are treated.
  public var deleted: DeletedPosts
  /// The sections. The filter's `sort:` decides in place of them.
  public var grouping: PostGrouping
  /// How posts made by hand that begin only later are treated.
  public var planned = PlannedPosts.included
  /// How hidden posts are treated.
  public var hidden = HiddenPosts.included
  /// Whether the list shows of posts that are the same at several networks only the one that was stored first, of those that
  /// it has.
  public var isFolded = false
  /// Who may see the posts.
  public var visibility = VisibilityFilter.all
  /// What else the posts must match. Its `is:deleted`, `is:planned`, `is:hidden` and `is:elsewhere` decide of such posts in
  /// place of `deleted`, `planned`, `hidden` and `isFolded`.
  public var filter: PostFilter?

  /// Creates a query. The default is the whole library, newest first.
  public init(
    tag: String? = nil,
    tags: [String] = [],
    user: String? = nil,
    feed: Feed? = nil,
    search: String? = nil,
    within: DateInterval? = nil,
    deleted: DeletedPosts = .excluded,
    grouping: PostGrouping = .none
  ) {
    self.tags = tag.map { [$0] + tags } ?? tags
    self.user = user
    self.feed = feed
    self.search = search
    self.within = within
    self.deleted = deleted
    self.grouping = grouping
  }

  /// Creates a query, with deleted posts among the others or without them.
  public init(
    tag: String? = nil,
    tags: [String] = [],
    user: String? = nil,
    feed: Feed? = nil,
    search: String? = nil,
    within: DateInterval? = nil,
    includesDeleted: Bool,
    grouping: PostGrouping = .none
  ) {
    self.init(
      tag: tag, tags: tags, user: user, feed: feed, search: search, within: within,
      deleted: includesDeleted ? .included : .excluded, grouping: grouping)
  }

  /// Creates a query, by the former name of `within`.
  @available(*, deprecated, renamed: "init(tag:tags:user:feed:search:within:includesDeleted:grouping:)")
  public init(
    tag: String? = nil,
    tags: [String] = [],
    user: String? = nil,
    feed: Feed? = nil,
    search: String? = nil,
    day: DateInterval?,
    includesDeleted: Bool = false,
    grouping: PostGrouping = .none
  ) {
    self.init(
      tag: tag, tags: tags, user: user, feed: feed, search: search, within: day, includesDeleted: includesDeleted,
      grouping: grouping)
  }

  /// The former name of `within`.
  @available(*, deprecated, renamed: "within")
  public var day: DateInterval? {
    get { within }
    set { within = newValue }
  }

  /// Whether deleted posts are among the list's posts. Setting it includes or excludes them.
  public var includesDeleted: Bool {
    get { deleted != .excluded }
    set { deleted = newValue ? .included : .excluded }
  }

  /// The list as people read it at a moment: without what is hidden, and what is planned for later does not head it. What is
  /// searched for, a time range with an end and deleted posts are shown with what is planned.
  public func listed(at now: Date) -> PostListQuery {
    var list = self
    list.hidden = .excluded
    // What the filter asks for is known where the library is read: it may name saved searches.
    let isOpen = within.map { $0.end == .distantFuture } ?? true
    list.planned = search == nil && isOpen && deleted == .excluded ? .excluded(after: now) : .included
    return list
  }

  /// The former name of `listed(at:)`.
  @available(*, deprecated, renamed: "listed(at:)")
  public func withoutPlanned(at now: Date) -> PostListQuery { listed(at: now) }

  /// The tag, if there is exactly one.
  public var tag: String? { tags.count == 1 ? tags[0] : nil }
}
