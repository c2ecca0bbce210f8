import HTTP
import Posts
import Services

/// A source of Bluesky that gets prepared answers.
struct BlueskyDesk {
  let answering: Answering
  let source: BlueskySource
  let server: Server

  init(_ answers: Response..., server: String = "birds.example", token: Secret? = nil) {
    answering = Answering(inTurn: answers)
    self.server = Server(server)!
    source = BlueskySource(
      server: self.server, token: token, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  func page(_ kind: Feed.Kind = .tag, _ value: String = "cats", after cursor: Cursor? = nil) async throws -> Page {
    let feed = Feed(source: .bluesky, kind: kind, value: value, server: server)
    return try await source.page(of: feed, after: cursor, size: nil)
  }

  /// The addresses that were asked for.
  var addresses: [String] { answering.requests.map(\.url) }

  /// A post in the documented shape.
  static func post(
    _ key: String, at date: String = "2026-11-20T09:00:00.000Z", text: String = "#cats", more: String = ""
  ) -> String {
    """
    {"uri":"at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/\(key)",
    "author":{"did":"did:plc:aaaaaaaaaaaaaaaaaaaaaaaa","handle":"robin.birds.example"},
    "record":{"text":"\(text)","createdAt":"\(date)","tags":["cats"]\(more)},"indexedAt":"\(date)"}
    """
  }

  /// An answer with posts of these keys.
  static func answer(_ posts: [String], cursor: String? = nil) -> Response {
    let next = cursor.map { #","cursor":"\#($0)""# } ?? ""
    return Response(#"{"posts":[\#(posts.joined(separator: ","))]\#(next)}"#)
  }
}
