import Foundation
import HTTP
import ScriptedOrigin
import Testing

@Suite struct RedirectTests {
  let transport = session().transport
  let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

  private func redirect(to target: String, status: Int = 302) -> [UInt8] {
    Array("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(target)\r\nContent-Length: 4\r\n\r\ngone".utf8)
  }

  private func fault(_ request: Request) async -> TransportError? {
    await failure { () throws(TransportError) in try await transport.send(request) }
  }

  @Test func `within an origin a redirect is followed and the token goes along`() async throws {
    let server = try RawServer([[.say(redirect(to: "/there?a=1")), .say(ok)]])
    let answer = try await transport.send(Request(.get, "\(server.url)/here", token: Secret("t0ken")))
    #expect(answer.status == 200)
    #expect(answer.url == "\(server.url)/there?a=1")
    #expect(answer.body == Array("ok".utf8))
    #expect(server.heads.map { $0.contains("Authorization: Bearer t0ken") } == [true, true])
  }

  @Test func `a same-origin request refuses to leave its origin`() async throws {
    let other = try RawServer([[.say(ok)]])
    let server = try RawServer([[.say(redirect(to: "\(other.url)/there?access_token=t0ken#t0ken"))]])
    let error = await fault(Request(.get, server.url, token: Secret("t0ken")))
    #expect(error == .redirectRefused(to: "\(other.url)/there"))
    #expect(other.heads.isEmpty)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a request without redirects returns the redirect as its answer`(status: Int) async throws {
    let server = try RawServer([[.say(redirect(to: "/there", status: status))]])
    let answer = try await transport.send(Request(.get, server.url, redirects: .nowhere(isUserChosen: false)))
    #expect((answer.status, answer.headers["Location"]) == (status, "/there"))
    #expect(answer.body == Array("gone".utf8))
    #expect(server.heads.count == 1)
  }

  @Test func `no credentials leave their origin, not even to come back`() async throws {
    let other = try RawServer([[.say(ok)]])
    let server = try RawServer([[.say(redirect(to: other.url))]])
    let request = Request(
      .get, server.url, headers: ["Authorization": "Basic eA==", "cookie": "s=1", "X-Kept": "1"],
      token: Secret("t0ken"), redirects: .anywhere)
    #expect(try await transport.send(request).status == 200)
    #expect(server.heads[0].contains("t0ken"))
    #expect(!other.heads[0].lowercased().contains("authorization"))
    #expect(!other.heads[0].lowercased().contains("cookie"))
    #expect(other.heads[0].contains("X-Kept: 1"))
  }

