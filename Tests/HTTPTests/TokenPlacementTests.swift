import HTTP
import ScriptedOrigin
import Testing

/// A token in the query goes only to the original origin and appears nowhere else.
@Suite struct TokenPlaceTests {
  private let transport = session().transport
  private let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

  private func redirect(to target: String) -> [UInt8] {
    Array("HTTP/1.1 302 Elsewhere\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n".utf8)
  }

  private func request(_ url: String, _ redirects: Request.Redirects = .sameOrigin) -> Request {
    var request = Request(.get, url, token: Secret("t0ken/1.a-longer"), redirects: redirects)
    request.tokenPlacement = .query(fields: ["access_token"])
    return request
  }

  private func line(_ head: String?) -> String { head?.components(separatedBy: "\r\n").first ?? "" }

  @Test func `it is added to the query when the request is sent, and is in no header and no answer`() async throws {
    for (path, sent) in [
      ("/here", "/here?access_token=t0ken%2F1.a-longer"), ("/here?a=1", "/here?a=1&access_token=t0ken%2F1.a-longer"),
      ("/here?access_token=other#x", "/here?access_token=t0ken%2F1.a-longer"),
    ] {
      let server = try RawServer([[.say(ok)]])
      let answer = try await transport.send(request(server.url + path))
      #expect(line(server.heads.first) == "GET \(sent) HTTP/1.1")
      #expect(server.heads.first?.contains("Authorization") == false)
      #expect(answer.url == server.url + path)
    }
  }

  @Test func `it is sent in each field that carries it`() async throws {
    let server = try RawServer([[.say(ok)]])
    var request = request("\(server.url)/debug?input_token=t0ken%2F1.a-longer&a=1")
    request.tokenPlacement = .query(fields: ["input_token", "access_token"])
    _ = try await transport.send(request)
    let sent = "/debug?a=1&input_token=t0ken%2F1.a-longer&access_token=t0ken%2F1.a-longer"
    #expect(line(server.heads.first) == "GET \(sent) HTTP/1.1")
  }

  @Test func `a request's description does not show it`() {
    let request = request("https://birds.example/here")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!"\(request)\(dumped)\(request.url)".contains("t0ken"))
    #expect(dumped.contains("access_token"))
  }

  @Test func `within the origin it is sent once, although the server repeats it`() async throws {
    let server = try RawServer([[.say(redirect(to: "/there?a=1&access_token=t0ken%2F1.a-longer&b=2")), .say(ok)]])
    let answer = try await transport.send(request("\(server.url)/here?a=1"))
    #expect(server.heads.map(line).last == "GET /there?a=1&b=2&access_token=t0ken%2F1.a-longer HTTP/1.1")
    #expect(answer.url == "\(server.url)/there?a=1&b=2")
  }

  @Test(arguments: [
    "access_token=t0ken%2F1.a-longer", "again=t0ken/1.a-longer", "x=1#t0ken/1.a-longer",
    "\u{301}a&access_token=t0ken%2F1.a-longer",
    "again=t0ken/1.a-longer\u{301}", "a&\u{301}=t0ken/1.a-longer",
  ])
  func `it is never sent to another host, although the server puts it into the redirect`(query: String) async throws {
    let other = try RawServer([[.say(ok)]])
    let server = try RawServer([[.say(redirect(to: "\(other.url)/there?\(query)"))]])
    _ = try await transport.send(request("\(server.url)/here", .anywhere))
    #expect(line(server.heads.first).contains("t0ken"))
    #expect(other.heads.count == 1)
    #expect(!other.heads[0].contains("t0ken"))
  }

  @Test func `a same-origin request refuses to leave its origin, and its error does not show the token`() async throws {
    let other = try RawServer([[.say(ok)]])
    for query in ["access_token=t0ken%2F1.a-longer", "\u{301}access_token=t0ken%2F1.a-longer"] {
      let server = try RawServer([[.say(redirect(to: "\(other.url)/there?\(query)"))]])
      await #expect(throws: TransportError.redirectRefused(to: "\(other.url)/there")) {
        try await transport.send(request(server.url))
      }
    }
    #expect(other.heads.isEmpty)
  }

  @Test func `with the scheme Basic it is sent as Basic credentials`() async throws {
    let server = try RawServer([[.say(ok)]])
    var request = Request(.get, server.url, token: Secret("a2V5OnNlY3JldA=="))
    request.tokenPlacement = .basic
    _ = try await transport.send(request)
    #expect(server.heads.first?.contains("Authorization: Basic a2V5OnNlY3JldA==\r\n") == true)
  }
}
