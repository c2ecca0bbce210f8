import HTTP
import Posts
import Services

extension Dialect {
  static let mastodon: Dialect = {
    let page = file("page.json", of: .mastodon)
    let next = { (target: String) in #"<\#(target)>; rel="next""# }
    let post = { (id: String) in
      """
      [{"id":"\(id)","uri":"https://birds.example/\(id)","url":"https://birds.example/\(id)",
        "created_at":"2026-11-19T09:00:00Z"},
       {"id":"900","uri":"https://birds.example/900","url":"https://birds.example/900",
        "created_at":"2026-11-19T08:00:00Z"}]
      """
    }
    return Dialect(
      name: "Mastodon", source: .mastodon,
      feed: Feed(source: .mastodon, kind: .tag, value: "cats", server: server),
      first: Response(page, "Link", next("https://birds.example/api/v1/timelines/tag/cats?max_id=1000")),
      last: Response(post("999"), "Link", #"<https://birds.example/x?min_id=999>; rel="prev""#),
      empty: Response("[]"),
      circle: Response(post("999"), "Link", next("https://birds.example/api/v1/timelines/tag/cats?max_id=1000")),
      astray: Response(page, "Link", next("https://evil.example/api?max_id=1000")),
      leaking: Response(page, "Link", next("https://birds.example/x?access_token=\(token)&max_id=1000")),
      broken: Response(
        page.replacing("\"https://birds.example/users/birds/statuses/1103\"", with: "[1]")
          .replacing("\"https://birds.example/@birds/1103\"", with: "{}")),
      apiErrors: [Response(#"{"error":"The timeline is being rebuilt"}"#)],
      limits: [
        (["X-RateLimit-Reset": "2026-11-21T10:05:00.123456Z"], "2026-11-21T10:05:00.123Z"),
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"), unprocessed: .needsLogin)
  }()
}
