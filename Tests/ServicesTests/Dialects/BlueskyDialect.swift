import HTTP
import Posts
import Services

extension Dialect {
  static let bluesky = spoken("Bluesky", .tag, "cats", file("page.json", of: .bluesky), empty: #"{"posts":[]}"#)

  static let blueskyUser = spoken(
    "Bluesky, a user", .user, "robin.birds.example", file("feed.json", of: .bluesky), empty: #"{"feed":[]}"#)

  private static func spoken(
    _ name: String, _ kind: Feed.Kind, _ value: String, _ page: String, empty: String
  ) -> Dialect {
    let older = page.replacing("3mcats", with: "3molder")
    return Dialect(
      name: name, source: .bluesky, feed: Feed(source: .bluesky, kind: kind, value: value, server: server),
      first: Response(page), last: Response(older.replacing("\"cursor\"", with: "\"none\"")),
      empty: Response(empty), circle: Response(older),
      broken: Response(page.replacing("app.bsky.feed.post/3mcats0000003", with: "app.bsky.feed.like/3mcats0000003")),
      apiErrors: [Response(#"{"error":"UpstreamFailure","message":"over quota"}"#), Response(#"{"feeds":[]}"#)],
      limits: [
        (["RateLimit-Remaining": "0", "RateLimit-Reset": "1795255500"], "2026-11-21T10:05:00Z"),
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "\(kind.rawValue) \(value)"))
  }
}
