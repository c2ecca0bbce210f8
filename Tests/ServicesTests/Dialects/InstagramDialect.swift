import HTTP
import Posts
import Services

extension Dialect {
  static let instagram: Dialect = {
    let page = file("page.json", of: .instagram)
    let older = page.replacing("AQAarTGD1104", with: "AQAarTGD1000").replacing("/p/", with: "/p/older")
      .replacing("\"110", with: "\"10").replacing(": 1105", with: ": 100")
    let last = older.replacing("next_max", with: "no").replacing("next_url", with: "no_url")
    let meta = #"{"meta":{"code":400,"error_type":"APIError","error_message":"over quota"}}"#
    return Dialect(
      name: "Instagram", source: .instagram,
      feed: Feed(source: .instagram, kind: .tag, value: "cats", server: server), first: Response(page),
      last: Response(last), empty: Response(#"{"pagination":{},"meta":{"code":200},"data":[]}"#),
      circle: Response(older.replacing("AQAarTGD1000", with: "AQAarTGD1104")),
      leaking: Response(page.replacing("TOKEN", with: token)),
      broken: Response(page.replacing("\"1795161600\"", with: "[1]")),
      apiErrors: [Response(meta), Response(#"{"meta":{"code":200}}"#), Response(#"{"code":400,"error_type":"E"}"#)],
      limits: [
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"),
        (["X-Ratelimit-Limit": "5000", "X-Ratelimit-Remaining": "0"], nil), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"))
  }()
}
