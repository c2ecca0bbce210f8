import ScriptedOrigin
import Testing

@testable import HTTP

/// Which URLs a stranger's link may lead to.
struct PrivateNetworkTests {
  private let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

  @Test(arguments: [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.168.1.1", "::1", "::", "[::1]", "fc00::1", "fdff::1", "fe80::1%eth0",
    "::ffff:127.0.0.1", "::ffff:c0a8:101", "::10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "localhost",
    "nas",
    "photos.LOCAL", "a.localhost.", "fritz.home.arpa",
  ])
  func `this machine and private networks are recognized`(host: String) { #expect(PrivateNetwork.holds(host)) }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.1.1.1", "128.0.0.1", "172.15.0.1",
    "172.32.0.1", "192.167.1.1", "192.169.1.1", "169.253.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101",
    "mastodon.social", "local.example", "10.example",
  ])
  func `the internet is not private`(host: String) { #expect(!PrivateNetwork.holds(host)) }

  private func download(_ url: String, referrer: String?, _ session: Session) async -> TransportError? {
    var request = Request(.get, url, redirects: .anywhere)
    request.referrer = referrer
    let copy = request
    return await failure { () throws(TransportError) in try await session.transport.download(copy, TestSink()) }
  }

  @Test func `a URL that a public server names leads into no private network, and no request is sent`() async throws {
    let server = try RawServer([[.say(ok)]])
    let error = await download("\(server.url)/a.jpg", referrer: "https://birds.example", session())
    #expect(error == .privateNetwork(host: "127.0.0.1"))
    #expect(server.heads.isEmpty)
  }

  @Test func `a URL that a person or a private server names may lead into a private network`() async throws {
    // On a busy machine minutes may lie between two requests, and libcurl then opens another connection.
    let server = try RawServer(Array(repeating: [.say(ok), .say(ok), .say(ok)], count: 3))
    let session = session()
    for referrer in [nil, server.url, "http://127.0.0.1:1"] {
      #expect(await download("\(server.url)/a.jpg", referrer: referrer, session) == nil)
    }
    #expect(server.heads.count == 3)
  }

  @Test func `a redirect may not lead from outside into a private network`() async throws {
    let inside = try RawServer([[.say(ok)]])
    let away = "HTTP/1.1 302 Found\r\nLocation: \(inside.url)/admin\r\nContent-Length: 0\r\n\r\n"
    let proxy = try RawServer([[.say(Array(away.utf8))], [.say(ok)]])
    let session = Session(agent: "media/test", environment: ["http_proxy": proxy.url, "no_proxy": "127.0.0.1"])
    let error = await download("http://pictures.example/a.jpg", referrer: "https://birds.example", session)
    #expect(error == .privateNetwork(host: "127.0.0.1"))
    #expect(inside.heads.isEmpty)
    #expect(proxy.heads.count == 1)
  }

  @Test func `a server that was public once stays public, wherever its name leads later`() {
    let neighbourhood = PrivateNetworkGuard()
    let address = { (text: String) in Curl.library.flatMap { Address(text, $0) } }
    guard let birds = address("https://birds.example"), let other = address("https://other.example") else {
      Issue.record("libcurl is missing")
      return
    }
    #expect(!neighbourhood.mayLeadToPrivateNetwork(birds, to: other))
    #expect(neighbourhood.mayLeadToPrivateNetwork(birds, to: birds))
    neighbourhood.note("birds.example", isPrivate: true)
    #expect(neighbourhood.mayLeadToPrivateNetwork(birds, to: other))
    neighbourhood.note("birds.example", isPrivate: false)
    neighbourhood.note("birds.example", isPrivate: true)
    #expect(!neighbourhood.mayLeadToPrivateNetwork(birds, to: other))
    // Its certificate identifies its own origin. Without one, the name may have been pointed anywhere by now.
    #expect(neighbourhood.mayLeadToPrivateNetwork(birds, to: birds))
    guard let plain = address("http://birds.example") else { return }
    #expect(!neighbourhood.mayLeadToPrivateNetwork(plain, to: plain))
  }
}
