import Foundation
import ScriptedOrigin
import Testing

/// The example's output about a library: its lines, reassembled.
private struct Sighting {
  private(set) var posts: Set<Int> = []
  /// The number of lines with each prefix: `+ 7`, `- 7`.
  private(set) var signs: [String: Int] = [:]

  /// Reads up to the end of the last complete change.
  init(_ output: String) throws {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    while let last = lines.last, !last.hasPrefix("= ") { lines.removeLast() }
    for line in lines where !line.hasPrefix("= ") {
      let words = line.split(separator: " ", maxSplits: 2)
      let id = try #require(words.count > 1 ? Int(words[1]) : nil, "\(line)")
      signs["\(words[0]) \(id)", default: 0] += 1
      switch words[0] {
      case "+": try #require(posts.insert(id).inserted, "\(line)")
      case "-": try #require(posts.remove(id) != nil, "\(line)")
      default: try #require(posts.contains(id), "\(line)")
      }
    }
  }

  subscript(sign: String) -> Int { signs[sign] ?? 0 }
}

/// A program that observes a window of a library while the command, another process, changes it.
@Suite(.inFolders, .timeLimit(.minutes(10))) struct WatchTests {
  /// Waits until the example's output meets a condition. If it never does, the test's time limit ends the test.
  private func wait(for watch: Running, until isWanted: (Sighting) -> Bool) async throws {
    while true {
      let isRunning = watch.isRunning
      if isWanted(try Sighting(watch.output)) { return }
      try #require(isRunning, "\(watch.output)\(watch.errors)")
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func listed(_ sandbox: Sandbox) async throws -> Set<Int> {
    Set(try await sandbox.media("list", "--json", "--limit", "1000").objects().compactMap { $0["id"] as? Int })
  }

  @Test func `posts that one process pulls, deletes, restores and adds come and go in another`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      let watch = try sandbox.start(Sandbox.built("media-watch"), [sandbox.library, "200"])
      _ = try await watch.line("= 0 of 0")
      try await sandbox.media("tag", "cats", "--server", origin.url)
      let pulled = try await listed(sandbox)
      #expect(pulled.count == 40)
      try await wait(for: watch) { $0.posts == pulled }
      // The next page comes below the existing posts, which stay.
      try await sandbox.media("tag", "cats", "--server", origin.url, "--pages", "2", "--no-pictures", "--no-avatars")
      let all = try await listed(sandbox)
      #expect(all.count == 60)
      try await wait(for: watch) { $0.posts == all }
      #expect(pulled.allSatisfy { id in (try? Sighting(watch.output))?["+ \(id)"] == 1 })

      let gone = try #require(pulled.min())
      try await sandbox.media("delete", "\(gone)")
      try await wait(for: watch) { $0["- \(gone)"] == 1 && $0.posts == all.subtracting([gone]) }
      try await sandbox.media("restore", "\(gone)")
      try await wait(for: watch) { $0["+ \(gone)"] == 2 && $0.posts == all }
      let made = try #require(try await sandbox.media("add", "a kingfisher", "--json").object()["id"] as? Int)
      try await wait(for: watch) { $0["+ \(made)"] == 1 && $0.posts == all.union([made]) }

      watch.signal(SIGINT)
      let ended = try await watch.end()
      #expect((ended.status, ended.errors) == (0, ""))
      // It was the last process with the library open, and left it as one file.
      #expect(!FileManager.default.fileExists(atPath: "\(sandbox.library)/media.sqlite-wal"))
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `two windows on one library see the same, and one that is full lets the oldest go`() async throws {
    let sandbox = try Sandbox()
    for number in 1...3 { try await sandbox.media("add", "bird number \(number)", "--at", "2026-01-0\(number) 12:00") }
    let program = Sandbox.built("media-watch")
    let narrow = try sandbox.start(program, [sandbox.library, "2"])
    let wide = try sandbox.start(program, [sandbox.library])
    try await wait(for: narrow) { $0.posts == [2, 3] }
    try await wait(for: wide) { $0.posts == [1, 2, 3] }
    try await sandbox.media("add", "bird number 4", "--at", "2026-01-04 12:00")
    try await wait(for: wide) { $0.posts == [1, 2, 3, 4] }
    try await wait(for: narrow) { $0.posts == [3, 4] }
    #expect(narrow.output.contains("= 2 of 4\n"))
    for watch in [narrow, wide] {
      watch.signal(SIGINT)
      #expect(try await watch.end().status == 0)
    }
  }

  @Test func `the example says what it needs, and what is wrong with a folder`() async throws {
    let sandbox = try Sandbox()
    let program = Sandbox.built("media-watch")
    #expect(try await sandbox.start(program, []).end().status == 64)
    let file = "\(sandbox.folder)/file"
    try Data("x".utf8).write(to: URL(fileURLWithPath: file))
    let ended = try await sandbox.start(program, [file]).end()
    #expect(ended.status == 1)
    #expect(ended.errors.hasPrefix("media-watch: \(file)"))
  }

  @Test func `a delegate learns of each row that other processes add and delete`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "bird number 1", "--at", "2026-01-01 12:00")
    let watch = try sandbox.start(Sandbox.built("media-watch-delegate"), [sandbox.library, "5"])
    _ = try await watch.line("= 1 of 1")
    try await sandbox.media("add", "bird number 2", "--at", "2026-01-02 12:00")
    _ = try await watch.line("= 2 of 2")
    try await sandbox.media("delete", "1")
    _ = try await watch.line("- 1 at 1")
    watch.signal(SIGTERM)
    _ = try await watch.end()
    let rows = watch.output.split(separator: "\n").filter { "+-~>".contains($0.first ?? " ") }
    #expect(rows == ["+ 1 at 0", "+ 2 at 0", "- 1 at 1"])
  }

  @Test func `a program of one's own refreshes a tag that another program watches`() async throws {
    try await withOrigin(Script(posts: 30)) { origin in
      let sandbox = try Sandbox()
      let watch = try sandbox.start(Sandbox.built("media-watch"), [sandbox.library, "200"])
      _ = try await watch.line("= 0 of 0")
      let arguments = [sandbox.library, sandbox.configuration, origin.url, "cats"]
      let refresh = try sandbox.start(Sandbox.built("media-refresh"), arguments + ["3600"])
      let line = try await refresh.line("30 new")
      #expect(line.firstMatch(of: /^30 new, \d+ pictures, next \d{4}-\d\d-\d\dT/) != nil, "\(line)")
      let pulled = try await listed(sandbox)
      #expect(pulled.count == 30)
      try await wait(for: watch) { $0.posts == pulled }
      for program in [refresh, watch] {
        program.signal(SIGINT)
        let ended = try await program.end()
        #expect((ended.status, ended.errors) == (0, ""))
      }
      #expect(try await sandbox.media("check").status == 0)
      #expect(origin.critique.isEmpty)
    }
  }

  @Test func `a delegate hears that a refresh begins, what it brought, and when the next one is due`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      let arguments = [sandbox.library, sandbox.configuration, origin.url, "cats"]
      let refresh = try sandbox.start(Sandbox.built("media-refresh-delegate"), arguments)
      let line = try await refresh.line("3 new, next ")
      #expect(!line.hasSuffix("never"))
      #expect(refresh.output.hasPrefix("refreshing tag:cats@\(origin.url)\n"))
      refresh.signal(SIGTERM)
      _ = try await refresh.end()
      let unknown = try sandbox.start(Sandbox.built("media-refresh-delegate"), [])
      #expect(try await unknown.end().status == 64)
    }
  }

  @Test func `strangers' texts do not reach the terminal as commands`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "bird \u{1B}[31mred\u{7}")
    let watch = try sandbox.start(Sandbox.built("media-watch"), [sandbox.library])
    try await wait(for: watch) { $0.posts == [1] }
    #expect(watch.output.contains("bird  [31mred "))
    watch.signal(SIGINT)
    #expect(try await watch.end().status == 0)
  }
}
