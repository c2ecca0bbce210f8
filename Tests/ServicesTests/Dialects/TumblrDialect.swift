import HTTP
import Posts
import Services

extension Dialect {
  static let tumblr: Dialect = {
    let page = file("page.json", of: .tumblr)
    let empty = Response(#"{"meta":{"status":200,"msg":"OK"},"response":[]}"#)
    return Dialect(
      name: "Tumblr", source: .tumblr, feed: Feed(source: .tumblr, kind: .tag, value: "cats", server: server),
      first: Response(page), last: empty, empty: empty,
      // A server that does not know where to go on begins at the top.
      circle: Response(page),
      broken: Response(page.replacing(#""timestamp": 1795165200"#, with: #""timestamp": "never""#)),
      apiErrors: [
        Response(#"{"meta":{"status":429,"msg":"Limit Exceeded"},"response":[]}"#), Response("{}"),
        Response(#"{"meta":{"status":200,"msg":"OK"},"response":"soon"}"#),
      ],
      limits: [
        (["X-Ratelimit-Perhour-Remaining": "0", "X-Ratelimit-Perhour-Reset": "300"], "2026-11-21T10:05:00Z"),
        (
          [
            "X-Ratelimit-Perhour-Remaining": "70", "X-Ratelimit-Perhour-Reset": "300",
            "X-Ratelimit-Perday-Remaining": "0", "X-Ratelimit-Perday-Reset": "7200",
          ], "2026-11-21T12:00:00Z"
        ),
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"))
  }()

  static let tumblrPerson: Dialect = {
    var dialect = tumblr
    (dialect.name, dialect.api) = ("Tumblr as a person", "oauth2")
    return dialect
  }()
}
