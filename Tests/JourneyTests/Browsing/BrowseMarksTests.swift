import Foundation
import ScriptedOrigin
import Testing

/// Marks in a real terminal, and what the library has of them.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct BrowseMarksTests {
  /// A list in a terminal, of three posts made by hand, the newest of which is post 3.
  private func list(_ body: @escaping @Sendable (Sandbox, Tmux) async throws -> Void) async throws {
    let sandbox = try Sandbox()
    for (day, text) in ["a heron", "a kite", "an owl"].enumerated() {
      try await sandbox.media("add", text, "--start", "2026-01-0\(day + 1) 12:00")
    }
    try await withTmux(sandbox) { tmux in
      try await tmux.enter("$MEDIA list --no-animation --pictures off")
      try await tmux.shows("3 posts")
      try await body(sandbox, tmux)
    }
  }

  /// The numbers of the posts that a filter finds, the newest first.
  private func found(_ sandbox: Sandbox, _ filter: String) async throws -> [Int] {
    try await sandbox.media("list", "--json", filter).objects().compactMap { $0["id"] as? Int }
  }

  @Test func `a person stars, rates and tags a post, and undoes it`() async throws {
    try await list { sandbox, tmux in
      #expect(try await sandbox.media("mark", "1", "--tag", "boat").status == 0)
      try await tmux.shows("+boat")
      try await tmux.type("*")
      try await tmux.shows("★")
      try await tmux.type("4")
      try await tmux.shows("★ 4/5")
      try await tmux.type("+bo")
      try await tmux.shows("▸ bo")
      try await tmux.shows("  boat")
      try await tmux.press("Tab")
      try await tmux.shows("▌ boat")
      try await tmux.press("Enter")
      try await tmux.shows("▌       +boat")
      #expect(try await found(sandbox, "is:favourite rating:4 own:boat") == [3])
      try await tmux.type("uu")
      try await tmux.shows("4/5", gone: true)
      try await tmux.shows("▌       +boat", gone: true)
      #expect(try await found(sandbox, "is:favourite") == [3])
      #expect(try await found(sandbox, "own:boat") == [1])
      try await tmux.type("*")
      try await tmux.shows("No favourite any more.")
      #expect(try await found(sandbox, "is:favourite").isEmpty)
    }
  }

  @Test func `what is selected is rated, seen and deleted in one change each`() async throws {
    try await list { sandbox, tmux in
      try await tmux.type("x")
      try await tmux.press("Down")
      try await tmux.type("X")
      try await tmux.shows("2 selected")
      try await tmux.type("5n")
      try await tmux.shows("5/5 ✓")
      try await tmux.shows("2 posts: seen.")
      #expect(try await found(sandbox, "rating:5 is:seen") == [3, 2])
      try await tmux.type("u")
      try await tmux.shows("✓", gone: true)
      try await tmux.type("d")
      try await tmux.shows("1 post ")
      #expect(try await found(sandbox, "") == [1])
      try await tmux.type("u")
      try await tmux.shows("3 posts")
      try await tmux.type("M")
      try await tmux.shows("3 selected")
      try await tmux.type("u")
      try await tmux.shows("5/5", gone: true)
      try await tmux.press("Escape")
      try await tmux.shows("selected", gone: true)
      #expect(try await found(sandbox, "rating:>0").isEmpty)
    }
  }

  @Test func `a restore and the delete before it are undone one after the other`() async throws {
    try await list { sandbox, tmux in
      try await tmux.type("d")
      try await tmux.shows("2 posts")
      try await tmux.type("R")
      try await tmux.shows("Bring 1 deleted post of this list back?")
      try await tmux.type("y")
      try await tmux.shows("3 posts")
      try await tmux.type("u")
      try await tmux.shows("2 posts")
      try await tmux.type("u")
      try await tmux.shows("3 posts")
      #expect(try await found(sandbox, "") == [3, 2, 1])
    }
  }

  @Test func `what somebody deleted again since stays deleted`() async throws {
    try await list { sandbox, tmux in
      try await tmux.type("d")
      try await tmux.shows("2 posts")
      #expect(try await sandbox.media("restore", "3").status == 0)
      try await tmux.shows("3 posts")
      #expect(try await sandbox.media("delete", "3").status == 0)
      try await tmux.shows("2 posts")
      try await tmux.type("u")
      try await tmux.shows("Not undone: it was changed again since.")
      #expect(try await found(sandbox, "") == [2, 1])
    }
  }

  @Test func `an album is made, filled, shown and left again, and a note is kept`() async throws {
    try await list { sandbox, tmux in
      try await tmux.type("AWinter birds")
      try await tmux.shows("Tab complete")
      try await tmux.press("Enter")
      try await tmux.shows("There is no album “Winter birds”. Enter makes it")
      try await tmux.press("Enter")
      try await tmux.shows("In the new album “Winter birds”.")
      try await tmux.type("Nseen at dawn")
      try await tmux.press("Enter")
      try await tmux.shows("✎")
      #expect(try await found(sandbox, "has:note in:\"Winter birds\"") == [3])
      try await tmux.press("Enter")
      try await tmux.shows("Note: seen at dawn")
      try await tmux.shows("Album: Winter birds")
      try await tmux.press("Escape")
      try await tmux.type("t")
      try await tmux.shows("in:\"Winter birds\"")
      try await tmux.press("Up")
      try await tmux.press("Enter")
      try await tmux.shows("1 post ")
      #expect(try await tmux.screen().hasPrefix(" in:\"Winter birds\""))
      try await tmux.press("Escape")
      try await tmux.shows("3 posts")
      try await tmux.type("uu")
      try await tmux.shows("✎", gone: true)
      #expect(try await sandbox.media("album", "list").output.contains("Winter birds") == false)
      try await tmux.type("tin:nowhere")
      try await tmux.press("Enter")
      try await tmux.shows("there is no album")
    }
  }

  @Test func `marks of another process appear, and media show and the table tell them`() async throws {
    try await list { sandbox, tmux in
      #expect(try await sandbox.media("mark", "3", "--favourite", "--rating", "2", "--note", "mine").status == 0)
      try await tmux.shows("★ 2/5 ✎")
      #expect(try await sandbox.media("mark", "3", "--no-favourite").status == 0)
      try await tmux.shows("★", gone: true)
      let table = try await sandbox.media("list", "--plain").output
      #expect(table.contains(" [2/5] an owl"), "\(table)")
      let shown = try await sandbox.media("show", "3").output
      #expect(shown.contains("\nRating 2 of 5\n\nNote: mine\n"), "\(shown)")
      #expect(try await sandbox.media("searches", "save", "good", "rating:>1").status == 0)
      try await tmux.type("tsaved:good")
      try await tmux.press("Enter")
      try await tmux.shows("1 post ")
      #expect(try await tmux.screen().hasPrefix(" saved:good"))
    }
  }

  @Test func `X selects from a post that is no longer read, and an album gets what is selected in the list's order`()
    async throws
  {
    try await withOrigin(Script(posts: 100)) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("tag", "cats", "--server", origin.url, "--no-pictures", "--no-avatars", "--pages", "9")
      try await withTmux(sandbox) { tmux in
        try await tmux.enter("$MEDIA list --no-animation --pictures off sort:oldest")
        try await tmux.shows("100 posts")
        try await tmux.type("x")
        try await tmux.shows("1 selected")
        try await tmux.type("G")
        try await tmux.shows("●", gone: true)
        try await tmux.type("X")
        try await tmux.shows("100 selected")
        try await tmux.type("AOld")
        try await tmux.press("Enter")
        try await tmux.shows("Enter makes it")
        try await tmux.press("Enter")
        try await tmux.shows("100 posts: in the new album")
      }
      func ids(_ command: String...) async throws -> [Int] {
        try await sandbox.run(command + ["--json"]).objects().compactMap { $0["id"] as? Int }
      }
      let listed = try await ids("list", "sort:oldest", "--limit", "100")
      #expect(listed.count == 100)
      #expect(try await ids("album", "show", "Old") == listed)
    }
  }
}
