import Posts

extension SourceName {
  /// X, and servers that speak its APIs.
  public static let x = SourceName(rawValue: "x")
}

extension SourceDescriptor {
  static let x = SourceDescriptor(
    .x, displayName: "X", summary: "X, and servers that speak its APIs",
    home: Home(Server.x, hosts: ["x.com", "twitter.com"], isNamedInSearches: true),
    pages: WebPages(
      tags: ["hashtag/*"], users: ["*", "*/with_replies", "*/media"], posts: ["*/status/#", "i/web/status/#"],
      others: ["home", "explore", "search", "i", "settings", "notifications", "messages", "login", "intent", "share"]),
    SourceAPI(
      [.tag, .user, .search], bounds: SourceBounds(largestPage: XSource.largestPage, mostLookedUp: 100),
      prices: .x, login: xLogin, make: XSource.init),
    called: "2",
    others: [
      "1.1": SourceAPI(
        [.tag, .user, .search], [.continueBelowIDs], bounds: SourceBounds(largestPage: 200, mostLookedUp: 100),
        login: xLogin, make: XFirstSource.init)
    ], downloads: [.x], archives: [.x, .twarc], visibility: XStatus.visibility)

  private static let xLogin = LoginService(
    XLoginProvider.init, arguments: "--source x --app-only --client-id KEY --client-secret-stdin")
}
