import Posts

extension SourceName {
  /// Mastodon, Pixelfed and servers that speak their API.
  public static let mastodon = SourceName(rawValue: "mastodon")
}

extension SourceDescriptor {
  static let mastodon = SourceDescriptor(
    .mastodon, displayName: "Mastodon", summary: "Mastodon, Pixelfed and servers that speak their API",
    note: "Pixelfed and others too", pages: pages,
    software: [
      "mastodon", "pixelfed", "gotosocial", "pleroma", "akkoma", "friendica", "mitra", "snac", "takahe", "iceshrimp",
      "iceshrimp.net", "sharkey", "firefish", "hometown", "fedibird", "kmyblue", "glitchcafe",
    ],
    SourceAPI(
      [.tag, .user, .search], [.walkUp, .continueBelowIDs],
      bounds: SourceBounds(largestPage: MastodonSource.largestPage, mostLookedUp: 20),
      help: [.search: "Mastodon requires a login to search."], login: LoginService(MastodonLoginProvider.init),
      make: MastodonSource.init),
    downloads: [.mastodon], archives: [.mastodon, .pixelfed],
    visibility: MastodonStatus.visibility)

  /// As Mastodon, Pixelfed, Akkoma, Friendica and GoToSocial write them.
  private static let pages = WebPages(
    tags: ["tags/*", "tag/*", "discover/tags/*", "web/tags/*", "web/timelines/tag/*", "timelines/tag/*"],
    users: [
      "@*", "@*/with_replies", "@*/media", "web/@*", "deck/@*", "users/*", "profile/*",
    ],
    posts: [
      "@*/#", "@*/statuses/#", "web/@*/#", "deck/@*/#", "users/*/statuses/#", "p/*/#", "notice/#", "objects/#",
      "display/#",
    ])
}
