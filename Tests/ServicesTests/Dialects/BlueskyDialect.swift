import HTTP
import Posts
import Services

extension Dialect {
  static let bluesky: Dialect = {
    let page = file("page.json", of: .bluesky)
    let older = page.replacing("3mcats", with: "3molder")
    return Dialect(
      name: "Bluesky", source: .bluesky, feed: Feed(source: .bluesky, kind: .tag, value: "cats", server: server),
      first: Response(page), last: Response(older.replacing("\"cursor\": \"4\",", with: "")),
      empty: Response(#"{"posts":[]}"#), circle: Response(older),
      broken: Response(page.replacing("app.bsky.feed.post/3mcats0000003", with: "app.bsky.feed.like/3mcats0000003")),
      apiErrors: [Response(#"{"error":"UpstreamFailure","message":"over quota"}"#), Response(#"{"feed":[]}"#)],
      limits: [
        (["RateLimit-Remaining": "0", "RateLimit-Reset": "1795255500"], "2026-11-21T10:05:00Z"),
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"))
  }()
}
