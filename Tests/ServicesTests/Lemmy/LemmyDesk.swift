import HTTP
import Posts
import Services
import Testing

/// A source at a server of Lemmy or PieFed, and what it was asked.
struct LemmyDesk {
  /// What a server without an API answers at its address.
  static let unknown = Response(status: 404, body: Array("<html>".utf8))

  let server = Server("birds.example")!
  let answering: Answering
  let source: LemmySource

  init(_ answers: Response..., token: Secret? = nil) {
    answering = Answering(inTurn: answers)
    source = LemmySource(
      server: server, token: token, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  func page(_ kind: Feed.Kind = .user, _ value: String = "!birds", after cursor: String? = nil, size: Int? = nil)
    async throws -> Page
  {
    let feed = Feed(source: .lemmy, kind: kind, value: value, server: server)
    return try await source.page(of: feed, after: cursor.map { Cursor($0) }, size: size)
  }

  /// The post of a view with these fields in its post, and these beside it.
  static func item(_ fields: String = "", beside more: String = "") async throws -> PageItem {
    let post =
      #"{"id":7,"name":"Cats","ap_id":"https://far.example/post/7","published":"2026-11-20T09:00:00Z"\#(fields)}"#
    let answer = Response(#"{"posts":[{"post":\#(post)\#(more)}],"next_page":null}"#)
    return try #require(try await LemmyDesk(answer).page().items.first)
  }

  /// A page of posts with these ids, and a name of the next one if lists have one.
  static func posts(_ ids: Int..., next: String? = nil) -> Response {
    let posts = ids.map { #"{"post":{"id":\#($0),"name":"p","published":"2026-11-20T09:00:00Z"}}"# }
    return Response(#"{"posts":[\#(posts.joined(separator: ","))]\#(next.map { #","next_page":\#($0)"# } ?? "")}"#)
  }

  var asked: [String] { answering.requests.map { $0.url.replacing("https://birds.example/api/", with: "") } }
}
