import Foundation
import Testing

/// A terminal with simulated typing: tmux with a shell.
final class Tmux: Sendable {
  private let house: Household
  private let socket: String

  static let isThere = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init(_ house: Household, columns: Int = 80, rows: Int = 24) async throws {
    (self.house, socket) = (house, "\(house.folder)/tmux")
    let begun = try await run("new-session -d -x \(columns) -y \(rows) 'PS1=\"ready> \" exec bash --norc --noprofile'")
    try #require(begun.status == 0, "\(begun.errors)")
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
    let ended = try await house.bash(
      """
      w=\(quoted)
      for ((i = 0; i < 3000; i++)); do
        s=$(env -u TMUX tmux -S '\(socket)' -f /dev/null capture-pane -p; echo .)
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

  /// Presses a key repeatedly until the screen shows a text.
  func press(_ key: String, until word: String, _ location: SourceLocation = #_sourceLocation) async throws {
    for _ in 0..<100 {
      try await press(key)
      try await Task.sleep(for: .milliseconds(50))
      if try await screen().contains(word) { return }
    }
    try await shows(word, gone: false, location)
  }

  func end() async throws { _ = try await run("kill-server") }

  private func run(_ words: String) async throws -> Ended {
    // Its server lives on: it must not hold the pipe whose end means that the command has ended.
    let closing = "for f in /proc/self/fd/*; do f=${f##*/}; [ $f -le 2 ] || eval \"exec $f>&-\"; done"
    return try await house.bash("(\(closing); exec env -u TMUX tmux -S '\(socket)' -f /dev/null \(words))")
  }
}

/// Runs in a terminal that is closed with the test.
func withTmux(
  _ house: Household, columns: Int = 80, rows: Int = 24, _ body: (Tmux) async throws -> Void
) async throws {
  let tmux = try await Tmux(house, columns: columns, rows: rows)
  do { try await body(tmux) } catch {
    try? await tmux.end()
    throw error
  }
  try await tmux.end()
}
