import Foundation
import Testing

/// The side list in a real terminal.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct BrowseSideTests {
  @Test func `the side list leads to an album and counts what is unseen, where the terminal is wide`() async throws {
    let sandbox = try Sandbox()
    for (day, text) in ["a heron", "a kite", "an owl"].enumerated() {
      try await sandbox.media("add", text, "--start", "2026-01-0\(day + 1) 12:00")
    }
    try await sandbox.media("album", "create", "Winter")
    try await sandbox.media("album", "add", "Winter", "1", "3")
    try await sandbox.media("searches", "save", "flying", "kite OR owl")
    try await withTmux(sandbox) { tmux in
      try await tmux.enter("$MEDIA list --no-animation --pictures off")
      try await tmux.shows("3 posts")
      try await tmux.press("Tab")
      try await tmux.shows("The side list needs 120 columns")
      try await tmux.resize(columns: 200, rows: 50)
      try await tmux.press("Tab")
      try await tmux.shows("▌ flying                  2 │")
      try await tmux.shows("  Winter                  2 │")
      try await tmux.press("Down Enter")
      try await tmux.shows("2 posts")
      try await tmux.shows("a kite", gone: true)
      // What is seen, here or elsewhere, is counted at once.
      try await tmux.type("n")
      try await tmux.shows("  Winter                  1 │")
      _ = try await sandbox.media("mark", "1", "2", "3", "--seen")
      try await tmux.shows("  Winter                    │")
      try await tmux.press("Tab Tab")
      try await tmux.shows("Saved searches", gone: true)
      try await tmux.resize(columns: 80, rows: 24)
      try await tmux.shows("2 posts")
    }
  }
}
