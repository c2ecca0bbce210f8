import HTTP
import Posts
import Services
import Testing

/// A source at a server of Flickr's API, and what it was asked.
struct FlickrDesk {
  let server: Server
  let answering: Answering
  let source: FlickrSource

  init(_ answers: Response..., at server: String = "birds.example", token: Secret? = nil) {
    self.server = Server(server)!
    answering = Answering(inTurn: answers)
    source = FlickrSource(
      server: self.server, token: token, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  func page(_ kind: Feed.Kind = .tag, _ value: String = "cats", after cursor: Cursor? = nil, size: Int? = nil)
    async throws -> Page
  {
    try await source.page(
      of: Feed(source: .flickr, kind: kind, value: value, server: server), after: cursor, size: size)
  }

  /// What was asked of a field by each request that named it.
  func asked(_ field: String) -> [String] {
    answering.requests.compactMap { Request.parameter(field, of: $0.url) }
  }

  /// An answer with photos of these ids and seconds.
  static func photos(_ photos: [(Int, Int)], pages: Int = 1, total: Int? = nil) -> Response {
    let list = photos.map { #"{"id":"\#($0.0)","owner":"1@N00","dateupload":"\#($0.1)"}"# }.joined(separator: ",")
    return answer(list, pages: pages, total: total ?? photos.count)
  }

  static func answer(_ photos: String, pages: Int = 1, total: Int = 1) -> Response {
    Response(
      #"{"photos":{"page":1,"pages":\#(pages),"perpage":500,"total":"\#(total)","photo":[\#(photos)]},"stat":"ok"}"#)
  }

  static func failure(_ code: Int, _ message: String = "no") -> Response {
    Response(#"{"stat":"fail","code":\#(code),"message":"\#(message)"}"#)
  }

  /// The item of an answer with one photo of these fields.
  static func item(_ fields: String) async throws -> PageItem {
    let more = fields.isEmpty ? "" : ",\(fields)"
    let photo = #"{"id":"12","owner":"1@N00","dateupload":"1795165200"\#(more)}"#
    return try #require(try await FlickrDesk(answer(photo)).page().items.first)
  }
}
