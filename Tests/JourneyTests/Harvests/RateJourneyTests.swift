import Foundation
import ScriptedOrigin
import Testing

/// Several processes of the built command under one server's limit.
@Suite(.timeLimit(.minutes(10))) struct RateJourneyTests {
  /// Posts of several tags, enough for many pages.
  private static func script(_ tags: [String], _ budget: Budget, posts: Int = 120) -> Script {
    var script = Script()
    for (index, tag) in tags.enumerated() {
      var writer = PostWriter(tag: tag, seed: UInt64(index + 1), firstPicture: index * 1000)
      script.posts = (0..<posts).map { writer.post(index * 1000 + $0) }.reversed() + script.posts
    }
    script.budget = budget
    return script
  }

  private func pull(_ tag: String, _ origin: Origin, pages: Int = 40, _ flags: String...) -> [String] {
    ["tag", tag, "--pages", "\(pages)", "--page-size", "2", "--no-pictures", "--no-avatars", "--server", origin.url]
      + flags
  }

  @Test func `two pulls from a crontab and one by hand at once are never turned away`() async throws {
    // Either of the two has more pages than the window allows, and all that the person asks for fits into the reserve: it
    // does not matter which of them is how fast.
    try await withOrigin(Self.script(["cats", "birds", "dogs"], Budget(120, in: 900), posts: 300)) { origin in
      let sandbox = try Sandbox()
      let (cats, birds) = (
        try sandbox.begin(pull("cats", origin, pages: 150, "--quiet")),
        try sandbox.begin(pull("birds", origin, pages: 150, "--quiet"))
      )
      let dogs = try await sandbox.run(pull("dogs", origin, pages: 6))
      #expect(dogs.status == 0, "\(dogs.errors)")
      for ended in [try await cats.end(), try await birds.end()] {
        expect(ended, fails: 75, saying: "takes no more requests until ", "try again then")
      }
      #expect(origin.turnedAway == 0)
      // The interactive user gets what the two have left.
      let later = try await sandbox.run(pull("dogs", origin, pages: 3))
      #expect(later.status == 0, "\(later.errors)")
      #expect(origin.turnedAway == 0)
      let requestCount = origin.requests(to: "/api/").count
      #expect((108...120).contains(requestCount), "\(requestCount)")
      let refused = try await sandbox.run(pull("cats", origin, pages: 3, "--quiet"))
      #expect(refused.status == 75)
      #expect(origin.requests(to: "/api/").count == requestCount, "it is known before anything is sent")
    }
  }

  @Test func `a window that ends soon is waited for, and told`() async throws {
    // A wait of six seconds or less is not told.
    let budget = Budget(6, in: 12, restartsWhenSpent: true)
    try await withOrigin(Self.script(["cats"], budget)) { origin in
      let sandbox = try Sandbox()
      let ended = try await sandbox.run(pull("cats", origin, pages: 8))
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.errors.contains("127.0.0.1: rate limited until "))
      #expect(origin.turnedAway == 0)
    }
  }

  @Test func `pictures of a host that takes no more are put off, and the command says until when`() async throws {
    try await withOrigin(Script(posts: 10)) { origin in
      let sandbox = try Sandbox()
      origin.change { $0.troubles = [.every("/media", .status(429, headers: ["Retry-After": "900"]))] }
      let pull = ["tag", "cats", "--server", origin.url, "--no-avatars"]
      let ended = try await sandbox.run(pull)
      expect(ended, fails: 75, saying: "put off until ", "127.0.0.1", "takes no more requests before", output: true)
      let pictures = try #require(try await sandbox.media("stats", "--json").object()["pictures", "pending"])
      #expect(ended.output.contains("\(pictures) put off until "), "\(ended.output)")
      #expect(!ended.errors.contains("failed"), "\(ended.errors)")
      let requestCount = origin.requests(to: "/media").count
      let again = try await sandbox.run(pull + ["--retry-failed", "--json"])
      #expect(again.status == 75)
      #expect(try again.object()["media", "put_off"] == pictures)
      #expect(origin.requests(to: "/media").count == requestCount, "it is known before anything is sent")
    }
  }

  @Test func `a wait for the window's end is interrupted at once, and what came is stored`() async throws {
    try await withOrigin(Self.script(["cats"], Budget(6, in: 280))) { origin in
      let sandbox = try Sandbox()
      let pulling = try sandbox.begin(pull("cats", origin))
      try await pulling.says("rate limited until ")
      pulling.signal(SIGINT)
      let ended = try await pulling.end()
      #expect(ended.status == 130, "\(ended.errors)")
      #expect(try await sandbox.media("list", "--json").lines.count == 12)
    }
  }

  @Test func `a killed process's requests are not asked for by the next`() async throws {
    try await withOrigin(Self.script(["cats", "birds"], Budget(40, in: 900))) { origin in
      let sandbox = try Sandbox()
      let killed = try sandbox.begin(pull("cats", origin))
      while origin.requests(to: "/api/").count < 5 { try await Task.sleep(for: .milliseconds(1)) }
      killed.signal(SIGKILL)
      _ = try await killed.end()
      #expect(try await sandbox.run(pull("birds", origin)).status == 75)
      #expect(origin.turnedAway == 0)
    }
  }
}
