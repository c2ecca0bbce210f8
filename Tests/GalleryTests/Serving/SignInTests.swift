import Folders
import Foundation
import Synchronization
import Testing

@testable import Gallery

@Suite(.timeLimit(.minutes(5))) struct SignInTests {
  @Test func `a one-time address signs one browser in, once, and leaves no token in the address bar`() async throws {
    try await withGallery { gallery in
      let token = try await gallery.newToken()
      let answer = try await gallery.get("/?tag=birds&token=\(token)&q=king")
      #expect(answer.status == 303)
      #expect(answer["location"] == "/?tag=birds&q=king")
      let cookie = try #require(answer["set-cookie"])
      #expect(cookie.hasPrefix("media-\(gallery.port)="))
      #expect(cookie.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"))
      #expect(answer["referrer-policy"] == "no-referrer")

      let pair = try #require(cookie.split(separator: ";").first)
      let page = try await gallery.get("/", "Cookie: other=1; \(pair)")
      #expect(page.status == 200)
      #expect(page.body.contains(ServedGallery.secret))

      let again = try await gallery.get("/?token=\(token)")
      #expect(again.status == 401)
      #expect(again["set-cookie"] == nil)
      #expect(again.body.contains("was used before"))
      #expect(again.body.contains("media serve --new-address"))
      #expect(!again.body.contains(token))
    }
  }

  @Test func `without a sign-in, pages say what to do, and the API answers JSON`() async throws {
    try await withGallery { gallery in
      for target in ["/", "/post/1", "/?token=", "/blob/\(String(repeating: "a", count: 64))", "/nothing"] {
        let answer = try await gallery.get(target)
        #expect(answer.status == 401, "\(target)")
        #expect(answer.body.contains("media serve --new-address"))
        #expect(!answer.body.contains(ServedGallery.secret))
      }
      let answer = try await gallery.get("/api/list")
      #expect(answer.status == 401)
      #expect(answer.object["error"] as? String == "this browser is not signed in")
      #expect(try await gallery.post("/api/delete", #"{"ids":[1]}"#).status == 401)
      #expect(try await gallery.get("/assets/gallery.css").status == 200)
      #expect(try await gallery.get("/sign-in").status == 200)
    }
  }

  @Test func `a browser that is signed in leaves a one-time address to another one`() async throws {
    try await withGallery { gallery in
      let token = try await gallery.newToken()
      let answer = try await gallery.get("/?token=\(token)", try await gallery.cookie())
      #expect((answer.status, answer["set-cookie"]) == (303, nil))
      #expect(try await gallery.get("/?token=\(token)")["set-cookie"] != nil)
    }
  }

  @Test func `HEAD uses up no address`() async throws {
    try await withGallery { gallery in
      let token = try await gallery.newToken()
      #expect(try await gallery.send("HEAD /?token=\(token) HTTP/1.1", ["Host: \(gallery.host)"]).status == 401)
      #expect(try await gallery.get("/?token=\(token)").status == 303)
    }
  }

  @Test func `an address that a page or a file elsewhere leads to goes on from a page of the gallery's own`()
    async throws
  {
    try await withGallery { gallery in
      let answer = try await gallery.get(
        "/?q=a%22b&token=\(try await gallery.newToken())", "Sec-Fetch-Site: cross-site")
      #expect(answer.status == 200)
      #expect(answer["refresh"] == "0; url=/?q=a%22b")
      #expect(answer["set-cookie"] != nil)
    }
  }

  @Test func `a session lasts through a restart and for 30 days, at its own port`() async throws {
    let scratch = try Scratch()
    let clock = TestClock()
    let first = SignIns(folder: scratch.path, now: { clock.now })
    let token = try await first.newAddress(at: "").dropFirst("/?token=".count)
    let session = try #require(try await first.redeem(String(token), port: 8787))
    let second = SignIns(folder: scratch.path, now: { clock.now })
    #expect(try await second.isSignedIn([session], port: 8787))
    #expect(try await !second.isSignedIn([session], port: 8788))
    #expect(try await !second.isSignedIn([String(token)], port: 8787))
    clock.pass(30 * 86_400 - 1)
    #expect(try await second.isSignedIn([session], port: 8787))
    clock.pass(1)
    #expect(try await !second.isSignedIn([session], port: 8787))
  }

  @Test func `a one-time address is good for a day`() async throws {
    let scratch = try Scratch()
    let clock = TestClock()
    let signIns = SignIns(folder: scratch.path, now: { clock.now })
    let token = String(try await signIns.newAddress(at: "").dropFirst("/?token=".count))
    clock.pass(86_400)
    #expect(try await signIns.redeem(token, port: 1) == nil)
  }

  @Test func `an address that another process makes counts at once`() async throws {
    try await withGallery { gallery in
      #expect(try await gallery.get("/").status == 401)
      let other = SignIns(folder: gallery.configuration, now: { gallery.clock.now })
      let address = try await other.newAddress(at: "")
      #expect(try await gallery.get(address).status == 303)
    }
  }

  @Test func `the file has only hashes, and only its owner may read it`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let unused = try await gallery.newToken()
      let made = try await gallery.signIns.newReadToken(named: "my reader")
      try await gallery.signIns.setPassword("correct horse")
      let path = "\(gallery.configuration)/gallery.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let secrets = [String(cookie.split(separator: "=")[1]), unused, made.token, "correct horse"]
      #expect(secrets.allSatisfy { $0.count > 12 && !text.contains($0) })
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test func `a cookie of another port, a guessed one and an empty one sign nobody in`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let value = try #require(cookie.split(separator: "=").last)
      let name = "media-\(gallery.port)"
      for line in [
        "media-\(gallery.port + 1)=\(value)", "\(name)=", "\(name)=\(String(repeating: "A", count: 43))", name,
      ] {
        #expect(try await gallery.get("/", "Cookie: \(line)").status == 401, "\(line)")
      }
      // Another port's server can set a cookie of the same name: the right one still counts.
      #expect(try await gallery.get("/", "Cookie: \(name)=x; \(name)=\(value)").status == 200)
    }
  }

  @Test func `a wrong token waits, and holds up nobody else`() async throws {
    let waits = Mutex<[Duration]>([])
    let (stream, go) = AsyncStream.makeStream(of: Void.self)
    let pause: @Sendable (Duration) async throws -> Void = { wait in
      waits.withLock { $0.append(wait) }
      for await _ in stream { return }
    }
    try await withGallery(pause: pause) { gallery in
      async let wrong = gallery.get("/?token=guess")
      while waits.withLock(\.isEmpty) { await Task.yield() }
      let token = try await gallery.newToken()
      #expect(try await gallery.get("/?token=\(token)").status == 303)
      #expect(waits.withLock { $0 } == [.seconds(1)])
      go.yield()
      #expect(try await wrong.status == 401)
    }
  }

  @Test func `while the file of sign-ins cannot be read, nobody gets in or learns its path`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let path = "\(gallery.configuration)/gallery.json"
      let good = try Data(contentsOf: URL(filePath: path))
      for bad in ["{", "[]", #"{"version":99}"#, #"{"version":1,"sessions":7}"#] {
        try Data(bad.utf8).write(to: URL(filePath: path))
        let answer = try await gallery.get("/", cookie)
        #expect(answer.status == 503, "\(bad)")
        #expect(answer.body.contains("the file of sign-ins cannot be read"))
        #expect(!answer.body.contains(gallery.configuration))
      }
      try good.write(to: URL(filePath: path))
      #expect(try await gallery.get("/", cookie).status == 200)
      try FileManager.default.removeItem(atPath: path)
      #expect(try await gallery.get("/", cookie).status == 401)
    }
  }

  @Test func `a read token opens feeds alone, until it is revoked`() async throws {
    try await withGallery { gallery in
      let made = try await gallery.signIns.newReadToken(named: "my reader")
      // No route is there yet: 404 is what comes after the gate.
      let feed = "/feed/no-such-feed.unknown?token=\(made.token)"
      #expect(try await gallery.get(feed).status == 404)
      #expect(try await gallery.get("/?token=\(made.token)").status == 401)
      #expect(try await gallery.get("/api/list?token=\(made.token)").status == 401)
      #expect(try await gallery.get("/feed/x.atom?token=guess").status == 401)
      #expect(try await gallery.get("/feed/x.atom").status == 401)
      // The other way round, the token of a one-time address opens no feed.
      let token = try await gallery.newToken()
      #expect(try await gallery.get("/feed/x.atom?token=\(token)").status == 401)
      #expect(try await gallery.signIns.readTokens().map(\.name) == ["my reader"])
      #expect(try await gallery.signIns.revokeReadToken(made.record.id))
      #expect(try await !gallery.signIns.revokeReadToken(made.record.id))
      #expect(try await gallery.get(feed).status == 401)
    }
  }
}
