import Foundation
import ScriptedOrigin
import Testing

/// Tables, posts and progress in a real terminal.
@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
  static let hasTmux = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Text that would take over a terminal: colours, titles, movements, a clearing, a report, C1, bidirectional marks.
  private static let hostile =
    "\u{1B}[31mred\u{1B}[0m \u{1B}]0;owned\u{07} \u{1B}[2J\u{1B}[10;10H \u{9B}5n \u{1B}P1$r\u{1B}\\ \u{202E}evil\u{202C} \r\u{8}x"

  private static var script: Script {
    var script = Script(posts: 12)
    let captions = [
      hostile, "日本語の長い説明文がここに続きます。日本語の長い説明文がここに続きます。", "👩‍👩‍👧‍👦 family 🐈‍⬛ cat 🇩🇪 flag and more words to come",
      "שלום עולם وهذا نص عربي طويل يكتب من اليمين إلى اليسار", "oneverylongwordwithoutanyspace".repeated(8), "",
      "combining e\u{301}\u{301}\u{301}\u{301} marks", "tab\there\nnew line\u{2028}separator",
    ]
    for (index, caption) in captions.enumerated() {
      script.posts[index].overrides = ["content": .text("<p>\(caption)</p>")]
    }
    script.posts[8].overrides = ["spoiler_text": .text(hostile)]
    return script
  }

  /// The screen after a command in a terminal of this size: its lines, its joined lines, its title.
  private func screen(
    _ sandbox: Sandbox, _ command: String, columns: Int, rows: Int
  ) async throws -> (lines: [String], joined: [String], title: String) {
    // Each screen has a server of its own: one that was told to end may still answer for a moment.
    let name = UUID().uuidString.prefix(8)
    let tmux = "tmux -L \(name) -f /dev/null"
    let done = "\(sandbox.folder)/done-\(name)"
    let line = "$MEDIA \(command); touch \(done); sleep 300"
    let ended = try await sandbox.bash(
      """
      export TMUX_TMPDIR="$HOME"
      \(tmux) new-session -d -x \(columns) -y \(rows) '\(line)' || exit 3
      for i in $(seq 2400); do [ -e \(done) ] && break; sleep 0.05; done
      \(tmux) set -g history-limit 10000
      echo title; \(tmux) display-message -p '#{pane_title}'
      echo lines; \(tmux) capture-pane -p -S -
      echo joined; \(tmux) capture-pane -p -J -S -
      \(tmux) kill-server
      """)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    let all = ended.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = try #require(all.firstIndex(of: "lines"))
    let second = try #require(all.lastIndex(of: "joined"))
    let full = { (lines: ArraySlice<String>) in lines.filter { !$0.allSatisfy(\.isWhitespace) } }
    return (full(all[(first + 1)..<second]), full(all[(second + 1)...]), all[..<first].joined())
  }

  private func filled() async throws -> Sandbox {
    try await withOrigin(Self.script) { origin in
      let sandbox = try Sandbox()
      let pull = try await sandbox.media("tag", "cats", "--no-avatars", "--server", origin.url)
      #expect(pull.status == 0, "\(pull.errors)")
      return sandbox
    }
  }

  @Test(
    .enabled(if: hasTmux, "tmux is not installed"), arguments: [(40, 24), (80, 24), (20, 24), (132, 43)])
  func `a list is never wider than its terminal, and text from outside is only text`(
    columns: Int, rows: Int
  ) async throws {
    let sandbox = try await filled()
    let (lines, joined, title) = try await screen(sandbox, "list --plain", columns: columns, rows: rows)
    // A header and one line per post: a post that did not fit would take two lines.
    #expect(joined.count == 13, "\(joined.joined(separator: "\n"))")
    #expect(lines.count == 13)
    #expect(joined.first?.contains("ID") == true)
    #expect(!title.contains("owned"))
    let shown = try await screen(sandbox, "show 1", columns: columns, rows: rows)
    #expect(!shown.title.contains("owned"))
  }

  @Test(.enabled(if: hasTmux, "tmux is not installed"))
  func `a pull's progress is gone when it ends, and its summary stays`() async throws {
    try await withOrigin(Script(posts: 100)) { origin in
      let sandbox = try Sandbox()
      let pull = "tag cats --pages 3 --server \(origin.url)"
      let (_, joined, _) = try await screen(sandbox, pull, columns: 60, rows: 24)
      #expect(joined.count == 1, "\(joined)")
      #expect(joined.first?.hasPrefix("tag:cats@\(origin.url): 3 pages, 100 new") == true)
    }
  }

  @Test func `nothing that steers a terminal leaves a list or a post that is piped`() async throws {
    let sandbox = try await filled()
    try await sandbox.media("add", Self.hostile, "--title", Self.hostile)
    var outputs = [try await sandbox.media("list", "--limit", "100").output]
    for id in 1...13 { outputs.append(try await sandbox.media("show", "\(id)").output) }
    #expect(outputs.joined().contains("red"))
    for scalar in outputs.joined().unicodeScalars where scalar != "\n" {
      let isControl = scalar.properties.generalCategory == .control
      let turns = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      #expect(!isControl && !turns, "U+\(String(scalar.value, radix: 16))")
    }
    #expect(outputs[0].split(separator: "\n").count == 14)
  }

  @Test func `an error's words from outside are harmless too`() async throws {
    let sandbox = try Sandbox()
    for arguments in [["tag", Self.hostile], ["show", Self.hostile], ["settings", Self.hostile], [Self.hostile]] {
      let ended = try await sandbox.run(arguments)
      #expect(ended.status == 64)
      #expect(!ended.errors.contains("\u{1B}"), "\(arguments)")
    }
    let body = "{\"error\":\"\\u001b]0;owned\\u0007 no\"}"
    try await withOrigin(Script(posts: 3, troubles: [.every("/api", .status(403, body: body))])) { origin in
      let login = try await sandbox.media("login", origin.url, "--token-stdin", input: "some-token\n")
      #expect(login.status == 77)
      #expect(!login.errors.contains("\u{1B}"))
      #expect(!login.errors.contains("some-token"))
    }
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
