import Foundation
import Posts
import ScriptedOrigin
import Testing

/// What commands tell other programs while they run.
struct LogFormatTests {
  private static let json = ["--log-format", "json"]

  private func lines(_ text: String) throws -> [LogLine] {
    try text.split(separator: "\n").map { try #require(LogLine(String($0)), "\($0)") }
  }

  @Test func `a pull tells each page, and in the end why it failed and which login helps`() async throws {
    try await withOrigin(Script(posts: 90)) { origin in
      let sandbox = try Sandbox()
      let pull = ["tag", "cats", "--server", origin.url, "--pages", "2", "--no-pictures"] + Self.json
      let progress = try lines(try await sandbox.run(pull).errors).filter { $0.event == .progress }
      #expect(progress.map(\.progress) == [1, 2].map { LogLine.Progress(done: $0, total: 2, unit: "pages") })
      #expect(progress.allSatisfy { $0.level == .info && $0.message.contains("page ") })
      #expect(try await sandbox.run(pull + ["--quiet"]).errors == "")

      let refused = try await sandbox.run(["search", "cats", "--server", origin.url] + Self.json)
      let failure = try #require(try lines(refused.errors).last)
      #expect((failure.event, failure.level, failure.status, failure.login) == (.failure, .error, 77, origin.url))
      #expect(refused.status == 77 && !failure.message.hasPrefix("media: "))
    }
  }

  @Test func `mistakes in the arguments are told so, too, and an unknown form is one`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("list", "--log-format=json", "--limit", "cats")
    #expect(try lines(ended.errors).map(\.status) == [64])
    expect(try await sandbox.media("list", "--log-format", "xml"), fails: 64, saying: "--log-format")
  }
}
