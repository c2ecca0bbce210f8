import Posts

extension SourceName {
  /// Instagram, and servers that speak its APIs.
  public static let instagram = SourceName(rawValue: "instagram")
}

extension SourceDescriptor {
  /// Instagram shows a tag's last 24 hours, so its interval never exceeds 20, whatever was requested
  /// (https://developers.facebook.com/docs/instagram-platform, recent_media).
  static let instagram = SourceDescriptor(
    .instagram, displayName: "Instagram", summary: "Instagram, and servers that speak its first API (/v1)",
    home: Home(Server.instagram, hosts: ["instagram.com"], yieldsToLogins: true),
    pages: WebPages(
      tags: ["explore/tags/*"], users: ["*"], posts: ["p/#", "reel/#", "tv/#", "*/p/#", "*/reel/#"],
      others: ["p", "reel", "reels", "tv", "explore", "stories", "accounts", "direct", "about", "developer"]
    ) { _, _ in nil },
    polling: PollingRule(longest: .seconds(72_000), isStrict: true),
    SourceAPI(
      [.tag, .user], bounds: SourceBounds(largestPage: InstagramSource.largestPage, mostLookedUp: 20),
      login: LoginService(
        InstagramLoginProvider.init, arguments: "--source instagram --client-id ID --client-secret-stdin"),
      make: InstagramSource.init),
    called: "v1", others: [GraphSource.apiName: GraphSource.api], atHome: GraphSource.apiName,
    downloads: [.instagram, .instaloader],
    archives: [.instagram], visibility: InstagramUser.visibility)
}
