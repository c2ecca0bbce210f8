import HTTP
import Posts
import Services

extension Dialect {
  static let flickr: Dialect = {
    let page = file("page.json", of: .flickr)
    let empty = Response(#"{"photos":{"page":1,"pages":0,"perpage":500,"total":0,"photo":[]},"stat":"ok"}"#)
    return Dialect(
      name: "Flickr", source: .flickr, feed: Feed(source: .flickr, kind: .tag, value: "cats", server: server),
      first: Response(page), last: empty, empty: empty,
      // A server that does not read the second begins at the top.
      circle: Response(page),
      broken: Response(page.replacing(#""dateupload": "1795165200""#, with: #""dateupload": "never""#)),
      apiErrors: [
        Response(#"{"stat":"fail","code":1,"message":"Too many tags in ALL query"}"#), Response("{}"),
        Response(#"{"stat":"fail"}"#), Response(#"{"photos":"soon","stat":"ok"}"#),
      ],
      limits: [(["Retry-After": "60"], "2026-11-21T10:01:00Z"), ([:], nil)],
      stranger: .needsLogin(server), gone: .notFound(server, what: "tag cats"))
  }()
}
