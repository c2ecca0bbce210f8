import Foundation
import ScriptedOrigin
import Testing

/// Programs started by the list: a picture viewer, and the terminal's clipboard for links.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct ListViewerTests {
  private func house(_ picture: Picture = Picture(1)) async throws -> Household {
    let house = try Household()
    let file = "\(house.folder)/bird.\(picture.fileExtension)"
    try Data(picture.bytes).write(to: URL(filePath: file))
    let added = try await house.media("add", "Saw a kingfisher", "--attach", file)
    #expect(added.status == 0, "\(added.errors)")
    return house
  }

  private func list(of house: Household, _ body: (Tmux) async throws -> Void) async throws {
    try await withTmux(house, columns: 100) { tmux in
      try await tmux.enter("$MEDIA list --no-animation --pictures blocks; echo status $?")
      try await tmux.shows("kingfisher")
      try await body(tmux)
    }
  }

  @Test func `O opens a copy of the picture's own, which nobody else may read or run, by the person's program`()
    async throws
  {
    let picture = Picture(1)
    let house = try await house(picture)
    let seen = "\(house.folder)/seen"
    let line =
      "sh -c 'stat -c %a \"$0\" > \(seen).mode; stat -c %a \"$(dirname \"$0\")\" >> \(seen).mode; "
      + "sha256sum < \"$0\" > \(seen).sum; echo spoilt >> \"$0\"; echo \"$0\" > \(seen)'"
    #expect(try await house.media("settings", "opener", line).status == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(house.library)/config/opener"))
    try await list(of: house) { tmux in
      try await tmux.type("O")
      let found = try await house.bash(
        "for ((i = 0; i < 600; i++)); do [ -s \(seen) ] && exit; sleep 0.05; done; exit 1")
      #expect(found.status == 0)
      try await tmux.type("q")
      try await tmux.shows("status 0")
    }
    let opened = try String(contentsOfFile: seen, encoding: .utf8)
    #expect(opened.hasSuffix(".\(picture.fileExtension)\n"), "\(opened)")
    #expect(!opened.hasPrefix(house.library))
    #expect(try String(contentsOfFile: "\(seen).mode", encoding: .utf8) == "600\n700\n")
    #expect(try String(contentsOfFile: "\(seen).sum", encoding: .utf8).hasPrefix(picture.sha256))
    #expect(try await house.media("check").status == 0)
  }

  @Test func `O says so if no program opens pictures, or if one fails`() async throws {
    let house = try await house()
    try await list(of: house) { tmux in
      try await tmux.type("O")
      try await tmux.shows("no program here opens image/png · media settings opener")
      #expect(try await house.media("settings", "opener", "exit 3; ").status == 0)
      try await tmux.type("O")
      try await tmux.shows("failed with status 3")
      try await tmux.type("q")
      try await tmux.shows("status 0")
    }
  }

  @Test func `y has the terminal copy the link`() async throws {
    try await withOrigin(Script(posts: 3)) { origin in
      let house = try Household()
      let pull = try await house.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", origin.url)
      #expect(pull.status == 0, "\(pull.errors)")
      try await withTmux(house) { tmux in
        try await tmux.enter("tmux set -s set-clipboard on; $MEDIA list --no-animation")
        try await tmux.shows("refresh in")
        try await tmux.type("y")
        try await tmux.shows("Copied, where the terminal allows it: https://origin.example/@")
        try await tmux.type("q")
        try await tmux.enter("tmux show-buffer")
        try await tmux.shows("\nhttps://origin.example/@")
      }
    }
  }
}
