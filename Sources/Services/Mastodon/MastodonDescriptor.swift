import Posts

extension SourceName {
  /// Mastodon, Pixelfed and servers that speak their API.
  public static let mastodon = SourceName(rawValue: "mastodon")
}

extension SourceDescriptor {
  static let mastodon = SourceDescriptor(
    .mastodon, displayName: "Mastodon", summary: "Mastodon, Pixelfed and servers that speak their API",
    note: "Pixelfed and others too",
    SourceAPI(
      [.tag, .user, .search], [.walkUp, .continueBelowIDs],
      bounds: SourceBounds(largestPage: MastodonSource.largestPage, mostLookedUp: 20),
      help: [.search: "Mastodon requires a login to search."], login: LoginService(MastodonLoginProvider.init),
      make: MastodonSource.init),
    downloads: [.mastodon], archives: [.mastodon, .pixelfed],
    visibility: MastodonStatus.visibility)
}