  @Test(arguments: ["", "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "http://u:p@127.0.0.1/"])
  func `a redirect to anything but a plain http or https URL leads nowhere`(target: String) async throws {
    let server = try RawServer([[.say(redirect(to: target))]])
    #expect(await fault(Request(.get, server.url, redirects: .anywhere)) == .redirectInvalid)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `twenty hops are followed and one more is not`(status: Int) async throws {
    let hops = (1...21).map { RawServer.Act.say(redirect(to: "/hop\($0)", status: status)) }
    let fine = try RawServer([hops.prefix(20) + [.say(ok)]])
    #expect(try await transport.send(Request(.get, fine.url)).status == 200)
    let long = try RawServer([hops + [.say(ok)]])
    #expect(await fault(Request(.get, long.url)) == .tooManyRedirects)
    #expect(long.heads.count == 21)
  }

  @Test func `a loop is found by its addresses, and said as such`() async throws {
    let turns = ["/a", "/b", "/a"].map { RawServer.Act.say(redirect(to: $0)) }
    let server = try RawServer([turns + [.say(ok)]])
    #expect(await fault(Request(.get, "\(server.url)/start")) == .redirectLoop)
    #expect(server.heads.count == 3)
  }

  @Test func `a cookie that a hop sets goes along, so that the same address may come again, and ends with the chain`()
    async throws
  {
    let gate = Array(
      "HTTP/1.1 302 Gate\r\nLocation: /in\r\nSet-Cookie: seen=yes; Path=/; HttpOnly\r\nContent-Length: 0\r\n\r\n".utf8)
    let server = try RawServer([[.say(gate), .say(ok), .say(ok)]])
    #expect(try await transport.send(Request(.get, "\(server.url)/in")).status == 200)
    #expect(try await transport.send(Request(.get, "\(server.url)/in")).status == 200)
    #expect(server.heads.map { $0.contains("Cookie: seen=yes\r\n") } == [false, true, false])
  }

  @Test func `a POST is not redirected: its answer is the redirect`() async throws {
    let server = try RawServer([[.say(redirect(to: "/there")), .say(ok)]])
    let answer = try await transport.send(.form("\(server.url)/here", [("a", "b")]))
    #expect(answer.status == 302)
    #expect(server.heads.count == 1)
  }

  @Test func `the body of a redirect never reaches the sink`() async throws {
    let server = try RawServer([[.say(redirect(to: "/there")), .say(ok)]])
    let sink = TestSink()
    let answer = try await transport.download(Request(.get, server.url, redirects: .anywhere), sink)
    #expect(answer.status == 200)
    #expect(sink.heads == [200])
    #expect(sink.bytes == Array("ok".utf8))
  }

  @Test func `a redirected download frees the slot that it had`() async throws {
    let session = HTTPTests.session(.init(downloads: 2, downloadsPerHost: 1))
    let other = try RawServer([[.say(ok), .say(ok), .say(ok)]])
    let away = RawServer.Act.say(redirect(to: "\(other.url.replacing("127.0.0.1", with: "localhost"))/"))
    let server = try RawServer([[away, away, away]])
    for _ in 0..<3 {
      let request = Request(.get, server.url, patience: .seconds(5), redirects: .anywhere)
      #expect(try await session.transport.download(request, TestSink()).status == 200)
    }
  }

  /// Calls `work` with a session that has a login for 127.0.0.1 in `.netrc`.
  private func withNetrc(_ work: (Transport) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("netrc-\(UUID().uuidString)")
    try "machine 127.0.0.1 login me password word\n".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let session = Session(agent: "media/test", environment: ["NETRC": file.path])
    try await work(session.transport)
    await session.shutdown()
  }

  @Test func `netrc is used for a same-origin GET, including its redirects`() async throws {
    try await withNetrc { transport in
      let server = try RawServer([[.say(redirect(to: "/there")), .say(ok)]])
      #expect(try await transport.send(Request(.get, server.url)).status == 200)
      #expect(server.heads.map { $0.contains("Authorization: Basic bWU6d29yZA==\r\n") } == [true, true])
    }
  }

  @Test func `a GET without redirects uses netrc if a person chose its URL`() async throws {
    try await withNetrc { transport in
      let server = try RawServer([[.say(redirect(to: "/there")), .say(ok)]])
      _ = try await transport.send(Request(.get, server.url, redirects: .nowhere(isUserChosen: true)))
      _ = try await transport.send(Request(.get, server.url, redirects: .nowhere(isUserChosen: false)))
      #expect(server.heads.map { $0.contains("Authorization: Basic") } == [true, false])
    }
  }

  @Test func `a request with a token or an Authorization field does not use netrc`() async throws {
    try await withNetrc { transport in
      let server = try RawServer([[.say(ok), .say(ok)]])
      _ = try await transport.send(Request(.get, server.url, token: Secret("t0ken")))
      _ = try await transport.send(Request(.get, server.url, headers: ["authorization": "Own"]))
      #expect(server.heads[0].contains("Authorization: Bearer t0ken\r\n"))
      #expect(server.heads[1].contains("authorization: Own\r\n"))
      #expect(!server.heads.contains { $0.contains("Basic") })
    }
  }

  @Test func `downloads, POSTs and requests with redirects to anywhere never use netrc`() async throws {
    try await withNetrc { transport in
      let server = try RawServer([[.say(ok), .say(ok), .say(redirect(to: "/there")), .say(ok)], [.say(ok)]])
      _ = try await transport.download(Request(.get, server.url), TestSink())
      _ = try await transport.download(Request(.get, server.url, redirects: .anywhere), TestSink())
      _ = try await transport.send(Request(.get, server.url, redirects: .anywhere))
      _ = try await transport.send(Request(.post, server.url, body: []))
      #expect(server.heads.count == 5)
      #expect(!server.heads.contains { $0.contains("uthorization") })
    }
  }
}
