import Posts

extension SourceName {
  /// Tumblr, and servers that speak its API.
  public static let tumblr = SourceName(rawValue: "tumblr")
}

extension SourceDescriptor {
  static let tumblr = SourceDescriptor(
    .tumblr, displayName: "Tumblr", summary: "Tumblr, and servers that speak its API",
    home: Home(Server.tumblr, hosts: ["tumblr.com"]),
    pages: WebPages(
      tags: ["tagged/*"], users: ["@*", "*", "blog/view/*"], posts: ["*/#", "*/#/*", "blog/view/*/#"],
      others: [
        "tagged", "explore", "search", "dashboard", "settings", "blog", "login", "register", "policy", "about", "help",
        "apps", "communities", "likes", "following", "inbox", "activity", "new", "privacy", "docs", "jobs", "support",
      ], hasUsersAsHosts: true
    ) { _, _ in nil },
    hasPhrasesAsTags: true,
    SourceAPI(
      [.tag, .user],
      bounds: SourceBounds(largestPage: TumblrSource.largestPage, mostLookedUp: TumblrSource.largestLookup),
      help: [.tag: "Tumblr finds posts by their first tags alone.", .user: "At Tumblr, a user is a blog."],
      login: LoginService(TumblrLoginProvider.init, arguments: "--source tumblr --client-id KEY"),
      make: TumblrSource.init),
    visibility: TumblrPost.visibility)
}

// The addresses of Tumblr, whose API has a host of its own.

extension Server {
  /// Tumblr, by its canonical name.
  static let tumblr = Server("tumblr.com")

  /// Whether this is Tumblr itself, and not another server that implements its API.
  private var isTumblr: Bool { SourceDescriptor.tumblr.home?.owns(self) == true }

  /// The base address of the API: Tumblr's API host for Tumblr itself, otherwise the server.
  var tumblrAPI: String { isTumblr ? "https://api.tumblr.com" : origin }

  /// The base address of the web site.
  var tumblrSite: String { isTumblr ? "https://www.tumblr.com" : origin }
}
