import HTTP
import Posts
import Services

extension Dialect {
  static let lemmy = spoken("Lemmy", "v4.json", next: "eyJpZCI6NDAwM30", empty: #"{"items":[]}"#)
  static let olderLemmy = spoken("Lemmy 0.19", "v3.json", next: "Pfa3", empty: #"{"posts":[]}"#)
  static let piefed = spoken("PieFed", "piefed.json", next: "2", empty: #"{"posts":[],"next_page":null}"#)

  /// A community of a server that shows this page, by whichever API it is asked first.
  private static func spoken(_ name: String, _ fixture: String, next: String, empty: String) -> Dialect {
    let page = file(fixture, of: .lemmy)
    let older = page.replacing("\"id\": 400", with: "\"id\": 300").replacing("/post/", with: "/post/1")
    return Dialect(
      name: name, source: .lemmy, feed: Feed(source: .lemmy, kind: .user, value: "!birds", server: server),
      first: Response(page), last: Response(older.replacing("\"\(next)\"", with: "null")), empty: Response(empty),
      circle: Response(older), broken: Response(page.replacing("2026-11-20T08:00:00Z", with: "never")),
      apiErrors: [Response(#"{"error":"couldnt_get_posts"}"#), Response(#"{"message":"no"}"#), Response("{}")],
      limits: [
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"),
        (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "300"], "2026-11-21T10:05:00Z"), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "community !birds"))
  }
}
