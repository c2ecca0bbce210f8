import Foundation
import ScriptedOrigin
import Testing

/// Exit codes of terminated commands: 130, 143, and 0 if a reader closed the pipe.
@Suite(.timeLimit(.minutes(10))) struct EndedTests {
  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func `a signal in the middle of a page ends the pull, what came is stored, and the same command goes on`(
    signal: Int32, status: Int32
  ) async throws {
    let script = Script(posts: 130, troubles: [.nth(3, "/api/v1/timelines", .slow(.seconds(90)))])
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--pages", "3", "--json", "--server", origin.url]
      let running = try sandbox.begin(pull)
      try await running.says("page 2 of 3")
      running.signal(signal)
      let ended = try await running.end()
      expect(ended, fails: status, saying: "interrupted", "what came is stored", output: true)
      let summary = try ended.object()
      #expect(summary["posts", "new"] == 80)
      #expect(summary["complete"] as? Bool == false)
      #expect(summary["next"] as? String == script.posts[79].id)
      #expect(try await sandbox.media("list", "--json", "--limit", "500").lines.count == 80)
      let again = try await sandbox.run(pull).object()
      #expect(again["posts", "unchanged"] == 80)
      #expect(again["posts", "new"] == 40)
    }
  }

  @Test func `a signal ends the second feed of a command as it ends the first`() async throws {
    let script = Script(posts: 10, troubles: [.every("/api/v1/timelines/tag/dogs", .held)])
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let running = try sandbox.begin("tag", "cats", "dogs", "--server", origin.url, "--no-pictures", "--no-avatars")
      while origin.requests(to: "/api/v1/timelines/tag/dogs").isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      running.signal(SIGTERM)
      #expect(try await running.end().status == 143)
      #expect(try await sandbox.media("list", "--json").lines.count == 10)
      origin.change { $0.troubles = [] }
    }
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func `a signal ends a login that waits for its code, and the login can go on`(
    signal: Int32, status: Int32
  ) async throws {
    try await withOrigin(Script(posts: 1)) { origin in
      let sandbox = try Sandbox()
      let login = try sandbox.begin("login", origin.url, "--no-browser")
      let page = try await login.line(origin.url)
      login.signal(signal)
      #expect(try await login.end().status == status)
      let ended = try await sandbox.media("login", "--code", try origin.approve(page))
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }

  @Test(arguments: [
    ("/media", Trouble.Kind.slow(.seconds(90)), 4, "page 1 of 1"),
    ("/api/v1/timelines", .status(429, headers: ["Retry-After": "20"]), 1, "asks for a pause"),
  ])
  func `a signal ends a pull amid its pictures and amid a wait`(
    path: String, kind: Trouble.Kind, count: Int, word: String
  ) async throws {
    try await withOrigin(Script(posts: 20, troubles: [.every(path, kind)])) { origin in
      let sandbox = try Sandbox()
      let running = try sandbox.begin("tag", "cats", "--server", origin.url)
      try await running.says(word)
      while origin.requests(to: path).count < count { try await Task.sleep(for: .milliseconds(5)) }
      running.signal(SIGINT)
      expect(try await running.end(), fails: 130, saying: "interrupted", output: true)
      origin.change { $0.troubles = [] }
      #expect(try await sandbox.media("tag", "cats", "--server", origin.url).status == 0)
      let stats = try await sandbox.media("stats", "--json").object()
      #expect(stats["posts"] as? Int == 20)
      #expect(stats["pictures", "stored"] == origin.script.posts.map(\.attachments.count).reduce(0, +))
    }
  }

  @Test func `a killed pull leaves whole pages and a library that opens`() async throws {
    let script = Script(posts: 130, troubles: [.nth(3, "/api/v1/timelines", .slow(.seconds(90)))])
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let running = try sandbox.begin(["tag", "cats", "--pages", "3", "--server", origin.url])
      try await running.says("page 2 of 3")
      running.signal(SIGKILL)
      #expect(try await running.end().status == 137)
      #expect(try await sandbox.media("list", "--json", "--limit", "500").lines.count == 80)
      let pull = try await sandbox.media("tag", "cats", "--pages", "3", "--json", "--server", origin.url)
      #expect(pull.status == 0, "\(pull.errors)")
      let held = try await sandbox.media("list", "--json", "--limit", "500").objects()
      let pictures = held.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(pictures.count == script.posts.prefix(120).map(\.attachments.count).reduce(0, +))
      #expect(pictures.allSatisfy { $0["state"] as? String == "stored" })
    }
  }

  @Test func `a reader that has enough ends the list quietly with 0`() async throws {
    try await withOrigin(Script(posts: 400)) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--pages", "10", "--no-pictures", "--no-avatars", "--server", origin.url]
      #expect(try await sandbox.run(pull).status == 0)
      for flags in ["--json", "--plain"] {
        // More than a pipe holds, so that the rest meets a closed one.
        let all = "\"$MEDIA\" list --limit 1000000 \(flags)"
        let piped = try await sandbox.bash("set -o pipefail; \(all) | head -1")
        #expect((piped.status, piped.lines.count, piped.errors) == (0, 1, ""))
      }
      let whole = try await sandbox.media("list", "--json", "--limit", "1000000")
      #expect(whole.output.utf8.count > 200_000)
      let closed = try await sandbox.bash("\"$MEDIA\" list --json >&-")
      #expect((closed.status, closed.errors) == (0, ""))
      let full = try await sandbox.bash("\"$MEDIA\" list --json > /dev/full")
      expect(full, fails: 74, saying: "the output cannot be written")
    }
  }

  @Test func `with --quiet a success says nothing at all`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let sandbox = try Sandbox()
      let pull = try await sandbox.media("tag", "cats", "--quiet", "--server", origin.url)
      #expect((pull.status, pull.output, pull.errors) == (0, "", ""))
      for command in [["add", "first bird", "-q"], ["delete", "1", "--quiet"], ["restore", "1", "--quiet"]] {
        let ended = try await sandbox.run(command)
        #expect((ended.status, ended.output, ended.errors) == (0, "", ""), "\(command)")
      }
      let failing = try await sandbox.media("tag", "cats", "--quiet", "--server", "http://127.0.0.1:9")
      #expect(failing.status == 69)
      #expect(failing.output.isEmpty)
      #expect(failing.errors.split(separator: "\n").count == 1)
    }
  }
}
