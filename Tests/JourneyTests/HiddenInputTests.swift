import Foundation
import Testing

/// Prompts that do not show what is typed, in a real pseudo-terminal.
@Suite(.timeLimit(.minutes(10))) struct HiddenInputTests {
  private static let prompts = [
    "login a.example --token-stdin", "login a.example --client-id ID --client-secret-stdin", "serve --set-password",
  ]

  @Test(arguments: prompts, ["INT", "TERM", "HUP"])
  func `a signal at a hidden prompt gives the terminal its echo back`(prompt: String, signal: String) async throws {
    let sandbox = try Sandbox()
    let script = "\(sandbox.folder)/script"
    let lines = """
      "$MEDIA" \(prompt) </dev/tty & child=$!
      until stty -a | grep -q -- ' -echo '; do sleep 0.01; done
      kill -\(signal) $child
      wait $child
      echo "ended by $(kill -l $(($? - 128)))"
      stty -a | grep -o -- '.echo '
      """
    try Data(lines.utf8).write(to: URL(fileURLWithPath: script))
    // Its input stays open: at an end, `script` would end the input of the prompt, too.
    let ended = try await sandbox.start("/usr/bin/env", ["script", "-qec", "bash \(script)", "/dev/null"]).end()
    let lastLines = ended.output.split(whereSeparator: \.isNewline).suffix(2)
    // The prompt's own line may end without a new line.
    #expect(lastLines.first?.hasSuffix("ended by \(signal)") == true, "\(ended.output)")
    #expect(lastLines.last == " echo ", "\(ended.output)")
  }

  @Test(arguments: prompts)
  func `a hidden prompt shows nothing after Ctrl-Z and fg, and gives the echo back meanwhile`(
    prompt: String
  ) async throws {
    let sandbox = try Sandbox()
    let script = "\(sandbox.folder)/script"
    let lines = """
      set -m
      hidden() { for ((i = 0; i < 2000; i++)); do stty -a </dev/tty | grep -q -- ' -echo ' && return; sleep 0.01; done; false; }
      foreground() { read -r _ _ _ _ _ _ _ group _ </proc/$$/stat; kill -$1 -- -$group; }
      { hidden; foreground TSTP; } 2>/dev/null & watching=$!
      "$MEDIA" \(prompt) </dev/tty
      echo
      stty -a | grep -o -- '.echo '
      wait $watching
      stty echo
      { hidden && echo hidden again; foreground TERM; } 2>/dev/null &
      fg %+
      """
    try Data(lines.utf8).write(to: URL(fileURLWithPath: script))
    let ended = try await sandbox.start("/usr/bin/env", ["script", "-qec", "bash \(script)", "/dev/null"]).end()
    let lastLines = ended.output.split(whereSeparator: \.isNewline)
    #expect(lastLines.contains(" echo ") && !lastLines.contains("-echo "), "\(ended.output)")
    #expect(ended.output.contains("hidden again"), "\(ended.output)")
  }
}
