import Foundation
import ScriptedOrigin
import Testing

/// The interactive list in a real terminal.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct BrowseTests {
  /// A list in a terminal, with its first page stored.
  private func list(
    _ script: Script = Script(posts: 130), flags: String = "--tag cats --no-animation", columns: Int = 80,
    rows: Int = 24, _ body: @escaping @Sendable (Sandbox, Tmux, Origin) async throws -> Void
  ) async throws {
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      let pull = try await sandbox.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", origin.url)
      #expect(pull.status == 0, "\(pull.errors)")
      try await withTmux(sandbox, columns: columns, rows: rows) { tmux in
        let list = "echo \\$\\$ > $HOME/pid; exec $MEDIA list \(flags)"
        try await tmux.enter("stty -g > $HOME/before; bash -c \"\(list)\"; echo status $?")
        try await tmux.shows("refresh in")
        try await body(sandbox, tmux, origin)
      }
    }
  }

  /// Checks that the shell is back, with its screen and terminal as before.
  private func expectLeft(_ tmux: Tmux, status: Int) async throws {
    let screen = try await tmux.shows("status \(status)")
    #expect(screen.contains("stty -g"), "\(screen)")
    #expect(!screen.contains("refresh in"))
    try await tmux.enter("stty -g | cmp - $HOME/before && echo as it was")
    try await tmux.shows("\nas it was")
  }

  @Test func `a person pages to the third page and its end`() async throws {
    try await list { _, tmux, _ in
      try await tmux.shows("40 posts")
      // A key that is pressed again, because the screen was slow to change, asks for the next page, too.
      try await tmux.press("G", until: "130 posts")
      try await tmux.press("G", until: "This is the end of #cats")
      try await tmux.press("q")
      try await expectLeft(tmux, status: 0)
    }
  }

  @Test func `a person deletes, undoes, adds and searches`() async throws {
    try await list { sandbox, tmux, _ in
      try await tmux.press("d")
      try await tmux.shows("39 posts")
      try await tmux.shows("u undo")
      try await tmux.press("u")
      try await tmux.shows("40 posts")
      try await tmux.type("ahi")
      try await tmux.shows("2 of 3 characters")
      try await tmux.press("Enter")
      try await tmux.type(" there, birds")
      try await tmux.press("Enter")
      try await tmux.shows("Added.")
      #expect(try await sandbox.media("list", "--json", "--limit", "1").output.contains("hi there, birds"))
      try await tmux.type("/zzzqqq")
      try await tmux.shows("No post has these words.")
      try await tmux.press("Escape")
      try await tmux.shows("40 posts")
      try await tmux.press("q")
      try await expectLeft(tmux, status: 0)
    }
  }

  @Test func `a person types a filter, is told of a wrong key, and completes a right one`() async throws {
    try await list { _, tmux, _ in
      try await tmux.shows("40 posts")
      try await tmux.type("/tagg:cats x")
      let told = try await tmux.shows("\"tagg\" is no key of a filter: did you mean tag:?")
      #expect(told.contains("40 posts"), "\(told)")
      // The prompt stays open with what was typed.
      try await tmux.press("Enter")
      try await tmux.press("C-u")
      try await tmux.shows("Search ▸\n")
      try await tmux.type("-ta")
      try await tmux.press("Tab")
      try await tmux.shows("Search ▸ -tag:")
      try await tmux.type("ca")
      try await tmux.press("Tab")
      try await tmux.shows("Search ▸ -tag:cats")
      // It narrows the list of a tag.
      let found = try await tmux.shows("This filter finds no post.")
      #expect(found.contains("#cats") && found.contains("-tag:cats  0 posts"), "\(found)")
      try await tmux.press("Enter")
      try await tmux.shows("Search ▸", gone: true)
      try await tmux.press("Escape")
      try await tmux.shows("40 posts")
      try await tmux.press("q")
      try await expectLeft(tmux, status: 0)
    }
  }

  @Test func `a post that was added is shown and selected, so that the next key changes it`() async throws {
    try await list(flags: "--no-animation") { _, tmux, _ in
      try await tmux.shows("40 posts")
      try await tmux.press("Down")
      try await tmux.type("amine, written today")
      try await tmux.press("Enter")
      try await tmux.shows("Added.")
      try await tmux.shows("41 posts")
      try await tmux.type("e")
      let form = try await tmux.shows("Change the entry")
      #expect(form.contains("mine, written today"), "\(form)")
    }
  }

  @Test(.inFolders) func `a post deleted before q stays deleted, even if another process holds the library meanwhile`()
    async throws
  {
    try await list { sandbox, tmux, _ in
      try await tmux.shows("40 posts")
      let wait = "for i in {1..3000}; do [[ -e $HOME/go ]] && break; sleep 0.03; done"
      let holder = try sandbox.start(
        "/bin/bash",
        [
          "-c",
          """
          echo 'touch $HOME/held; \(wait)' > $HOME/wait
          printf 'BEGIN IMMEDIATE;\\n.shell bash $HOME/wait\\nCOMMIT;\\n' | sqlite3 $MEDIA_HOME/media.sqlite
          """,
        ])
      holder.endInput()
      let held = try await sandbox.bash("\(wait.replacing("/go", with: "/held")); [[ -e $HOME/held ]]")
      #expect(held.status == 0, "\(held.errors)")
      try await tmux.press("d q")
      try await tmux.shows("media: writing what you did; another process holds the library")
      _ = try await sandbox.bash("touch $HOME/go")
      _ = try await holder.end()
      try await expectLeft(tmux, status: 0)
      let left = try await sandbox.bash("$MEDIA list --tag cats --json --limit 100 | wc -l")
      #expect(left.output.trimmingCharacters(in: .whitespacesAndNewlines) == "39")
    }
  }

  @Test func `changes by another process are shown`() async throws {
    try await list { sandbox, tmux, _ in
      #expect(try await sandbox.media("delete", "1", "2").status == 0)
      try await tmux.shows("38 posts")
      #expect(try await sandbox.media("restore", "1").status == 0)
      try await tmux.shows("39 posts")
      try await tmux.press("R")
      try await tmux.shows("Bring 1 deleted post")
      try await tmux.press("y")
      try await tmux.shows("40 posts")
    }
  }

  @Test func `a refresh brings what is new, and a server that is gone is said with the key that tries again`()
    async throws
  {
    try await list(flags: "--tag cats") { _, tmux, origin in
      origin.change { $0.troubles = [.every("/api", .status(403, body: "{\"error\":\"no\"}"))] }
      try await tmux.press("r")
      try await tmux.shows("r tries again")
      try await tmux.press("d")
      try await tmux.shows("39 posts")
      origin.change { $0.troubles = [] }
      try await tmux.press("r")
      try await tmux.shows("r tries again", gone: true)
    }
  }

  @Test func `every key acts while a server takes its time`() async throws {
    try await list { _, tmux, origin in
      origin.change { $0.troubles = [.every("/api", .slow(.seconds(90)))] }
      try await tmux.press("r")
      try await tmux.shows("refreshing…")
      try await tmux.press("?")
      try await tmux.shows("page down")
      try await tmux.press("Escape")
      try await tmux.press("d")
      try await tmux.shows("39 posts")
      try await tmux.press("q")
      try await expectLeft(tmux, status: 0)
    }
  }

  @Test func `a window that changes its size is drawn anew`() async throws {
    try await list { _, tmux, _ in
      for (columns, rows) in [(20, 5), (200, 50), (40, 12), (80, 24)] {
        try await tmux.resize(columns: columns, rows: rows)
        // The terminal's rearrangement of the old screen is visible until the new one is drawn.
        try await tmux.shows(rows > 5 ? "\n\(String(repeating: "─", count: columns))\n" : "\n ? help")
        let lines = try await tmux.screen().split(separator: "\n", omittingEmptySubsequences: false)
        if columns > 20 { #expect(lines.first?.hasPrefix(" #cats") == true) }
        #expect(lines.allSatisfy { $0.count <= columns })
      }
    }
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGSEGV, 139)])
  func `a signal and a crash leave the terminal as it was found`(signal: Int32, status: Int) async throws {
    try await list { sandbox, tmux, _ in
      let killed = try await sandbox.bash("kill -\(signal) $(cat $HOME/pid)")
      #expect(killed.status == 0, "\(killed.errors)")
      try await expectLeft(tmux, status: status)
    }
  }

  @Test func `the list goes to the background and comes back`() async throws {
    try await list { _, tmux, _ in
      try await tmux.press("C-z")
      try await tmux.shows("Stopped")
      try await tmux.enter("stty -g | cmp - $HOME/before && echo as it was")
      try await tmux.shows("\nas it was")
      try await tmux.enter("fg")
      try await tmux.shows("? help")
    }
  }

  @Test func `without a terminal the list stays a table`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a bird on the roof")
    let listed = try await sandbox.media("list")
    #expect(listed.output.hasPrefix("ID"))
    #expect(!listed.output.contains("\u{1B}"))
  }
}
