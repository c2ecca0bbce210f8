import Foundation
import HTTP
import Posts
import Services
import Testing

/// A source at a server of Misskey, and what it was asked.
struct MisskeyDesk {
  let server = Server("birds.example")!
  let answering: Answering
  let source: MisskeySource

  init(_ answers: Response..., token: Secret? = nil) {
    answering = Answering(inTurn: answers)
    source = MisskeySource(
      server: server, token: token, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  func page(_ kind: Feed.Kind = .tag, _ value: String = "cats", after cursor: String? = nil, size: Int? = nil)
    async throws -> Page
  {
    let feed = Feed(source: .misskey, kind: kind, value: value, server: server)
    return try await source.page(of: feed, after: cursor.map { Cursor($0) }, size: size)
  }

  /// The first post of an answer with one note of these fields.
  static func item(_ fields: String) async throws -> PageItem {
    let note = #"{"id":"9z1","createdAt":"2026-11-20T09:00:00.000Z"\#(fields)}"#
    return try #require(try await MisskeyDesk(Response("[\(note)]")).page().items.first)
  }

  /// The bodies of the requests, their members in the order of their names.
  var bodies: [String] {
    answering.requests.map { request in
      let object = request.body.flatMap { try? JSONSerialization.jsonObject(with: Data($0)) }
      let data = object.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
      return String(decoding: data ?? Data(), as: UTF8.self)
    }
  }

  var paths: [String] { answering.requests.map { $0.url.replacing("https://birds.example/api/", with: "") } }
}
