import Foundation
import Testing

/// A terminal with simulated typing: tmux with a shell.
final class Tmux: Sendable {
  private let sandbox: Sandbox
  private let socket: String
  private let server: Running

  static let isThere = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The server is a program of the test and no daemon: what ends it is known, and it holds no file of the commands that talk
  /// to it.
  init(_ sandbox: Sandbox, columns: Int = 80, rows: Int = 24) async throws {
    (self.sandbox, socket) = (sandbox, "\(sandbox.folder)/tmux")
    server = try sandbox.start("/usr/bin/env", ["tmux", "-S", socket, "-f", "/dev/null", "-D"])
    // -N starts no second server while this one does not listen yet.
    let session = "-N new-session -d -x \(columns) -y \(rows) 'PS1=\"ready> \" exec bash --norc --noprofile'"
    var begun = try await run(session)
    while begun.status != 0, server.isRunning { begun = try await run(session) }
    if begun.status != 0 {
      let ended = try await server.end()
      try #require(begun.status == 0, "tmux ended with \(ended.status): \(begun.errors)\(ended.errors)")
    }
    try await shows("ready>")
  }

  /// The screen's text.
  func screen() async throws -> String { try await run("capture-pane -p").output }

  /// Types text literally.
  func type(_ text: String) async throws { _ = try await run("send-keys -l -- '\(text)'") }

  /// Presses keys by their tmux names.
  func press(_ keys: String) async throws { _ = try await run("send-keys \(keys)") }

  /// Types a line into the shell.
  func enter(_ line: String) async throws {
    try await type(line)
    try await press("Enter")
  }

  func resize(columns: Int, rows: Int) async throws { _ = try await run("resize-window -x \(columns) -y \(rows)") }

  /// Waits until the screen shows, or no longer shows, a text. On timeout the test fails with the screen's text.
  @discardableResult
  func shows(_ word: String, gone: Bool = false, _ location: SourceLocation = #_sourceLocation) async throws -> String {
    // One shell polls: Foundation does not bear thousands of processes.
    let quoted = "'\(word.replacing("'", with: "'\\''"))'"
    let ended = try await sandbox.bash(
      """
      w=\(quoted)
      for ((i = 0; i < 3000; i++)); do
        s=$(tmux -S '\(socket)' -f /dev/null capture-pane -p; echo .)
        [[ $s \(gone ? "!=" : "==") *"$w"* ]] && break
        sleep 0.03
      done
      printf %s "${s%.}"
      exit $((i == 3000))
      """)
    let last = ended.output
    if ended.status == 0 { return last }
    Issue.record("\(gone ? "still" : "never") shown: \(word)\n\(last)", sourceLocation: location)
    throw CancellationError()
  }

  /// Presses a key repeatedly until the screen shows a text. Each press waits until the screen changes, or a slow program would
  /// be moved past the text. A picture that arrives changes it, too: a text that does not stay in sight needs a key that moves by
  /// less than half a screen.
  func press(_ key: String, until word: String, _ location: SourceLocation = #_sourceLocation) async throws {
    // The first line has a clock.
    let below = { (screen: String) in screen.drop { $0 != "\n" } }
    for _ in 0..<100 {
      let before = below(try await screen())
      try await press(key)
      for _ in 0..<40 {
        let now = try await screen()
        if now.contains(word) { return }
        if below(now) != before { break }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    try await shows(word, gone: false, location)
  }

  func end() async throws {
    _ = try await run("kill-server")
    _ = try await server.end()
  }

  private func run(_ words: String) async throws -> Ended {
    try await sandbox.bash("exec tmux -S '\(socket)' -f /dev/null \(words)")
  }
}

/// Runs in a terminal that is closed with the test.
func withTmux(
  _ sandbox: Sandbox, columns: Int = 80, rows: Int = 24, _ body: (Tmux) async throws -> Void
) async throws {
  let tmux = try await Tmux(sandbox, columns: columns, rows: rows)
  do { try await body(tmux) } catch {
    try? await tmux.end()
    throw error
  }
  try await tmux.end()
}
