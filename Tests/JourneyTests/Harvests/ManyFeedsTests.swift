import Foundation
import ScriptedOrigin
import Testing

/// Several tags and several processes at once.
@Suite(.timeLimit(.minutes(10))) struct ManyFeedsTests {
  /// Posts of several tags, with their own ids.
  private static func script(_ tags: [String], each count: Int) -> Script {
    var script = Script()
    for (index, tag) in tags.enumerated() {
      var writer = PostWriter(tag: tag, seed: UInt64(index + 1), firstPicture: index * 1000)
      script.posts = (0..<count).map { writer.post(index * 1000 + $0) }.reversed() + script.posts
    }
    script.unknownTagIsMissing = true
    return script
  }

  @Test func `several tags end with an object a line, and one that fails does not stop the others`() async throws {
    try await withOrigin(Self.script(["cats", "birds"], each: 30)) { origin in
      let sandbox = try Sandbox()
      let ended = try await sandbox.media("tag", "cats", "nosuch", "birds", "--json", "--server", origin.url)
      expect(ended, fails: 1, saying: "has no tag nosuch", output: true)
      let summaries = try ended.objects()
      #expect(
        summaries.compactMap { $0["feed"] as? String } == ["cats", "nosuch", "birds"].map { "tag:\($0)@\(origin.url)" })
      #expect(summaries.map { $0["posts", "new"] } == [30, 0, 30])
      #expect(summaries.map { $0["complete"] as? Bool } == [true, false, true])
      #expect(try await sandbox.media("list", "--json", "--limit", "500").lines.count == 60)
    }
  }

  @Test func `several tags that all fail alike end with their own status`() async throws {
    try await withOrigin(Self.script(["cats"], each: 3)) { origin in
      let sandbox = try Sandbox()
      let ended = try await sandbox.media("tag", "nosuch", "neither", "--server", origin.url)
      #expect(ended.status == 69)
      #expect(ended.errors.split(separator: "\n").count { $0.hasPrefix("media: ") } == 2)
    }
  }

  @Test func `a post that two tags bring is one post`() async throws {
    var script = Script(posts: 20)
    for index in script.posts.indices { script.posts[index].tags = ["cats", "pets"] }
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let summaries = try await sandbox.media("tag", "cats", "pets", "--json", "--server", origin.url).objects()
      #expect(summaries.map { $0["posts", "new"] } == [20, 0])
      #expect(summaries.map { $0["posts", "unchanged"] } == [0, 20])
      #expect(summaries.last?["media", "downloaded"] == 0)
      #expect(try await sandbox.media("list", "--json", "--tag", "pets").lines.count == 20)
    }
  }

  @Test func `two processes pull two tags into one library at once`() async throws {
    let script = Self.script(["cats", "birds"], each: 120)
    try await withOrigin(script) { origin in
      origin.change { $0.mostAtOnce = 40 }
      let sandbox = try Sandbox()
      let flags = ["--pages", "3", "--json", "--server", origin.url]
      let (cats, birds) = (try sandbox.begin(["tag", "cats"] + flags), try sandbox.begin(["tag", "birds"] + flags))
      for (ended, tag) in [(try await cats.end(), "cats"), (try await birds.end(), "birds")] {
        #expect(ended.status == 0, "\(ended.errors)")
        let summary = try ended.object()
        #expect(summary["posts", "new"] == 120)
        #expect(summary["media", "failed"] == 0)
        #expect(try await sandbox.media("list", "--json", "--tag", tag, "--limit", "500").lines.count == 120)
      }
      let stats = try await sandbox.media("stats", "--json").object()
      #expect(stats["posts"] as? Int == 240)
      #expect(stats["pictures", "stored"] == script.posts.map(\.attachments.count).reduce(0, +))
      let avatars = Set(script.posts.map(\.author)).count
      #expect(stats["blobs"] as? Int == script.pictureHashes.count + avatars)
    }
  }

  @Test func `two processes that pull the same tag lose nothing, and at least one comes to its end`() async throws {
    let script = Script(posts: 120)
    try await withOrigin(script) { origin in
      origin.change { $0.mostAtOnce = 40 }
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--pages", "3", "--json", "--server", origin.url]
      let running = try [sandbox.begin(pull), sandbox.begin(pull)]
      var statuses: [Int32] = []
      for one in running {
        let ended = try await one.end()
        statuses.append(ended.status)
        if ended.status != 0 { expect(ended, fails: 75, saying: "under way", "try again", output: true) }
      }
      #expect(statuses.contains(0))
      let last = try await sandbox.run(pull).object()
      #expect(last["posts", "unchanged"] == 120)
      let listed = try await sandbox.media("list", "--json", "--limit", "500").objects()
      #expect(listed.compactMap { $0["url"] as? String } == script.posts.map(\.url))
      let stats = try await sandbox.media("stats", "--json").object()
      #expect(stats["pictures", "stored"] == script.posts.map(\.attachments.count).reduce(0, +))
    }
  }

  @Test func `two processes may make the library at the same moment`() async throws {
    let sandbox = try Sandbox()
    let running = try (1...6).map { try sandbox.begin(["add", "bird number \($0)"]) }
    for one in running {
      let ended = try await one.end()
      #expect(ended.status == 0, "\(ended.errors)")
    }
    #expect(try await sandbox.media("list", "--json").lines.count == 6)
  }
}
