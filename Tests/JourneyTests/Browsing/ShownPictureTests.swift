import Foundation
import ScriptedOrigin
import Testing

/// The pictures of `media show`, drawn by the real `media-picture`.
@Suite(.timeLimit(.minutes(10))) struct ShownPictureTests {
  /// A library with one post that has one picture.
  private func filled(_ picture: [UInt8]) async throws -> Sandbox {
    var sandbox = try Sandbox()
    sandbox.environment["TERM"] = "xterm-256color"
    let file = "\(sandbox.folder)/picture.png"
    try Data(picture).write(to: URL(filePath: file))
    let added = try await sandbox.media("add", "Saw a kingfisher", "--attach", file)
    #expect(added.status == 0, "\(added.errors)")
    return sandbox
  }

  private static let picture = Picture(1)

  @Test(arguments: [
    ("blocks", "\u{1B}[0m"), ("kitty", "\u{1B}_Ga=T"), ("sixel", "\u{1B}P"), ("iterm", "\u{1B}]1337;File=inline=1"),
  ])
  func `a picture is shown in the format that is asked for`(format: String, beginning: String) async throws {
    let sandbox = try await filled(Self.picture.bytes)
    let shown = try await sandbox.media("show", "1", "--pictures", format)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("Saw a kingfisher"))
    #expect(shown.output.contains("\n\n\(beginning)"))
    #expect(shown.errors.isEmpty)
  }

  @Test(arguments: [
    ["show", "1"], ["show", "1", "--pictures", "off"], ["show", "1", "--json", "--pictures", "blocks"],
  ])
  func `without a terminal, or with pictures off, there is no picture`(arguments: [String]) async throws {
    let sandbox = try await filled(Self.picture.bytes)
    let shown = try await sandbox.run(arguments)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(!shown.output.contains("\u{1B}"))
  }

  @Test func `without colours a picture is shapes`() async throws {
    let sandbox = try await filled(Self.picture.bytes)
    let shown = try await sandbox.media("show", "1", "--pictures", "blocks", "--no-color")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(!shown.output.contains("\u{1B}"))
  }

  @Test func `an unknown format is refused`() async throws {
    let refused = try await Sandbox().media("show", "1", "--pictures", "ansi")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("ansi"))
  }

  @Test func `without the program that draws, the post is shown, and one line says why it has no pictures`()
    async throws
  {
    let sandbox = try await filled(Self.picture.bytes)
    try FileManager.default.copyItem(atPath: Sandbox.binary, toPath: "\(sandbox.folder)/media")
    let shown = try await sandbox.bash("PATH=/nonexistent \(sandbox.folder)/media show 1 --pictures blocks")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("Saw a kingfisher"))
    #expect(
      shown.errors
        == "media: pictures are not shown: media-picture, which draws them, is neither beside media nor on PATH\n")
  }

  @Test(.enabled(if: TerminalTests.hasTmux, "tmux is not installed"))
  func `in a terminal a picture is blocks, and no answer of the terminal is left behind as keys`() async throws {
    let sandbox = try await filled(Self.picture.bytes)
    let done = "\(sandbox.folder)/done"
    let ended = try await sandbox.bash(
      """
      export TMUX_TMPDIR="$HOME"
      tmux="tmux -L media -f /dev/null"
      $tmux new-session -d -x 80 -y 40 '$MEDIA show 1; touch \(done); exec cat' || exit 3
      for i in $(seq 400); do [ -e \(done) ] && break; sleep 0.05; done
      $tmux send-keys a n d Enter
      for i in $(seq 100); do $tmux capture-pane -p | grep -q '^and' && break; sleep 0.05; done
      $tmux capture-pane -p
      $tmux kill-server
      """)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
    let after = ended.lines.drop { !$0.hasPrefix("and") }.filter { !$0.allSatisfy(\.isWhitespace) }
    // Once typed, once printed by cat.
    #expect(Array(after) == ["and", "and"], "\(ended.output)")
    #expect(ended.output.contains { ("\u{2580}"..."\u{259F}").contains($0) }, "\(ended.output)")
  }
}
