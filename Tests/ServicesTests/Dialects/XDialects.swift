import HTTP
import Posts
import Services

extension Dialect {
  static let x: Dialect = {
    let page = file("recent.json", of: .x)
    let older = page.replacing("19800", with: "19700").replacing("19900", with: "19699")
    let empty = Response(#"{"meta":{"result_count":0}}"#)
    return spoken(
      "X", first: page, last: older.replacing("next_token", with: "newest_id_again"), empty: empty, circle: older,
      broken: page.replacing(#""id": "1980000000000000200""#, with: #""id": []"#),
      apiErrors: [
        Response(#"{"title":"Invalid Request","detail":"over quota"}"#), Response(#"{"errors":[{"message":"no"}]}"#),
        Response(#"{"errors":[{"type":"https://api.x.com/2/problems/invalid-request","detail":"a"}]}"#),
      ])
  }()

  static let olderX: Dialect = {
    let page = file("statuses.json", of: .x)
    var dialect = spoken(
      "X 1.1", first: page, last: #"{"statuses":[]}"#, empty: Response(#"{"statuses":[],"search_metadata":{}}"#),
      circle: page, broken: page.replacing(#""id_str": "1980000000000000100""#, with: #""id_str": []"#),
      apiErrors: [Response(#"{"errors":[{"code":25,"message":"Query parameters are missing"}]}"#), Response("[]")])
    dialect.api = "1.1"
    return dialect
  }()

  private static func spoken(
    _ name: String, first: String, last: String, empty: Response, circle: String, broken: String,
    apiErrors: [Response]
  ) -> Dialect {
    Dialect(
      name: name, source: .x, feed: Feed(source: .x, kind: .tag, value: "birds", server: server),
      first: Response(first), last: Response(last), empty: empty, circle: Response(circle), broken: Response(broken),
      apiErrors: apiErrors,
      limits: [
        // 10:05 by a clock that is right, by one that is an hour ahead, and a time that has passed.
        (["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1795255500"], "2026-11-21T10:05:00Z"),
        (
          ["x-rate-limit-reset": "1795259100", "Date": "Sat, 21 Nov 2026 11:00:00 GMT"], "2026-11-21T10:05:00Z"
        ), (["x-rate-limit-reset": "1795250000"], "2026-11-21T10:00:00Z"),
        (["x-rate-limit-reset": "99999999999"], "2026-11-22T10:00:00Z"),
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"),
        ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag birds"))
  }
}
