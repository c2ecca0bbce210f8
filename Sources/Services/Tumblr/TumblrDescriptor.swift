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
    tumblrAPI(
      LoginService(TumblrLoginProvider.init, arguments: "--source tumblr --client-id KEY"),
      help: [.tag: "Tumblr finds posts by their first tags alone.", .user: "At Tumblr, a user is a blog."]),
    called: "key",
    others: [
      TumblrPersonLoginProvider.api: tumblrAPI(
        LoginService(
          TumblrPersonLoginProvider.init,
          arguments: "--source tumblr --api oauth2 --client-id KEY --client-secret-stdin", isOfOneAPI: true,
          redirect: "the app's only one"))
    ],
    visibility: TumblrPost.visibility)

  /// The API, which is one for both logins. The login says how it is asked, whichever name was chosen for a feed.
  private static func tumblrAPI(_ login: LoginService, help: [Feed.Kind: String] = [:]) -> SourceAPI {
    SourceAPI(
      [.tag, .user],
      bounds: SourceBounds(largestPage: TumblrSource.largestPage, mostLookedUp: TumblrSource.largestLookup),
      help: help, login: login,
      asking: { server, caller, transport, time in
        TumblrSource(
          server: server, token: caller.token, isOfPerson: caller.api == TumblrPersonLoginProvider.api,
          transport: transport, time: time)
      })
  }
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
