import FoundationEssentials
import HTTP
import Posts
import ScriptedOrigin
import Services
import Testing

@testable import Harvest

/// What is read of a stream, whatever its server does.
struct StreamReadingTests {
  private static let goal: Int64 = 1_795_000_000_000_000
  private static let start = goal - 60_000_000

  /// An event of Jetstream, `seconds` before the moment at which the reading began.
  private static func event(
    _ key: String, _ seconds: Double, tag: String? = "cats", operation: String = "create"
  ) -> [UInt8] {
    let facets = tag.map {
      #""facets":[{"index":{"byteStart":0,"byteEnd":5},"features":[{"$type":"app.bsky.richtext.facet#tag","tag":"\#($0)"}]}]"#
    }
    let record =
      operation == "delete"
      ? "" : #","record":{"text":"a post","createdAt":"2026-11-18T00:00:00Z"\#(facets.map { ",\($0)" } ?? "")}"#
    return WebSocketBytes.text(
      """
      {"did":"did:plc:aaaaaaaaaaaaaaaaaaaaaaaa","time_us":\(goal - Int64(seconds * 1e6)),"kind":"commit","commit":{"rev":"1",
      "operation":"\(operation)","collection":"app.bsky.feed.post","rkey":"\(key)"\(record)}}
      """)
  }

  private static func uri(_ key: String) -> String { "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/\(key)" }

  private func reading(
    _ server: RawServer, bytes: Int = 1 << 30, silence: Duration = .seconds(1)
  ) throws -> StreamReading {
    let stream = try #require(Catalogue.entry(.bluesky)?.stream)
    let session = Session(agent: "test", environment: [:])
    let time = TimeSource(
      now: { Date(timeIntervalSince1970: 1_795_000_000) }, sleep: { _ in }, chance: { 0 })
    var bounds = TagStream.Bounds()
    (bounds.bytes, bounds.silence) = (bytes, silence)
    let here = try #require(Server(server.url))
    return StreamReading(
      from: Self.start, to: Self.goal, of: stream, wanting: ["cats"], bounds: bounds, time: time
    ) { cursor throws(WebSocketError) in
      try session.webSocket(Request(.get, stream.address(here, cursor)))
    }
  }

  private func server(_ connections: [UInt8]..., closing: Bool = true) throws -> RawServer {
    try RawServer(
      connections.map { frames in
        [.answer { WebSocketBytes.upgraded($0, frames + (closing ? WebSocketBytes.frame(8, []) : [])) }]
      })
  }

  @Test func `what is tagged and what changed is told once, until the reading has caught up`() throws {
    let server = try server(
      Self.event("3a", 50) + Self.event("3b", 40, tag: "dogs") + Self.event("3c", 40, tag: nil)
        + Self.event("3d", 30, operation: "delete") + Self.event("3e", 20, tag: "CATS") + Self.event("3a", 50)
        + Self.event("3f", 10, operation: "update") + Self.event("3g", -1) + Self.event("3h", -2))
    let batch = try reading(server).next()
    #expect(batch.written == ["3a", "3e", "3g"].map(Self.uri))
    #expect(batch.changed == ["3d", "3f"].map(Self.uri))
    #expect((batch.events, batch.end) == (8, .caughtUp))
    #expect((batch.first, batch.last) == (Self.goal - 50_000_000, Self.goal))
    #expect(
      server.heads.first?.hasPrefix(
        "GET /subscribe?wantedCollections=app.bsky.feed.post&maxMessageSizeBytes=1000000&cursor=\(Self.start) HTTP/1.1\r\n"
      ) == true)
  }

  @Test func `a server that stops is asked again from where it was`() throws {
    let server = try server(Self.event("3a", 50), Self.event("3a", 50) + Self.event("3b", 0))
    let reading = try reading(server)
    let (one, two) = (try reading.next(), try reading.next())
    #expect((one.written, one.end) == ([Self.uri("3a")], nil))
    #expect((two.written, two.end) == ([Self.uri("3b")], .caughtUp))
    #expect(server.heads.last?.contains("cursor=\(Self.goal - 50_000_000) ") == true)
  }

  @Test func `a server that ends at once is an error, and one that says nothing an end`() throws {
    let (closing, silent) = (try server([]), try server([], closing: false))
    #expect(throws: WebSocketError.transport(.cut(host: ""))) { try reading(closing).next() }
    #expect(try reading(silent, silence: .milliseconds(10)).next().end == .silent)
    // A server that nothing holds any more answers nobody.
    for server in [closing, silent] { server.stop() }
  }

  @Test func `what is no event, or of another time, moves nothing`() throws {
    let server = try server(
      WebSocketBytes.text("{") + WebSocketBytes.text("[]") + WebSocketBytes.text(#"{"time_us":"x"}"#)
        + WebSocketBytes.text(#"{"time_us":1e300,"commit":7}"#) + WebSocketBytes.frame(2, [0, 1])
        + Self.event("3a", 61) + Self.event("3b", -86_400) + Self.event("../x y", 30)
        + Self.event("3c", 20) + Self.event("3d", 40) + Self.event("3e", 0))
    let batch = try reading(server).next()
    // It goes back, and what it then says counts; the position stays.
    #expect(batch.written == ["3c", "3d", "3e"].map(Self.uri))
    #expect((batch.first, batch.end) == (Self.goal - 30_000_000, .caughtUp))
  }

  @Test func `a flood ends at the bound`() throws {
    let event = Self.event("3a", 30)
    let flood = try RawServer([[.answer { WebSocketBytes.upgraded($0, (0..<5_000).flatMap { _ in event }) }]])
    let batch = try reading(flood, bytes: 100_000).next()
    #expect(batch.end == .bounded && batch.written == [Self.uri("3a")])
    #expect(batch.bytes < 400_000)
  }

  @Test func `a batch is bounded, and the next one goes on`() throws {
    let server = try server((0..<60).flatMap { Self.event("3key\($0)", 30) } + Self.event("3z", 0))
    let reading = try reading(server)
    let batches = try (0..<3).map { _ in try reading.next() }
    #expect(batches.map(\.written.count) == [25, 25, 11])
    #expect(batches.map(\.end) == [nil, nil, .caughtUp])
  }
}
