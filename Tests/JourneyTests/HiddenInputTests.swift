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
}
