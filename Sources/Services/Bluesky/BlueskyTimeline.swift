/// The request for the posts of a feed.
struct BlueskyTimeline {
  let method: String
  let query: [(String, String)]
  /// The member of the answer that holds the posts.
  let member: String
  /// The tag that each post must carry; nil if any post counts.
  var tag: String?

  /// Whether the posts are those that a search finds, which ends before the oldest.
  var isSearch: Bool { member == "posts" }

  /// Posts that the network's search finds: https://docs.bsky.app/docs/api/app-bsky-feed-search-posts
  static func search(_ text: String) -> Self {
    Self(method: "app.bsky.feed.searchPosts", query: [("q", text), ("sort", "latest")], member: "posts")
  }

  /// Posts with a tag. The search also finds posts that only mention it, and ignores `tag` beside a word.
  static func tag(_ name: String) -> Self {
    var timeline = search("#\(name)")
    timeline.tag = name
    return timeline
  }

  /// What an account wrote and repeated: https://docs.bsky.app/docs/api/app-bsky-feed-get-author-feed
  static func account(_ actor: String) -> Self {
    Self(method: "app.bsky.feed.getAuthorFeed", query: [("actor", actor), ("includePins", "false")], member: "feed")
  }
}
