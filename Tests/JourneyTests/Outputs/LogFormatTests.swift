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

  @Test func `pages, feeds and requests are told with their feed, host and duration`() async throws {
    try await withOrigin(Script(posts: 90)) { origin in
      let pull = ["tag", "cats", "--server", origin.url, "--pages", "2", "--no-pictures", "--verbose"]
      try check(try lines(try await Sandbox().run(pull + Self.json).errors), of: origin.url)
    }
  }

  private func check(_ lines: [LogLine], of url: String) throws {
    let host = try #require(Server(url)).host
    let pages = lines.filter { $0.event == .pageStored }
    #expect(pages.map(\.count) == [40, 40])
    let read = lines.filter { $0.event == .feedRead }
    #expect(read.map(\.count) == [80])
    for event in pages + read {
      #expect((event.feed, event.host) == ("tag:cats@\(url)", host) && event.seconds ?? -1 >= 0, "\(event)")
    }
    let requests = lines.filter { $0.message.contains("/timelines/tag/cats: 200, ") }
    #expect(requests.map(\.host) == [host, host] && requests.allSatisfy { $0.seconds != nil })
  }

  @Test func `the environment names the form, unless the arguments do`() async throws {
    var sandbox = try Sandbox()
    sandbox.environment["MEDIA_LOG"] = "json"
    #expect(try lines(try await sandbox.media("runs").errors).map(\.message) == ["Nothing was harvested yet."])
    #expect(try lines(try await sandbox.media("list", "--limit", "cats").errors).map(\.status) == [64])
    for text in [["--log-format", "text"], ["--log-format=text"]] {
      #expect(try await sandbox.run(["runs"] + text).errors == "Nothing was harvested yet.\n")
    }
    sandbox.environment["MEDIA_LOG"] = ""
    #expect(try await sandbox.media("runs").errors == "Nothing was harvested yet.\n")
    sandbox.environment["MEDIA_LOG"] = "xml"
    expect(
      try await sandbox.media("runs"), fails: 64, saying: "MEDIA_LOG is \"xml\", which is no form of messages",
      "set it to text or json")
  }

  @Test func `lines that go to the journal have their priority before them, and no others`() async throws {
    let sandbox = try Sandbox()
    func errors(_ arguments: String, at stream: String = "$(stat -c %d:%i $HOME/errors)") async throws -> String {
      try await sandbox.bash(
        ": > $HOME/errors; JOURNAL_STREAM=\(stream) $MEDIA \(arguments) 2> $HOME/errors; cat $HOME/errors"
      ).output
    }
    #expect(try await errors("runs") == "<6>Nothing was harvested yet.\n")
    #expect(try await errors("show 4711").hasPrefix("<3>media: "))
    for stream in ["1:2", "''", "nonsense"] {
      #expect(try await errors("runs", at: stream) == "Nothing was harvested yet.\n", "\(stream)")
    }
    #expect(try lines(try await errors("runs --log-format json")).count == 1)
  }

  @Test func `mistakes in the arguments are told so, too, and an unknown form is one`() async throws {
    let sandbox = try Sandbox()
    let ended = try await sandbox.media("list", "--log-format=json", "--limit", "cats")
    #expect(try lines(ended.errors).map(\.status) == [64])
    expect(try await sandbox.media("list", "--log-format", "xml"), fails: 64, saying: "--log-format")
  }
}
