import Foundation
import SQLite
import ScriptedOrigin
import Testing

@testable import Storage

/// Gaps as users see and fill them.
@Suite(.timeLimit(.minutes(10))) struct GapsJourneyTests {
  /// A library with the newest and some older posts of a hundred, and a gap between.
  private func withGap(_ body: @Sendable (Origin, Sandbox) async throws -> Void) async throws {
    let all = Script(posts: 100).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(70)))) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin)
      origin.change { $0.posts = all }
      let ended = try await pull(sandbox, origin, "--new", "--pages", "2")
      #expect(ended.status == 0)
      let summary = try ended.object()
      #expect(summary["complete"] as? Bool == false)
      try await body(origin, sandbox)
    }
  }

  @discardableResult
  private func pull(_ sandbox: Sandbox, _ origin: Origin, _ flags: String...) async throws -> Ended {
    try await sandbox.run(
      ["tag", "cats", "--server", origin.url, "--page-size", "10", "--no-pictures", "--no-avatars", "--json"] + flags)
  }

  private func count(_ sandbox: Sandbox) async throws -> Int {
    try await sandbox.media("list", "--json", "--limit", "1000").lines.count
  }

  @Test func `a gap is listed with its edges and its time, and filled`() async throws {
    try await withGap { origin, sandbox in
      let gap = try await sandbox.media("gaps", "--json").object()
      #expect(gap["feed"] as? String == "tag:cats@\(origin.url)")
      #expect(gap["kind"] as? String == "gap")
      #expect(gap["above"] as? String == origin.script.posts[19].id)
      #expect(gap["below"] as? String == origin.script.posts[70].id)
      #expect(gap["to"] as? String == "2025-10-09T10:13:20.000Z" || gap["to"] is String)
      #expect(gap["from"] is String)
      let report = try await sandbox.media("gaps")
      #expect(report.output.contains("51 m"), "\(report.output)")
      #expect(report.errors.contains("media gaps --fill"))
      let filled = try await sandbox.media(
        "gaps", "--fill", "--page-size", "10", "--no-pictures", "--no-avatars", "--json")
      #expect(filled.status == 0, "\(filled.errors)")
      #expect(try filled.object()["complete"] as? Bool == true)
      #expect(try await count(sandbox) == 80)
      let none = try await sandbox.media("gaps")
      #expect((none.status, none.output) == (0, ""))
      #expect(none.errors.contains("Nothing is known to be missing."))
    }
  }

  @Test func `pictures that are missing stand among the gaps, and are filled when they are due`() async throws {
    try await withOrigin(Script(posts: 10)) { origin in
      let sandbox = try Sandbox()
      origin.change { $0.troubles = [.every("/media", .html)] }
      let pull = ["tag", "cats", "--server", origin.url, "--no-avatars"]
      #expect(try await sandbox.run(pull).status == 1)
      let missing = try #require(try await sandbox.media("stats", "--json").object()["pictures", "failed"])
      let report = try await sandbox.media("gaps")
      #expect(report.output.contains("\(missing) pictures"), "\(report.output)")
      let lines = try await sandbox.media("gaps", "--json")
      #expect((lines.status, lines.output) == (0, ""), "readers of the lines know two kinds")
      #expect(lines.errors.contains("\(missing) pictures of "), "\(lines.errors)")
      origin.change { $0.troubles = [] }
      let early = try await sandbox.media("gaps", "--fill")
      #expect(early.errors.contains("their next try is not due yet"), "\(early.errors)")
      let again = try await sandbox.run(pull)
      #expect(again.output.contains("\(missing) still missing (--retry-failed tries again)"), "\(again.output)")
      try await sandbox.sql("UPDATE attachment SET next_try_at = '2001-01-01T00:00:00.000Z'")
      let filled = try await sandbox.media("gaps", "--fill", "--json").object()
      #expect(filled["media", "failed"] == 0)
      #expect(try await sandbox.media("gaps").errors.contains("Nothing is known to be missing."))
    }
  }

  @Test func `pages bound the filling, of one feed that is named in short`() async throws {
    try await withGap { _, sandbox in
      let flags = ["--page-size", "10", "--no-pictures", "--no-avatars"]
      let filled = try await sandbox.run(["gaps", "cats", "--fill", "--pages", "2"] + flags)
      #expect(filled.output.contains("1 part missing (media gaps)"), "\(filled.output)")
      #expect(try await sandbox.media("gaps", "--json").lines.count == 1)
      _ = try await sandbox.run(["gaps", "tag:cats", "--fill"] + flags)
      #expect(try await sandbox.media("gaps", "--json").lines.isEmpty)
    }
  }

  @Test func `a first pull that failed is known as unfinished, and resumed`() async throws {
    try await withOrigin(Script(posts: 60, troubles: [.nth(3, "/api/v1/timelines", .html)])) { origin in
      let sandbox = try Sandbox()
      let failed = try await pull(sandbox, origin, "--pages", "5")
      #expect(failed.status == 65)
      #expect(try failed.object()["complete"] as? Bool == false)
      let gap = try await sandbox.media("gaps", "--json").object()
      #expect(gap["kind"] as? String == "unfinished")
      #expect(gap["above"] as? String == origin.script.posts[19].id)
      #expect(gap["below"] is NSNull)
      let resumed = try await pull(sandbox, origin, "--resume")
      #expect(try resumed.object()["complete"] as? Bool == true)
      #expect(try resumed.object()["pages"] as? Int == 3)
      #expect(try await count(sandbox) == 50)
      #expect(try await sandbox.media("gaps", "--json").lines.isEmpty)
    }
  }

  @Test func `--all steps over what is known, and comes to the end`() async throws {
    try await withGap { origin, sandbox in
      let before = origin.requests(to: "/api/v1/timelines").count
      let all = try await pull(sandbox, origin, "--all")
      #expect(try all.object()["complete"] as? Bool == true)
      #expect(try await count(sandbox) == 100)
      #expect(origin.requests(to: "/api/v1/timelines").count - before == 11)
      #expect(try await sandbox.media("gaps", "--json").lines.isEmpty)
    }
  }

  @Test func `wrong arguments are refused`() async throws {
    let sandbox = try Sandbox()
    expect(try await sandbox.media("gaps", "dogs"), fails: 64, saying: "no feed \"dogs\"")
    expect(try await sandbox.media("gaps", "--pages", "2"), fails: 64, saying: "--fill")
    expect(try await sandbox.media("gaps", "--fill", "--pages", "0"), fails: 64, saying: "1 or more")
    let both = try await sandbox.media("tag", "cats", "--server", "127.0.0.1:9", "--new", "--all")
    expect(both, fails: 64, saying: "exclude")
    let dated = try await sandbox.media("tag", "cats", "--server", "127.0.0.1:9", "--resume", "--since", "2026-01-01")
    expect(dated, fails: 64, saying: "--since")
  }
}
