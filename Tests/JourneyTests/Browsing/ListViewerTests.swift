import Foundation
import ScriptedOrigin
import Testing

/// Programs started by the list: a picture viewer, and the terminal's clipboard for links.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct ListViewerTests {
  private func sandbox(_ picture: Picture = Picture(1)) async throws -> Sandbox {
    let sandbox = try Sandbox()
    let file = "\(sandbox.folder)/bird.\(picture.fileExtension)"
    try Data(picture.bytes).write(to: URL(filePath: file))
    let added = try await sandbox.media("add", "Saw a kingfisher", "--attach", file)
    #expect(added.status == 0, "\(added.errors)")
    return sandbox
  }

  private func list(of sandbox: Sandbox, _ body: (Tmux) async throws -> Void) async throws {
    try await withTmux(sandbox, columns: 100) { tmux in
      try await tmux.enter("$MEDIA list --no-animation --pictures blocks; echo status $?")
      try await tmux.shows("kingfisher")
      try await body(tmux)
    }
  }

  @Test func `O opens a copy of the picture's own, which nobody else may read or run, by the person's program`()
    async throws
  {
    let picture = Picture(1)
    let sandbox = try await sandbox(picture)
    let seen = "\(sandbox.folder)/seen"
    let line =
      "sh -c 'stat -c %a \"$0\" > \(seen).mode; stat -c %a \"$(dirname \"$0\")\" >> \(seen).mode; "
      + "sha256sum < \"$0\" > \(seen).sum; echo spoilt >> \"$0\"; echo \"$0\" > \(seen)'"
    #expect(try await sandbox.media("settings", "opener", line).status == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(sandbox.library)/config/opener"))
    try await list(of: sandbox) { tmux in
      try await tmux.type("O")
      let found = try await sandbox.bash(
        "for ((i = 0; i < 600; i++)); do [ -s \(seen) ] && exit; sleep 0.05; done; exit 1")
      #expect(found.status == 0)
      try await tmux.type("q")
      try await tmux.shows("status 0")
    }
    let opened = try String(contentsOfFile: seen, encoding: .utf8)
    #expect(opened.hasSuffix(".\(picture.fileExtension)\n"), "\(opened)")
    #expect(!opened.hasPrefix(sandbox.library))
    #expect(try String(contentsOfFile: "\(seen).mode", encoding: .utf8) == "600\n700\n")
    #expect(try String(contentsOfFile: "\(seen).sum", encoding: .utf8).hasPrefix(picture.sha256))
    #expect(try await sandbox.media("check").status == 0)
  }

  @Test func `O says so if no program opens pictures, or if one fails`() async throws {
    let sandbox = try await sandbox()
    try await list(of: sandbox) { tmux in
      try await tmux.type("O")
      try await tmux.shows("no program here opens image/png · media settings opener")
      #expect(try await sandbox.media("settings", "opener", "exit 3; ").status == 0)
      try await tmux.type("O")
      try await tmux.shows("failed with status 3")
      try await tmux.type("q")
      try await tmux.shows("status 0")
    }
  }

  @Test func `y has the terminal copy the link`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      let pull = try await sandbox.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", origin.url)
      #expect(pull.status == 0, "\(pull.errors)")
      try await withTmux(sandbox) { tmux in
        try await tmux.enter("tmux set -s set-clipboard on; $MEDIA list --no-animation; echo status $?")
        try await tmux.shows("refresh in")
        try await tmux.type("y")
        try await tmux.shows("Copied, where the terminal allows it:")
        try await tmux.shows("https://origin.example/@user0/")
        try await tmux.type("q")
        // The list discards what is typed while it ends.
        try await tmux.shows("status 0")
        try await tmux.enter("tmux show-buffer")
        try await tmux.shows("\nhttps://origin.example/@")
      }
    }
  }
}
