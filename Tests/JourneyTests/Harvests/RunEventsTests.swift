import Foundation
import Posts
import ScriptedOrigin
import Testing

/// What `media runs ID` tells of what happened in a harvest.
@Suite(.timeLimit(.minutes(10))) struct RunEventsTests {
  private static let path = "/api/v1/timelines/tag/"

  private func follow(_ feeds: String..., in sandbox: Sandbox) async throws {
    for feed in feeds { #expect(try await sandbox.media("follow", feed, "--unchecked").status == 0) }
  }

  private func events(_ run: [String: any Sendable]) throws -> [[String: any Sendable]] {
    try #require(run["events"] as? [[String: any Sendable]])
  }

  @Test func `a harvest tells what it read, for what it waited and what failed`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      let sandbox = try Sandbox()
      try await follow("cats@\(origin.url)", "dogs@\(origin.url)", in: sandbox)
      origin.change {
        $0.troubles = [
          .first(1, Self.path + "cats", .status(503, headers: ["Retry-After": "0"])), .every(Self.path + "dogs", .html),
        ]
      }
      #expect(try await sandbox.media("harvest", "--no-pictures").status == 1)
      let run = try await sandbox.media("runs", "1", "--json").object()
      let told = try events(run)
      #expect(Set(told.compactMap { $0["event"] as? String }) == ["host_waits", "feed_read", "feed_failed"])
      let read = try #require(told.first { $0["event"] as? String == "feed_read" })
      #expect((read["count"] as? Int, read["level"] as? String) == (20, "info"))
      #expect(read["seconds"] is Double && read["host"] as? String == Server(origin.url)?.host)
      let failed = try #require(told.first { $0["event"] as? String == "feed_failed" })
      #expect(failed["feed"] as? String == "tag:dogs@\(origin.url)" && failed["level"] as? String == "error")
      #expect((failed["message"] as? String)?.contains("it is a web page") == true)
      for arguments in [["1"], ["--verbose"], ["--last", "--verbose"]] {
        let text = try await sandbox.run(["runs"] + arguments).output
        #expect(text.contains("tag:cats@\(origin.url): 20 new, 0 updated"), "\(text)")
        #expect(text.contains("tag:dogs@\(origin.url): the answer of "), "\(text)")
      }
      #expect(try await sandbox.media("runs", "--json").object()["events"] == nil)
      #expect(try await sandbox.media("runs").lines.last?.drop { $0 == " " }.hasPrefix("1  ") == true)
      expect(try await sandbox.media("runs", "7"), fails: 64, saying: "there is no harvest 7", "media runs")

      // Nothing to tell, nothing kept.
      origin.change { $0.troubles = [] }
      #expect(try await sandbox.media("harvest", "cats", "--no-pictures").status == 0)
      #expect(try events(try await sandbox.media("runs", "2", "--json").object()).isEmpty)
      #expect(try await sandbox.media("runs", "2").output.hasSuffix("No events.\n"))
    }
  }

  @Test func `no token, no address with a query and no caption is in what is told and kept`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      let sandbox = try Sandbox()
      #expect(try await sandbox.media("login", origin.url, "--token-stdin", input: "scripted-token\n").status == 0)
      let tags = ["token", "address", "refusal", "away", "circles"]
      for tag in tags { try await follow("\(tag)@\(origin.url)", in: sandbox) }
      try await follow("\(origin.url)/feed?key=own-key", in: sandbox)
      @Sendable func says(_ words: String) -> String { "{\"error\":\"\(words)\"}" }
      let stolen = "it is https://x.example/file?sig=stolen-key a-caption"
      origin.change {
        $0.documents["/feed"] = ScriptedDocument("<html><title>a-caption</title>https://x.example/?sig=stolen-key")
        $0.troubles = [
          .every(Self.path + "token", .status(400, body: says("scripted-token is wrong: a-caption"))),
          .every(Self.path + "address", .status(400, body: says(stolen))),
          .every(Self.path + "refusal", .status(403, body: says(stolen))),
          .every(Self.path + "away", .redirect(to: "https://ann:login-word@evil.example/?access_token=hidden-key")),
          .every(Self.path + "circles", .status(200, body: says(stolen))),
        ]
      }
      let secrets = ["scripted-token", "stolen-key", "hidden-key", "login-word", "own-key"]
      let harvest = try await sandbox.media("harvest", "--no-pictures", "--log-format", "json", "--verbose")
      for secret in secrets { #expect(!harvest.errors.contains(secret), "\(secret) \(harvest.errors)") }
      let told = try harvest.errors.split(separator: "\n").map { try #require(LogLine(String($0)), "\($0)") }
      // The person is told what the server said, so it came.
      #expect(told.contains { $0.event == .message && $0.message.contains("a-caption") })
      let logged = told.filter { !$0.event.isForPeople }
      #expect(logged.count { $0.event == .feedFailed } == 6, "\(logged)")
      #expect(!logged.contains { $0.message.contains("a-caption") }, "\(logged)")

      let run = try await sandbox.media("runs", "1", "--json").object()
      let text = try await sandbox.media("runs", "1").output
      let kept = try await sandbox.sql("SELECT * FROM run_event") + "\(try events(run))" + text
      for word in secrets + ["a-caption", "sig=", "access_token"] {
        #expect(!kept.contains(word), "\(word) in \(kept)")
      }
      #expect(try events(run).count == 6)
      #expect(kept.contains("cannot be read (it is a message)") && kept.contains("refuses this account"))
      #expect(kept.contains("\(origin.url)/feed?…"), "\(kept)")
      #expect(try await sandbox.sql("SELECT failure FROM run_feed").contains("a-caption") == false)
    }
  }
}
