import Foundation
import Harvest
import Posts
import SQLite
import ScriptedOrigin
import Testing

@testable import Storage
@testable import media

/// Feeds that a harvest put off to the next one.
@Suite(.timeLimit(.minutes(10))) struct PutOffTests {
  private let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: Server("slow.example")!)

  private func object(_ line: HarvestLine) throws -> [String: any Sendable] {
    let text = try JSONText.line(line).text
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
  }

  @Test func `a feed that was put off has a line that says so, and nothing in it`() throws {
    let line = try object(HarvestLine(putOff: feed))
    #expect((line["feed"] as? String, line["put_off"] as? Bool) == ("tag:cats@slow.example", true))
    #expect((line["pages"] as? Int, line["posts", "new"], line["failure"] == nil) == (0, 0, true))
  }

  @Test func `the ledger tells how many feeds a harvest has left to the next one`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      #expect(try await sandbox.media("follow", "tag:cats@\(origin.url)", "--unchecked").status == 0)
      let line = try await sandbox.media("harvest", "--json").object()
      #expect(line["put_off"] == nil)
      #expect(try await sandbox.media("runs", "--json").object()["feeds", "put_off"] == 0)
      try await sandbox.sql("UPDATE run SET planned = 3")
      let run = try await sandbox.media("runs", "--json").object()
      #expect((run["feeds", "planned"], run["feeds", "pulled"], run["feeds", "put_off"]) == (3, 1, 2))
      #expect(try await sandbox.media("runs").output.contains("done, 2 put off"))
    }
  }

  @Test func `a harvest names the hosts whose pictures were put off, and until when`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      origin.change { $0.troubles = [.every("/media", .status(429, headers: ["Retry-After": "900"]))] }
      let sandbox = try Sandbox()
      #expect(try await sandbox.media("follow", "tag:cats@\(origin.url)", "--unchecked").status == 0)
      let ended = try await sandbox.run(["harvest", "--quiet"])
      expect(ended, fails: 75, saying: "put off until ", "127.0.0.1", "takes no more requests before")
    }
  }
}
