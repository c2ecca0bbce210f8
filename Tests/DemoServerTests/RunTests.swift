import Foundation
import Testing

@testable import DemoServer

@Suite struct RunTests {
  @Test func `a taken port is said in words`() async throws {
    try await withDemo { client in
      let port = try #require(URL(string: client.base)?.port)
      let second = DemoServer(options: .init(port: port), now: { Clockwork.start }, pause: { _ in })
      await #expect(throws: DemoServerError.portTaken(port)) { try await second.run { _ in } }
    }
    #expect(
      DemoServerError.portTaken(80).description
        == "port 80 is taken by another program: give another one with --port, or 0 for any that is free"
    )
  }

  @Test func `posts arrive, change and go in a live demo`() async throws {
    let clock = Clockwork()
    try await withDemo(posts: 40, live: true, clock: clock) { client in
      let newest = "/api/v1/timelines/tag/demo?limit=40"
      let before = try await client.get(newest)
      let ids = before.ids.map { "id[]=\($0)" }
      let survey = "/api/v1/statuses?" + ids.prefix(20).joined(separator: "&")
      var seen: Set<String> = []
      for _ in 0..<400 where seen.count < 3 {
        clock.tick()
        let now = try await client.get(survey).list
        if try await client.get(newest + "&min_id=\(before.ids[0])").ids.count > 0 { seen.insert("new") }
        if now.count < 20 { seen.insert("gone") }
        if now.contains(where: { $0["edited_at"] is String }) { seen.insert("edited") }
      }
      #expect(seen == ["new", "gone", "edited"])
    }
  }

  @Test(arguments: [Dialect.mastodon, .bluesky])
  func `an idle connection does not keep the server up`(dialect: Dialect) async throws {
    var idle: RawConnection?
    try await withDemo(dialect: dialect) { client in
      idle = try RawConnection(to: client)
      _ = try await client.get("/")
    }
    let rest = try await idle?.rest()
    #expect(rest == "")
  }

  @Test func `a client of the stream that reads nothing does not keep the server up`() async throws {
    let clock = Clockwork()
    var reader: RawConnection?
    try await withDemo(dialect: .bluesky, clock: clock) { client in
      let connection = try RawConnection(to: client)
      connection.say(RawConnection.handshake())
      let answer = String(decoding: try await connection.next(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 101"), "\(answer)")
      // More than fits between the two. It goes on until nothing more is written.
      for _ in 0..<20_000 { clock.tick() }
      var pauses = -1
      while pauses != clock.pauses {
        pauses = clock.pauses
        _ = try await client.get("/")
      }
      reader = connection
    }
    // It throws if the connection is still there.
    _ = try await reader?.rest()
  }

  @Test func `the server is gone when its task is`() async throws {
    var base = ""
    try await withDemo { client in base = client.base }
    await #expect(throws: (any Error).self) { _ = try await Client(base: base).get("/") }
  }
}
