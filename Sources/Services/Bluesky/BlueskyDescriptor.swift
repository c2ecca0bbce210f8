import Posts

extension SourceName {
  /// Bluesky, and other servers of its network.
  public static let bluesky = SourceName(rawValue: "bluesky")
}

extension SourceDescriptor {
  static let bluesky = SourceDescriptor(
    .bluesky, displayName: "Bluesky", summary: "Bluesky, and other servers of its network (AT Protocol)",
    home: Home(
      Server.bluesky, hosts: ["bsky.social", "bsky.app", "bsky.network"], yieldsToLogins: true,
      isNamedInSearches: true),
    pages: WebPages(tags: ["hashtag/*"], users: ["profile/*"], posts: ["profile/*/post/#"]) { _, _ in nil },
    SourceAPI(
      [.tag, .user, .search],
      bounds: SourceBounds(largestPage: BlueskySource.largestPage, mostLookedUp: BlueskySource.mostInLookup),
      help: [.search: "Bluesky requires a login to search."], login: LoginService(BlueskyLoginProvider.init),
      asking: { BlueskySource(server: $0, caller: $1, transport: $2, time: $3) }),
    stream: .bluesky, visibility: BlueskyPost.visibility, files: .bluesky)
}
