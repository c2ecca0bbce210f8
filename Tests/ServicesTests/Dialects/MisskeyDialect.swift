import HTTP
import Posts
import Services

extension Dialect {
  static let misskey: Dialect = {
    let page = file("page.json", of: .misskey)
    // Other notes, the last of which has the id that leads on from the first page.
    let circle = page.replacing("9zc3", with: "9yc3").replacing("9zb2", with: "9yb2")
      .replacing("statuses/77", with: "statuses/66").replacing("notes/9z77", with: "notes/9y77")
    return Dialect(
      name: "Misskey", source: .misskey,
      feed: Feed(source: .misskey, kind: .tag, value: "cats", server: server),
      first: Response(page), last: Response("[]"), empty: Response("[]"), circle: Response(circle),
      broken: Response(page.replacing("2026-11-20T08:00:00.000Z", with: "never")),
      apiErrors: [
        Response(#"{"error":{"message":"over quota","code":"OVER_QUOTA","kind":"client"}}"#), Response("{}"),
      ],
      limits: [(["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil)],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"))
  }()
}
