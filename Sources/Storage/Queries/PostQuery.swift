import FoundationEssentials
import Posts

/// Which posts to show, newest first.
public struct PostQuery: Sendable, Hashable {
  /// Posts that carry one of these tags, or that a feed of one of them brought; empty for all posts.
  public var tags: [String]
  /// Posts of an author: a handle, or its part before the host.
  public var user: String?
  /// Posts that a feed brought.
  public var feed: Feed?
  /// Posts that contain all these words. The last one may be a prefix.
  public var search: String?
  /// Posts written in this time range, its end excluded.
  public var day: DateInterval?
  /// Posts that come after the post with this number.
  public var before: Int64?
  /// The maximum number; nil for no limit.
  public var limit: Int?
  /// How deleted posts are treated.
  public var deleted: DeletedPosts
  /// How posts made by hand that begin only later are treated.
  public var planned = PlannedPosts.included
  /// How hidden posts are treated.
  public var hidden = HiddenPosts.included
  /// Whether only the first one of posts that are the same at several networks is shown, as in a list.
  public var isFolded = false
  /// Who may see the posts.
  public var visibility = VisibilityFilter.all
  /// What else the posts must match.
  public var filter: PostFilter?

  /// Creates a query. The default is the newest 50 of the library.
  public init(
    tag: String? = nil,
    tags: [String] = [],
    user: String? = nil,
    feed: Feed? = nil,
    search: String? = nil,
    day: DateInterval? = nil,
    before: Int64? = nil,
    limit: Int? = 50,
    deleted: DeletedPosts = .excluded
  ) {
    self.tags = tag.map { [$0] + tags } ?? tags
    self.user = user
    self.feed = feed
    self.search = search
    self.day = day
    self.before = before
    self.limit = limit
    self.deleted = deleted
  }

  /// The list that contains these posts, as people read it at a moment.
  public func listed(at now: Date) -> PostListQuery { list.listed(at: now) }

  /// The query as people read it at a moment: without what is hidden and what is planned for later.
  public func shown(at now: Date) -> PostQuery {
    let list = listed(at: now)
    var query = self
    (query.planned, query.hidden) = (list.planned, list.hidden)
    return query
  }

  /// The query as it is exported: whatever is searched for, what is planned for later stays out.
  public func exported(at now: Date) -> PostQuery {
    var query = shown(at: now)
    query.planned = .excluded(after: now)
    // So they do where the filter asks for words, times or deleted posts, or names a saved search, which may ask for plans without anybody
    // seeing it here.
    if let filter = query.filter, !filter.seeks("planned"),
      filter.showsPlanned || filter.filter.terms.contains(where: { $0.key == .saved })
    {
      query.filter = filter.with(.conjunction([filter.filter, .not(.term(.init(.is, [.word("planned")])))]))
    }
    return query
  }

  /// The list that contains these posts.
  var list: PostListQuery {
    var list = PostListQuery(tags: tags, user: user, feed: feed, search: search, within: day, deleted: deleted)
    (list.planned, list.hidden, list.visibility, list.filter) = (planned, hidden, visibility, filter)
    list.isFolded = isFolded
    return list
  }
}
