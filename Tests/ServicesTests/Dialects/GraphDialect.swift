import HTTP
import Posts
import Services

extension Dialect {
  static let graph: Dialect = {
    let page = file("graph.json", of: .instagram)
    let older = page.replacing("/BNcA", with: "/older").replacing("\"179", with: "\"178")
    let last = older.replacing("\"next\"", with: "\"no\"")
    func error(_ fields: String) -> Response { Response(#"{"error":{\#(fields)}}"#) }
    var dialect = Dialect(
      name: "Graph", source: .instagram, feed: Feed(source: .instagram, kind: .tag, value: "cats", server: server),
      first: Response(page), last: Response(last), empty: Response(#"{"data":[]}"#), circle: Response(older),
      leaking: Response(page.replacing("TOKEN", with: token)),
      broken: Response(page.replacing("2026-11-20T09:00:00+0000", with: "never")),
      apiErrors: [
        Response("{}"), error(#""code":100,"message":"no such field""#), error(#""message":"something""#), error(""),
      ],
      limits: [
        (["Retry-After": "60"], "2026-11-21T10:01:00Z"),
        (
          ["X-App-Usage": #"{"call_count":100,"total_time":20,"total_cputime":5}"#], nil
        ),
        (
          [
            "X-Business-Use-Case-Usage":
              #"{"17841":[{"type":"instagram","call_count":100,"estimated_time_to_regain_access":19}]}"#
          ], "2026-11-21T10:19:00Z"
        ), ([:], nil),
      ],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"))
    dialect.api = "graph"
    dialect.repeatsCursor = true
    return dialect
  }()
}

/// Hashtags with known ids and without a limit.
struct KnownHashtags: HashtagBudgetStore {
  var ids = ["cats": "17843826142012701"]

  func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String? { ids[name] }
  func keep(_ id: String, of name: String, at server: Server) async throws(SourceError) {}
}
