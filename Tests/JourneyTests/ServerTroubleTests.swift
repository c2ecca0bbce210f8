import Foundation
import ScriptedOrigin
import Testing

/// Exit codes at faulty servers: 65, 69, 75, 77 and 1.
@Suite(.timeLimit(.minutes(10))) struct ServerTroubleTests {
  /// A pull of two pages from an origin with one fault, and the library's content afterwards.
  private func pull(
    _ script: Script, _ sandbox: Sandbox? = nil, _ check: @Sendable (Ended, Int, Origin) throws -> Void
  ) async throws {
    try await withOrigin(script) { origin in
      let sandbox = try sandbox ?? Sandbox()
      let ended = try await sandbox.media(
        "tag", "cats", "--pages", "2", "--json", "--no-avatars", "--server", origin.url)
      #expect(try ended.object()["feed"] as? String == "tag:cats@\(origin.url)")
      try check(ended, try await sandbox.media("list", "--json", "--limit", "500").lines.count, origin)
    }
  }

  @Test func `a web page in place of posts ends with 65, and the page before it stays`() async throws {
    try await pull(Script(posts: 60, troubles: [.nth(2, "/api/v1/timelines", .html)])) { ended, held, origin in
      expect(ended, fails: 65, saying: origin.url, "it is a web page", "check that the address", output: true)
      #expect(held == 40)
    }
  }

  @Test func `a next page on another host ends with 65`() async throws {
    let trouble = Trouble.every("/api/v1/timelines", .foreignLink("https://evil.example"))
    try await pull(Script(posts: 60, troubles: [trouble])) { ended, held, origin in
      expect(ended, fails: 65, saying: "another server", output: true)
      #expect(!ended.errors.contains("evil.example"))
      #expect(held == 40)
    }
  }

  @Test func `a closed port ends with 69`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("tag", "cats", "--server", "http://127.0.0.1:9")
    expect(ended, fails: 69, saying: "http://127.0.0.1:9 cannot be reached", "check the address", output: true)
  }

  @Test func `a tag the server does not know ends with 69`() async throws {
    var script = Script(tag: "dogs")
    script.unknownTagIsMissing = true
    try await pull(script) { ended, held, origin in
      expect(ended, fails: 69, saying: "has no tag cats", "check how it is spelt", output: true)
      #expect(held == 0)
    }
  }

  @Test func `a server that goes on failing ends with 69 after four tries`() async throws {
    let trouble = Trouble.every("/api/v1/timelines", .status(503, headers: ["Retry-After": "0"], body: "<p>oh</p>"))
    try await pull(Script(posts: 60, troubles: [trouble])) { ended, held, origin in
      expect(ended, fails: 69, saying: "fails (status 503)", "try again later", output: true)
      #expect(!ended.errors.contains("<p>"))
      #expect(origin.requests(to: "/api/v1/timelines").count == 4)
      let summary = try ended.object()
      #expect(summary["requests"] as? Int == 4)
    }
  }

  @Test func `a rate limit beyond patience ends with 75 and says until when`() async throws {
    let trouble = Trouble.nth(2, "/api/v1/timelines", .status(429, headers: ["Retry-After": "86000"]))
    try await pull(Script(posts: 60, troubles: [trouble])) { ended, held, origin in
      expect(ended, fails: 75, saying: "takes no more requests until ", "try again then", output: true)
      #expect(held == 40)
      #expect(origin.requests(to: "/api/v1/timelines").count == 2)
    }
  }

  @Test func `a wait within patience is waited, and the pull ends well`() async throws {
    let trouble = Trouble.nth(2, "/api/v1/timelines", .status(429, headers: ["Retry-After": "1"]))
    try await pull(Script(posts: 60, troubles: [trouble])) { ended, held, origin in
      #expect(ended.status == 0)
      #expect(ended.errors.contains("asks for a pause until "))
      #expect(held == 60)
      let summary = try ended.object()
      #expect(summary["requests"] as? Int == 3)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a protection that refuses the program ends with 69, and nobody is to log in`() async throws {
    let page = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>"
    let trouble = Trouble.every(
      "/api/v1/timelines",
      .status(403, headers: ["Content-Type": "text/html", "cf-mitigated": "challenge"], body: page))
    try await pull(Script(posts: 5, troubles: [trouble])) { ended, held, origin in
      expect(
        ended, fails: 69, saying: "\(origin.url)'s protection refused this program", "user-agent, referer or cookies",
        output: true)
      #expect(!ended.errors.contains("login"))
      #expect(origin.requests(to: "/api/v1/timelines").count == 1)
    }
  }

  @Test(arguments: [401, 403, 422])
  func `a timeline for people who are logged in ends with 77 and the login to type`(status: Int) async throws {
    var script = Script(posts: 5)
    (script.requiresToken, script.refusal) = (true, status)
    try await pull(script) { ended, held, origin in
      expect(ended, fails: 77, saying: "run \"media login \(origin.url)\"", output: true)
    }
  }

  @Test func `a token that is no longer accepted ends with 77`() async throws {
    var script = Script(posts: 5)
    script.requiresToken = true
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let login = try await sandbox.media("login", origin.url, "--token-stdin", input: "scripted-token\n")
      #expect(login.status == 0, "\(login.errors)")
      #expect(try await sandbox.media("tag", "cats", "--json").object()["posts", "new"] == 5)
      origin.refuse(token: "scripted-token")
      expect(
        try await sandbox.media("tag", "cats"), fails: 77, saying: "refused the token",
        "media login \(origin.url)", output: true)
      let secrets = try Secrets(in: sandbox)
      #expect(secrets.count == 1)
      #expect(try secrets.leaks().isEmpty)
    }
  }

  @Test func `a code that nobody gave ends the login with 77, and it can go on later`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let sandbox = try Sandbox()
      let waits = try await sandbox.media("login", origin.url, "--no-browser")
      expect(waits, fails: 77, saying: "media login \(origin.url) --code CODE", output: true)
      let wrong = try await sandbox.media("login", origin.url, "--code", "wrong-code")
      expect(wrong, fails: 77, saying: "refused the code", "media login \(origin.url)")
      let begun = try await sandbox.media("login", origin.url, "--no-browser")
      let code = try origin.approve(try #require(begun.lines.first))
      let ended = try await sandbox.media("login", origin.url, "--code", code)
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }

  @Test func `a code may begin with a hyphen, and a blank line before it is passed over`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let sandbox = try Sandbox()
      _ = try await sandbox.media("login", origin.url, "--no-browser")
      let wrong = try await sandbox.media("login", origin.url, "--code", "-Tix0")
      expect(wrong, fails: 77, saying: "refused the code")
      let login = try sandbox.begin("login", origin.url, "--no-browser")
      let page = try await login.line(origin.url)
      login.type("\n  \n" + (try origin.approve(page)) + "\n")
      #expect(try await login.end().status == 0)
    }
  }

  @Test func `a server without registration ends the login with 69 and the ways that are left`() async throws {
    var script = Script(posts: 1)
    script.oauth = false
    let words = "{\"uri\":\"closed.example\",\"version\":\"4.5.0\"}"
    script.troubles = [.every("/api/v1/instance", .status(200, body: words))]
    try await withOrigin(script) { origin in
      let login = try await Sandbox().media("login", origin.url, "--no-browser")
      expect(login, fails: 69, saying: "--client-id ID --client-secret-stdin", "--token-stdin")
    }
  }

  @Test func `a server of old, without discovery and PKCE, is logged in to`() async throws {
    var script = Script(posts: 1)
    (script.discovery, script.instance) = (false, false)
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let login = try sandbox.begin("login", origin.url, "--no-browser")
      let page = try await login.line(origin.url)
      #expect(!page.contains("code_challenge"))
      login.type(try origin.approve(page) + "\n")
      #expect(try await login.end().status == 0)
      #expect(try await sandbox.media("accounts", "--json").lines.count == 1)
    }
  }

  @Test func `a server that is gone cannot revoke: the login is removed here, and a message says so`() async throws {
    let sandbox = try Sandbox()
    try await withOrigin(Script(posts: 1)) { origin in
      let begun = try await sandbox.media("login", origin.url, "--no-browser")
      let code = try origin.approve(try #require(begun.lines.first))
      #expect(try await sandbox.media("login", "--code", code).status == 0)
    }
    let secrets = try Secrets(in: sandbox)
    let ended = try await sandbox.media("logout")
    #expect((ended.status, ended.output) == (0, ""))
    #expect(ended.errors.contains("revoke it in your settings there"))
    #expect(try await sandbox.media("accounts", "--json").output.isEmpty)
    #expect(try secrets.leaks().isEmpty)
  }

  @Test func `an address that is not such a server ends the login with 69`() async throws {
    try await withOrigin(Script(troubles: [.every("/", .html)])) { origin in
      let login = try await Sandbox().media("login", origin.url, "--no-browser")
      #expect([65, 69].contains(login.status), "\(login.errors)")
      #expect(login.errors.hasPrefix("media: \(origin.url)") || login.errors.hasPrefix("media: the answer of"))
    }
  }

  @Test func `some pictures that cannot be had end with 1, each with its reason, and not again`() async throws {
    var script = Script(posts: 30)
    let lost = try #require(script.posts.first { !$0.attachments.isEmpty }?.attachments.first)
    script.troubles = [.every(lost.path, .status(404))]
    let sandbox = try Sandbox()
    try await withOrigin(script) { origin in
      let pull = ["tag", "cats", "--json", "--server", origin.url]
      let ended = try await sandbox.run(pull)
      #expect(ended.status == 1)
      #expect(ended.errors.contains("\(origin.url)\(lost.path): the server answers 404"))
      #expect(try ended.object()["media", "failed"] == 1)
      #expect(try await sandbox.run(pull).status == 0)
      origin.change { $0.troubles = [] }
      #expect(try await sandbox.run(pull + ["--retry-failed"]).object()["media", "downloaded"] == 1)
    }
  }
}
