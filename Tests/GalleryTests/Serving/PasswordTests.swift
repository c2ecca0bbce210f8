import Folders
import Foundation
import HTTP
import MediaLibrary
import Testing

@testable import Gallery

@Suite(.timeLimit(.minutes(5))) struct PasswordTests {
  private static let proxied = GalleryServer.Options(hosts: ["gallery.example"], isBehindProxy: true)
  private static let secure = ["Host: gallery.example", "X-Forwarded-Proto: https"]

  private func form(
    _ gallery: ServedGallery, _ body: String, from address: String = "203.0.113.5",
    lines: [String] = ["Origin: https://gallery.example", "Sec-Fetch-Site: same-origin"]
  ) async throws -> RawAnswer {
    try await gallery.send(
      "POST /sign-in HTTP/1.1",
      Self.secure + ["X-Forwarded-For: \(address)", "Content-Length: \(body.utf8.count)"] + lines, body: body)
  }

  @Test func `a browser on the network signs in by password, with a cookie for TLS alone`() async throws {
    try await withGallery(Self.proxied) { gallery in
      let page = try await gallery.send("GET /post/1?q=a HTTP/1.1", Self.secure)
      #expect(page.status == 401)
      #expect(page.body.contains(#"<form class="card" method="post" action="/sign-in">"#))
      #expect(page.body.contains(#"name="to" value="/post/1?q=a""#))
      #expect(page["referrer-policy"] == "same-origin")
      let answer = try await form(gallery, "password=correct+horse&to=%2Fpost%2F1%3Fq%3Da")
      #expect(answer.status == 303)
      #expect(answer["location"] == "/post/1?q=a")
      let cookie = try #require(answer["set-cookie"])
      #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Secure"))
      let pair = try #require(cookie.split(separator: ";").first)
      #expect(try await gallery.send("GET / HTTP/1.1", Self.secure + ["Cookie: \(pair)"]).status == 200)
    }
  }

  @Test func `the form leads nowhere but into the gallery`() async throws {
    try await withGallery(Self.proxied) { gallery in
      for target in ["https://evil.example", "//evil.example", "/\\evil.example", "/%0d%0aX: y", ""] {
        let encoded = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await form(gallery, "password=correct+horse&to=\(encoded)")
        #expect(answer["location"] == "/", "\(target)")
      }
    }
  }

  @Test func `the form counts only from a page of the gallery`() async throws {
    try await withGallery(Self.proxied) { gallery in
      for lines in [
        [], ["Origin: null"], ["Origin: https://evil.example"], ["Origin: http://gallery.example"],
        ["Origin: https://gallery.example", "Sec-Fetch-Site: cross-site"],
        ["Origin: https://gallery.example", "Sec-Fetch-Site: same-site"],
      ] {
        let answer = try await form(gallery, "password=correct+horse", lines: lines)
        #expect(answer.status == 403, "\(lines)")
      }
      #expect(try await form(gallery, String(repeating: "a", count: 20_000)).status == 413)
    }
  }

  @Test func `wrong passwords are slowed, for an address and for all, and a right one is not`() async throws {
    try await withGallery(Self.proxied) { gallery in
      for _ in 1...3 { #expect(try await form(gallery, "password=wrong").status == 401) }
      let slowed = try await form(gallery, "password=correct+horse")
      #expect(slowed.status == 429)
      #expect(slowed["retry-after"] == "1")
      #expect(try await form(gallery, "password=correct+horse", from: "203.0.113.6").status == 303)
      gallery.clock.pass(1)
      #expect(try await form(gallery, "password=correct+horse").status == 303)
      // What a browser says before the proxy's own word does not count.
      for number in 1...3 {
        #expect(try await form(gallery, "password=wrong", from: "10.0.0.\(number), 203.0.113.9").status == 401)
      }
      #expect(try await form(gallery, "password=wrong", from: "10.0.0.9, 203.0.113.9").status == 429)
    }
  }

  @Test func `each wrong guess doubles the wait, up to five minutes, and all addresses share thirty a minute`() {
    var limits = GuessLimits()
    var now = Date(timeIntervalSince1970: 0)
    var waits: [TimeInterval] = []
    for _ in 1...14 {
      if let wait = limits.admit("203.0.113.5", at: now) {
        waits.append(wait)
        now += wait
        #expect(limits.admit("203.0.113.5", at: now) == nil)
      }
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    now += GuessLimits.memory
    #expect(limits.admit("203.0.113.5", at: now) == nil)
    for number in 2...GuessLimits.passwordsPerMinute { #expect(limits.admit("198.51.100.\(number)", at: now) == nil) }
    #expect(limits.admit("192.0.2.1", at: now) == 60)
    // Somebody with one address of IPv6 has all of its network's.
    now += 3600
    for number in 1...3 { #expect(limits.admit("2001:db8::\(number)", at: now) == nil) }
    #expect(limits.admit("2001:db8::4", at: now) == 1)
    #expect(limits.admit("2001:db8:0:1::4", at: now) == nil)
  }

  @Test func `a peer is told from others in every form of its address`() {
    #expect(PeerNetwork.of("203.0.113.5:4711") == "203.0.113.5")
    #expect(PeerNetwork.of("::ffff:203.0.113.5") == "203.0.113.5")
    #expect(PeerNetwork.of("::ffff:cb00:7105") == "203.0.113.5")
    #expect(PeerNetwork.of("[2001:db8::1]:4711") == PeerNetwork.of("2001:db8::ffff:1"))
    #expect(PeerNetwork.of("2001:db8::1") != PeerNetwork.of("2001:db8:0:1::1"))
    // Those of IPv4 at a socket of both: one's guesses are not another's.
    var limits = GuessLimits()
    let now = Date(timeIntervalSince1970: 0)
    for _ in 1...3 { #expect(limits.admit("::ffff:203.0.113.5", at: now) == nil) }
    #expect(limits.admit("::ffff:203.0.113.5", at: now) == 1)
    #expect(limits.admit("::ffff:203.0.113.6", at: now) == nil)
  }

  @Test func `one peer that guesses without end leaves others their guesses`() {
    var limits = GuessLimits()
    for second in 0..<3_600 {
      let now = Date(timeIntervalSince1970: TimeInterval(second))
      _ = limits.admit("203.0.113.5", at: now)
      if second % 60 == 59 { #expect(limits.admit("198.51.100.\(second / 60)", at: now) == nil) }
    }
  }

  @Test func `a password is kept as scrypt makes it`() {
    // RFC 7914, 12.
    let key = PasswordHash.key("pleaseletmein", Array("SodiumChloride".utf8), 16_384, 8, 1)
    let expected = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
    #expect(key?.map { String(format: "%02x", $0) }.joined() == expected)
    let hash = PasswordHash("correct horse", salt: [1, 2, 3])
    #expect(hash.matches("correct horse"))
    #expect(!hash.matches("correct horsf"))
    #expect(!hash.matches(""))
  }

  @Test func `a new password signs every browser out`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      #expect(try await gallery.get("/", cookie).status == 200)
      let other = SignIns(folder: gallery.configuration, now: { gallery.clock.now })
      try await other.setPassword("another horse")
      #expect(try await gallery.get("/", cookie).status == 401)
      await #expect(throws: GalleryError.unfitPassword(.short)) { try await other.setPassword("1234567") }
    }
  }

  @Test func `at the loopback address nobody signs in by password`() async throws {
    try await withGallery { gallery in
      try await gallery.signIns.setPassword("correct horse")
      let page = try await gallery.get("/")
      #expect(!page.body.contains("<form"))
      let answer = try await gallery.post(
        "/sign-in", "password=correct+horse", type: "application/x-www-form-urlencoded")
      #expect(answer.status == 404)
    }
  }

  @Test func `others can reach the gallery only if a password is set`() async throws {
    let scratch = try Scratch()
    let library = try Library(in: "\(scratch.path)/library")
    defer { library.close() }
    for options in [Self.proxied, .init(address: "0.0.0.0")] {
      let server = GalleryServer(
        options: options, library: library, derivatives: testDerivatives(of: library),
        signIns: SignIns(folder: "\(scratch.path)/config", now: { Date() }),
        now: { Date() }, pause: instantPause)
      await #expect(throws: GalleryError.noPassword) { try await server.run { _, _ in Issue.record("it listens") } }
    }
  }
}
