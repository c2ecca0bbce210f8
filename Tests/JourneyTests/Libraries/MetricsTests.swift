import Folders
import Foundation
import ScriptedOrigin
import Testing

/// Numbers for Prometheus, from `media stats` and from a gallery.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct MetricsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").path

  /// The value of a sample in the older form.
  private func value(_ text: String, _ sample: String) -> Double? {
    text.split(separator: "\n").first { $0.hasPrefix("\(sample) ") }.flatMap { Double($0.dropFirst(sample.count + 1)) }
  }

  private func harvested(_ origin: Origin) async throws -> Sandbox {
    let sandbox = try Sandbox()
    #expect(try await sandbox.media("follow", "cats@\(origin.url)", "--quiet").status == 0)
    #expect(try await sandbox.media("harvest", "--quiet").status == 0)
    try await sandbox.media("delete", "1", "--quiet")
    return sandbox
  }

  @Test func `the parsers of Prometheus read both forms, and each metric is described`() async throws {
    try await withOrigin(Script(posts: 5)) { origin in
      let sandbox = try await harvested(origin)
      let (old, new) = ("\(sandbox.said)/metrics.prom", "\(sandbox.said)/metrics.txt")
      #expect(try await sandbox.bash("$MEDIA stats --format prometheus > \(old)").status == 0)
      #expect(try await sandbox.bash("$MEDIA stats --format openmetrics > \(new)").status == 0)
      // With this machine's pip settings.
      let reading = try Running(
        "/bin/bash", ["\(Self.root)/Scripts/check", "metrics", old, new], ProcessInfo.processInfo.environment,
        said: "\(sandbox.said)/judged")
      reading.endInput()
      let ended = try await reading.end()
      #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
      let names = ended.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
      #expect(names.count > 25, "\(names)")
      let page = try String(contentsOfFile: "\(Self.root)/docs/operations/metrics.md", encoding: .utf8)
      for name in names { #expect(page.contains("`\(name)`"), "\(name) is not described") }
      let text = try String(contentsOfFile: old, encoding: .utf8)
      #expect(value(text, "media_posts") == 4 && value(text, "media_posts_deleted") == 1)
      #expect(value(text, #"media_feeds{state="well"}"#) == 1 && value(text, #"media_feeds{state="failing"}"#) == 0)
      #expect(value(text, #"media_harvest_posts{result="new"}"#) == 5 && value(text, "media_harvest_success") == 1)
      let feed = #"{feed="1",kind="tag",host="\#(origin.url.dropFirst("http://".count))"}"#
      let read = value(text, "media_feed_last_success_timestamp_seconds\(feed)")
      #expect(abs((read ?? 0) - Date().timeIntervalSince1970) < 600, "\(text)")
      // What a person reads is nobody's business.
      #expect(!text.contains("cats") && !text.contains("User"))
    }
  }

  @Test func `a library without a harvest has numbers, and none has none`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a bird", "--quiet")
    let ended = try await sandbox.media("stats", "--format", "prometheus")
    #expect(ended.status == 0 && value(ended.output, "media_posts") == 1, "\(ended.output)")
    #expect(!ended.output.contains("media_harvest"))
    let missing = try await sandbox.media("stats", "--format", "prometheus", "--library", "\(sandbox.folder)/none")
    #expect(missing.status == 74 && missing.output.isEmpty)
  }

  @Test func `a gallery tells them at an address of their own, in the form that is asked for, and nothing else`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a bird", "--quiet")
    let port = Int.random(in: 20_000..<32_000)
    let serving = try sandbox.begin("serve", "--port", "0", "--metrics", "127.0.0.1:\(port)", "--json")
    _ = try await serving.line("{")
    let base = "http://127.0.0.1:\(port)"
    let curl = "curl -sS -o - -w ' %{http_code} %{content_type}'"
    let old = try await sandbox.bash("\(curl) \(base)/metrics").output
    #expect(old.contains("media_posts 1\n") && old.hasSuffix(" 200 text/plain; version=0.0.4; charset=utf-8"), "\(old)")
    let new = try await sandbox.bash("\(curl) -H 'Accept: application/openmetrics-text' \(base)/metrics").output
    #expect(new.contains("# EOF\n 200 application/openmetrics-text; version=1.0.0; charset=utf-8"), "\(new)")
    for path in ["", "/posts/1", "/status"] {
      #expect(try await sandbox.bash("\(curl) \(base)\(path)").output.contains(" 404 "), "\(path)")
    }
    serving.signal(SIGTERM)
    _ = try await serving.end()
  }

  @Test(
    arguments: ["0.0.0.0:9187", "192.168.1.5:9187", "[::]:9187", "127.0.0.1", "host:9187", "127.0.0.1:99999"],
    [["serve"], ["harvest", "--workers", "1"]])
  func `an address that others reach, or none, is refused`(address: String, command: [String]) async throws {
    let ended = try await Sandbox().run(command + ["--metrics", address])
    #expect(ended.status == 64 && ended.errors.contains("127.0.0.1:9187"), "\(ended.errors)")
  }
}
