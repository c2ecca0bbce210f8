import Foundation
import Testing

/// Planner entries: posts made by hand with a start, a finish and files.
@Suite(.timeLimit(.minutes(5))) struct PlannerTests {
  private func file(_ house: Household, _ name: String, _ bytes: String = "bytes") throws -> String {
    let path = "\(house.folder)/\(name)"
    try Data(bytes.utf8).write(to: URL(filePath: path))
    return path
  }

  private func names(_ post: [String: any Sendable]) -> [String?] {
    (post["attachments"] as? [[String: any Sendable]] ?? []).map { $0["name"] as? String }
  }

  @Test func `a file keeps its own name, and one from another command has none`() async throws {
    let house = try Household()
    let hostile = try file(house, "\u{202E}gpj.exe \u{1B}[31m.txt")
    let added = try await house.media(
      "add", "with files", "--attach", try file(house, "map of the walk.txt"), "--attach", hostile, "--attach",
      "/dev/stdin", "--json", input: "from a pipe")
    #expect(added.status == 0, "\(added.errors)")
    #expect(names(try added.object()) == ["map of the walk.txt", "\u{202E}gpj.exe [31m.txt", nil])
    let pipe = (try added.object()["attachments"] as? [[String: any Sendable]])?.last
    #expect(pipe?.keys.contains("name") == false)
    let shown = try await house.media("show", "1").output
    #expect(shown.contains("[file] map of the walk.txt stored"), "\(shown)")
    #expect(!shown.contains("\u{202E}") && !shown.contains("\u{1B}"))
  }

  @Test func `an entry's finish is in its JSON and on its page; without one it is null`() async throws {
    let house = try Household()
    try await house.media("add", "the dentist", "--at", "2026-11-21 14:30", "--until", "2026-11-21 16:10")
    try await house.media("add", "no end", "--at", "2026-11-20 10:00")
    let objects = try await house.media("list", "--json").objects()
    #expect(objects.map { $0["ends_at"] as? String } == ["2026-11-21T16:10:00.000Z", nil])
    #expect(objects[1].keys.contains("ends_at"))
    #expect(try await house.media("show", "1").output.contains("2026-11-21 14:30 to 2026-11-21 16:10"))
  }
}
