import Foundation
import SQLite
import ScriptedOrigin
import Testing

@testable import Storage

/// Rechecks by hand and by harvests.
@Suite(.timeLimit(.minutes(10))) struct RecheckJourneyTests {
  private static let path = "/api/v1/statuses"

  @discardableResult
  private func pull(_ sandbox: Sandbox, _ origin: Origin) async throws -> Ended {
    try await sandbox.run(["tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars", "--quiet"])
  }

  /// A library of an origin that has since edited one of its posts and lost two.
  private func withChanges(
    _ count: Int = 25, _ body: @Sendable (Origin, Sandbox) async throws -> Void
  ) async throws {
    try await withOrigin(Script(posts: count)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      origin.change { script in
        script.posts[1].caption = "edited since"
        script.posts[1].html = "<p>edited since</p>"
        script.posts.removeFirst()
        script.posts.removeLast()
      }
      try await body(origin, sandbox)
    }
  }

  private func posts(_ sandbox: Sandbox) async throws -> [[String: any Sendable]] {
    try await sandbox.media("list", "--json", "--limit", "500").objects()
  }

  /// Makes the recheck schedule due.
  private func makeDue(_ sandbox: Sandbox) async throws {
    try await sandbox.sql("UPDATE recheck SET due_at = '2001-01-01T00:00:00.000Z' WHERE due_at IS NOT NULL")
  }

  @Test func `an edit is shown with what it was before, and what is gone is marked and stays`() async throws {
    try await withChanges { origin, sandbox in
      let ended = try await sandbox.media("recheck")
      #expect((ended.status, ended.output) == (0, "tag:cats@\(origin.url): 25 looked up: 1 edited, 2 gone\n"))
      #expect(origin.requests(to: Self.path).count == 4)
      let all = try await posts(sandbox)
      #expect(all.count == 25)
      let gone = all.filter { $0["gone_at"] is String }.compactMap { $0["id"] as? Int }
      #expect(gone.count == 2)
      #expect(all.allSatisfy { $0.keys.contains("gone_at") })
      let shown = try await sandbox.media("show", "\(gone[0])")
      #expect(shown.output.contains("Gone from the server since 20"), "\(shown.output)")
      let edited = try #require(all.first { $0["caption"] as? String == "edited since" }?["id"] as? Int)
      #expect(try await sandbox.media("show", "\(edited)").output.contains("it read:"))
      #expect(try await sandbox.media("check").status == 0)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `each feed has one JSON object, and a date bounds what is requested`() async throws {
    try await withChanges { origin, sandbox in
      let since = "2025-10-09T09:10:00Z"
      let count = try await posts(sandbox).count { ($0["created_at"] as? String ?? "") >= since }
      try #require(count > 0 && count < 25)
      let one = try await sandbox.media("recheck", "cats", "--since", since, "--json").object()
      #expect(one["looked_up"] as? Int == count)
      #expect(one["feed"] as? String == "tag:cats@\(origin.url)")
      let sum = ["edited", "unchanged", "gone", "unanswered"].compactMap { one[$0] as? Int }.reduce(0, +)
      #expect(sum == count)
    }
  }

  @Test func `a server without a list of posts is asked one by one, and one that lies marks nothing`() async throws {
    try await withChanges(8) { origin, sandbox in
      origin.change { $0.listsStatuses = false }
      let single = try await sandbox.media("recheck", "--json").object()
      #expect((single["gone"] as? Int, single["edited"] as? Int) == (2, 1))
      origin.change { script in
        (script.listsStatuses, script.longestList) = (true, 0)
      }
      let lying = try await sandbox.media("recheck", "--json").object()
      #expect((lying["gone"] as? Int, lying["unchanged"] as? Int) == (2, 6))
    }
  }

  @Test func `a server that wants a login, or is down, marks nothing as gone`() async throws {
    try await withChanges { origin, sandbox in
      origin.change { $0.requiresToken = true }
      expect(try await sandbox.media("recheck", "--quiet"), fails: 77, saying: "media login")
      origin.change { $0.troubles = [.every(Self.path, .status(501))] }
      #expect(try await sandbox.media("recheck", "--quiet").status != 0)
      #expect(try await posts(sandbox).allSatisfy { $0["gone_at"] is NSNull })
    }
  }

  @Test func `a post that is shown again is gone no more, and a deleted one is not asked for`() async throws {
    let all = Script(posts: 6).posts
    try await withOrigin(Script(posts: 6)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      origin.change { $0.posts = Array(all.dropFirst(1)) }
      #expect(try await sandbox.media("recheck", "--json").object()["gone"] as? Int == 1)
      origin.change { $0.posts = all }
      try await pull(sandbox, origin)
      #expect(try await posts(sandbox).allSatisfy { $0["gone_at"] is NSNull })
      #expect(try await sandbox.media("delete", "1", "2").status == 0)
      #expect(try await sandbox.media("recheck", "--json").object()["looked_up"] as? Int == 4)
    }
  }

  @Test func `wrong arguments are refused`() async throws {
    try await withChanges(3) { _, sandbox in
      expect(try await sandbox.media("recheck", "dogs"), fails: 64, saying: "no feed \"dogs\"")
      expect(try await sandbox.media("recheck", "--since", "soon"), fails: 64, saying: "--since")
      expect(
        try await sandbox.media("recheck", "cats", "--budget", "1"), fails: 64,
        saying: "mastodon charges nothing that is known")
    }
    let empty = try await Sandbox().media("recheck")
    #expect((empty.status, empty.output) == (0, ""))
  }

  // MARK: Harvests

  @Test func `a harvest looks up what is due, and not what it stored itself`() async throws {
    try await withChanges { origin, sandbox in
      #expect(try await sandbox.media("follow", "cats@\(origin.url)").status == 0)
      #expect(try await sandbox.media("harvest", "--no-pictures").status == 0)
      #expect(origin.requests(to: Self.path).isEmpty)
      try await makeDue(sandbox)
      let ended = try await sandbox.media("harvest", "--no-pictures")
      #expect(ended.output.contains("looked up again 25: "), "\(ended.output)\(ended.errors)")
      #expect(ended.output.contains("2 gone"))
      let run = try #require(try await sandbox.media("runs", "--json").objects().first)
      #expect((run["rechecks", "looked_up"], run["rechecks", "gone"]) == (25, 2))
      #expect(try await sandbox.media("runs", "--last").output.contains("looked up   25: "))
      let before = origin.requests(to: Self.path).count
      try await sandbox.media("harvest", "--no-pictures")
      #expect(origin.requests(to: Self.path).count == before)
    }
  }

  @Test func `looking up fails no harvest, and waits for another day`() async throws {
    try await withChanges { origin, sandbox in
      #expect(try await sandbox.media("follow", "cats@\(origin.url)").status == 0)
      try await makeDue(sandbox)
      origin.change { $0.troubles = [.every(Self.path, .status(401))] }
      let ended = try await sandbox.media("harvest", "--no-pictures")
      #expect(ended.status == 0)
      #expect(ended.errors.contains("its posts were not looked up again"), "\(ended.errors)")
      let requestCount = origin.requests(to: Self.path).count
      let quiet = try await sandbox.media("harvest", "--no-pictures", "--quiet")
      #expect((quiet.status, quiet.output, quiet.errors) == (0, "", ""))
      #expect(origin.requests(to: Self.path).count == requestCount)
      #expect(try await posts(sandbox).allSatisfy { $0["gone_at"] is NSNull })
    }
  }
}
