import Foundation
import HTTP
import ScriptedOrigin
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostOptionsTests {
  private let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

  private func session(_ hosts: [String: HostOptions]) -> Session {
    Session(agent: "media/test", hosts: hosts, environment: [:])
  }

  @Test func `a host gets its own User-Agent and Referer, other hosts the usual ones`() async throws {
    let (server, other) = (try RawServer([[.say(ok), .say(ok)]]), try RawServer([[.say(ok)]]))
    let port = try #require(server.url.split(separator: ":").last)
    let session = session(["127.0.0.1:\(port)": HostOptions(agent: "Browser/9", referer: "https://photo.example/")])
    for request in [Request(.get, server.url), Request(.get, server.url, headers: ["Referer": "https://own.example/"])]
    {
      _ = try await session.transport.send(request)
    }
    _ = try await session.transport.send(Request(.get, other.url))
    #expect(server.heads.allSatisfy { $0.contains("User-Agent: Browser/9\r\n") })
    #expect(server.heads.map { $0.contains("Referer: https://photo.example/\r\n") } == [true, false])
    #expect(other.heads[0].contains("User-Agent: media/test\r\n") && !other.heads[0].contains("Referer"))
  }

  @Test func `requests to a host keep its delay, one after another, and others do not wait`() async throws {
    let act = RawServer.Act.say(ok)
    let (server, other) = (try RawServer([[act], [act], [act]]), try RawServer([[act, act, act, act]]))
    let session = session(["127.0.0.1": HostOptions(delay: .milliseconds(300))])
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { _ = try await session.transport.send(Request(.get, server.url)) } }
      let url = other.url.replacing("127.0.0.1", with: "localhost")
      for _ in 0..<3 { _ = try await session.transport.send(Request(.get, url)) }
      try await group.waitForAll()
    }
    #expect(start.duration(to: .now) >= .milliseconds(600))
    #expect(server.heads.count == 3)
  }
}
