/// The API that a demo speaks: it decides which routes are mounted.
enum DemoAPI: Sendable {
  case mastodon
  case bluesky

  /// Its name on the front page.
  var title: String {
    switch self {
    case .mastodon: "Mastodon API"
    case .bluesky: "Bluesky API"
    }
  }
}
