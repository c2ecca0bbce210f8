import Foundation
import ScriptedOrigin
import Testing

/// How commands end that a person got wrong: 64 and 78.
@Suite(.timeLimit(.minutes(2))) struct UsageTests {
  @Test(arguments: [
    (["tag", "cats", "--colour"], "--colour"), (["add", "ab"], "2 characters"), (["add", " a b\n"], "write 3"),
    (["tag", "cats", "--server", "a.example", "--since", "2026-02-30"], "--since 2026-02-30 is no time"),
    (["tag", "cats"], "no server is named"), (["tag", "cats", "--server", "a b"], "is no server"),
    (["tag", "cats", "--server", "a.example", "--source", "myspace"], "\"myspace\" is no source"),
    (["tag", "two words", "--server", "a.example"], "is no tag"), (["tag", "cats", "--pages", "0"], "--pages 0"),
    (["show", "4711"], "4711"), (["delete", "4711"], "4711"), (["restore", "4711"], "4711"),
    (["list", "--before", "4711"], "4711"), (["list", "--day", "yesterday"], "--day yesterday is no day"),
    (["list", "--limit", "0"], "--limit 0"), (["list", "--limit", "many"], "many"), (["settings", "colour"], "colour"),
    (["settings", "avatars", "perhaps"], "perhaps"), (["restore"], "--tag"), (["paint"], "paint"),
    (["add", "a bird", "--attach", "/nowhere.jpg"], "/nowhere.jpg"), (["add", "a bird", "--at", "soon"], "--at soon"),
    (["login"], "no server is named"), (["demo", "--posts", "-1"], "posts"),
  ])
  func `what is typed wrong ends with 64 and says what would be right`(arguments: [String], word: String) async throws {
    let house = try Household()
    expect(try await house.run(arguments), fails: 64, saying: word)
  }

  @Test func `an unknown number beside known ones leaves these deleted, with 1`() async throws {
    let house = try Household()
    try await house.media("add", "first bird")
    let ended = try await house.media("delete", "1", "99")
    expect(ended, fails: 1, saying: "99")
    #expect(try await house.media("list", "--json").output.isEmpty)
  }

  @Test func `a file of settings that does not parse ends with 78: file, line, reason`() async throws {
    let house = try Household()
    try house.configure("config.toml", "avatars = true\nrefresh = \n")
    expect(try await house.media("settings"), fails: 78, saying: "\(house.configuration)/config.toml:2: ")
    try house.configure("config.toml", "avatars = true\nrefersh = \"60s\"\n")
    expect(
      try await house.media("tag", "cats", "--server", "a.example"), fails: 78, saying: "config.toml:2: ", "refresh?")
  }

  @Test func `accounts that cannot be read end with 78, and the file is left as it is`() async throws {
    let house = try Household()
    try house.configure("accounts.json", "{\n  \"version\": 1,\n  \"accounts\": 7\n}", mode: 0o600)
    expect(try await house.media("accounts"), fails: 78, saying: "accounts.json:3: ", "log in again")
    expect(try await house.media("tag", "cats", "--server", "http://127.0.0.1:9"), fails: 78, saying: "accounts.json:3")
    let text = FileManager.default.contents(atPath: "\(house.configuration)/accounts.json")
    #expect(text.map { String(decoding: $0, as: UTF8.self).contains("\"accounts\": 7") } == true)
    try house.configure("accounts.json", "{}", mode: 0o644)
    expect(try await house.media("accounts"), fails: 78, saying: "chmod 600")
  }
}

/// How commands end when a server is not as it should be: 65, 69, 75, 77 and 1.
@Suite(.timeLimit(.minutes(2))) struct ServerTroubleTests {
  /// A pull of two pages from an origin with one trouble, and what the library holds afterwards.
  private func pull(
    _ script: Script, _ house: Household? = nil, _ check: @Sendable (Ended, Int, Origin) throws -> Void
  ) async throws {
    try await withOrigin(script) { origin in
      let house = try house ?? Household()
      let ended = try await house.media(
        "tag", "cats", "--pages", "2", "--json", "--no-avatars", "--server", origin.url)
      #expect(try ended.object()["feed"] as? String == "tag:cats@\(origin.url)")
      try check(ended, try await house.media("list", "--json", "--limit", "500").lines.count, origin)
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
    let house = try Household()
    let ended = try await house.media("tag", "cats", "--server", "http://127.0.0.1:9")
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
      let house = try Household()
      let login = try await house.media("login", origin.url, "--token-stdin", input: "scripted-token\n")
      #expect(login.status == 0, "\(login.errors)")
      #expect(try await house.media("tag", "cats", "--json").object()["posts", "new"] == 5)
      origin.refuse(token: "scripted-token")
      expect(
        try await house.media("tag", "cats"), fails: 77, saying: "does not accept the stored login",
        "media login \(origin.url)", output: true)
      let secrets = try Secrets(in: house)
      #expect(secrets.count == 1)
      #expect(try secrets.leaks().isEmpty)
    }
  }

  @Test func `a code that nobody gave ends the login with 77, and it can go on later`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let house = try Household()
      let waits = try await house.media("login", origin.url, "--no-browser")
      expect(waits, fails: 77, saying: "media login \(origin.url) --code CODE", output: true)
      let wrong = try await house.media("login", origin.url, "--code", "wrong-code")
      expect(wrong, fails: 77, saying: "refused the code", "media login \(origin.url)")
      let begun = try await house.media("login", origin.url, "--no-browser")
      let code = try origin.approve(try #require(begun.lines.first))
      let ended = try await house.media("login", origin.url, "--code", code)
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }

  @Test func `some pictures that cannot be had end with 1, each with its reason, and not again`() async throws {
    var script = Script(posts: 30)
    let lost = try #require(script.posts.first { !$0.attachments.isEmpty }?.attachments.first)
    script.troubles = [.every(lost.path, .status(404))]
    let house = try Household()
    try await withOrigin(script) { origin in
      let pull = ["tag", "cats", "--json", "--server", origin.url]
      let ended = try await house.run(pull)
      #expect(ended.status == 1)
      #expect(ended.errors.contains("\(origin.url)\(lost.path): the server answers 404"))
      #expect(try ended.object()["media", "failed"] == 1)
      #expect(try await house.run(pull).status == 0)
      origin.change { $0.troubles = [] }
      #expect(try await house.run(pull + ["--retry-failed"]).object()["media", "downloaded"] == 1)
    }
  }
}
