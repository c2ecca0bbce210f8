import Foundation
import SQLite
import ScriptedOrigin
import Testing

@testable import Storage

/// The interactive list's calendar, gaps and tags in a real terminal, and the failures it survives.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct BrowseFurtherTests {
  /// Pulls one page of the cats.
  private func pull(_ sandbox: Sandbox, _ url: String, _ flags: String...) async throws {
    let base = ["tag", "cats", "--no-pictures", "--no-avatars", "--server", url]
    let pull = try await sandbox.run(base + flags)
    #expect(pull.status == 0, "\(pull.errors)")
  }

  private func open(_ tmux: Tmux, _ flags: String = "--tag cats --no-animation") async throws {
    try await tmux.enter("$MEDIA list \(flags); echo status $?")
    try await tmux.shows("refresh in")
  }

  private func quit(_ tmux: Tmux) async throws {
    try await tmux.press("q")
    let screen = try await tmux.shows("status 0")
    #expect(!screen.contains("refresh in"))
  }

  @Test func `a person opens the calendar, a day of it and a post of that, and goes back`() async throws {
    try await withOrigin(Script(posts: 130)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      try await withTmux(sandbox) { tmux in
        try await open(tmux)
        try await tmux.shows("40 posts")
        try await tmux.press("c")
        try await tmux.shows("October 2025 · 40 posts")
        try await tmux.press("Enter")
        try await tmux.shows("Thursday, 9 October 2025")
        try await tmux.press("End")
        try await tmux.press("Enter")
        try await tmux.shows("https://origin.example/@")
        try await tmux.press("d")
        try await tmux.press("Escape")
        try await tmux.shows("39 posts")
        // Changes of another process are shown too.
        #expect(try await sandbox.media("delete", "5", "6").status == 0)
        try await tmux.shows("37 posts")
        try await tmux.press("Escape")
        try await tmux.shows("October 2025 · 37 posts")
        try await tmux.press("PageUp")
        try await tmux.shows("September 2025")
        try await tmux.press("Escape")
        try await tmux.shows("refresh in")
        try await quit(tmux)
      }
    }
  }

  /// A library with the newest page and the page below the newest eighty posts, and a gap between.
  private func withGap(_ body: @escaping @Sendable (Origin, Sandbox, Tmux) async throws -> Void) async throws {
    let all = Script(posts: 200).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(80)))) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url, "--pages", "1")
      origin.change { $0.posts = all }
      try await pull(sandbox, origin.url, "--pages", "1")
      try await withTmux(sandbox) { tmux in
        try await open(tmux)
        try await tmux.shows("80 posts")
        try await tmux.press("Down", until: "A gap of 41 m lies here · f fills it")
        try await body(origin, sandbox, tmux)
        #expect(try await sandbox.media("gaps", "--json").output.isEmpty)
        try await tmux.shows("120 posts")
        try await quit(tmux)
      }
    }
  }

  @Test func `a gap is shown where it is, and filled by its key`() async throws {
    try await withGap { origin, _, tmux in
      origin.change { $0.troubles = [.every("/api", .status(403, body: "{\"error\":\"no\"}"))] }
      try await tmux.press("f")
      try await tmux.shows("f tries again")
      origin.change { $0.troubles = [.every("/api", .slow(.seconds(1)))] }
      try await tmux.press("f")
      try await tmux.shows("Filling the gap…")
      try await tmux.shows("120 posts")
      try await tmux.shows("f fills it", gone: true)
    }
  }

  @Test func `a gap that another process fills goes away`() async throws {
    try await withGap { _, sandbox, tmux in
      let filled = try await sandbox.media("gaps", "--fill", "--no-pictures", "--no-avatars")
      #expect(filled.status == 0, "\(filled.errors)")
      try await tmux.shows("f fills it", gone: true)
    }
  }

  @Test func `a server that stops is said, and the list goes on when it is started again`() async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "90")
    let url = try await demo.line("http://127.0.0.1:")
    let first = try await sandbox.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", url)
    #expect(first.status == 0, "\(first.errors)")
    try await withTmux(sandbox) { tmux in
      try await open(tmux)
      demo.signal(SIGTERM)
      _ = try await demo.end()
      try await tmux.press("r")
      try await tmux.shows("r tries again")
      try await tmux.press("Down")
      let port = try #require(url.split(separator: ":").last)
      let again = try sandbox.begin("demo", "--port", String(port.prefix { $0.isNumber }), "--posts", "90")
      _ = try await again.line("http://127.0.0.1:")
      try await tmux.press("r")
      try await tmux.shows("r tries again", gone: true)
      try await quit(tmux)
      again.signal(SIGTERM)
      _ = try await again.end()
    }
  }

  @Test func `a process that is killed while it writes leaves a list that goes on, and says where it was cut short`()
    async throws
  {
    try await withOrigin(Script(posts: 300)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      try await withTmux(sandbox) { tmux in
        try await open(tmux)
        try await tmux.shows("40 posts")
        let before = origin.requests(to: "/api/v1/timelines").count
        origin.change { $0.troubles = [.every("/api/v1/timelines", .slow(.milliseconds(200)))] }
        let other = try sandbox.begin(
          "tag", "cats", "--pages", "7", "--no-pictures", "--no-avatars", "--server", origin.url)
        while origin.requests(to: "/api/v1/timelines").count < before + 4 {
          try await Task.sleep(for: .milliseconds(5))
        }
        other.signal(SIGKILL)
        _ = try await other.end()
        let count = try await sandbox.media("list", "--json", "--limit", "1000").lines.count
        #expect(count > 40)
        try await tmux.shows("\(count) posts")
        try await tmux.press("d")
        try await tmux.shows("\(count - 1) posts")
        // The end of the list continues the rest of that pull.
        origin.change { $0.troubles = [.every("/api", .status(403, body: "{\"error\":\"no\"}"))] }
        try await tmux.press("G")
        try await tmux.shows("↓ tries again")
        origin.change { $0.troubles = [] }
        try await tmux.press("Down")
        try await tmux.shows("\(count - 1) posts", gone: true)
        try await quit(tmux)
      }
      #expect(try await sandbox.media("check").status == 0)
    }
  }

  @Test(.inFolders) func `a list that cannot be read says so, and goes on when it can`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a bird on the roof")
    let database = try Connections("\(sandbox.library)/media.sqlite", .asItIs)
    try await withTmux(sandbox) { tmux in
      try await tmux.enter("$MEDIA list; echo status $?")
      try await tmux.shows("a bird on the roof")
      try rename("change", to: "away", database)
      try await tmux.shows("it is tried again")
      try rename("away", to: "change", database)
      try await tmux.shows("it is tried again", gone: true)
      try await sandbox.media("add", "another bird")
      try await tmux.shows("another bird")
      try await tmux.press("q")
      try await tmux.shows("status 0")
    }
  }

  /// Renames a table without the references to it.
  private func rename(_ table: String, to name: String, _ database: Connections) throws {
    try database.use { db in
      try db.execute("PRAGMA legacy_alter_table = ON; ALTER TABLE \(table) RENAME TO \(name)")
    }
  }

  @Test func `the tags that were chosen last are remembered`() async throws {
    var script = Script(posts: 20)
    for index in script.posts.indices { script.posts[index].tags.append("dogs") }
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      for round in 0..<2 {
        try await withTmux(sandbox) { tmux in
          try await open(tmux, "--no-animation")
          try await tmux.type("t")
          try await tmux.shows(round == 0 ? "  cats@" : "  dogs@")
          if round == 0 { try await tmux.type("dogs@\(origin.url)") } else { try await tmux.press("Up") }
          try await tmux.press("Enter")
          // The rows show the tag, too, and the previous list has its own countdown: the title distinguishes them. The
          // choice is remembered once its posts have come, before the title counts down.
          try await tmux.shows("#dogs  \(origin.url)")
          try await tmux.shows("refresh in")
          try await quit(tmux)
        }
      }
      #expect(!(try await sandbox.media("settings")).output.contains("dogs"))
    }
  }

  @Test func `the shell's screen is whole after the background and the end`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a bird on the roof")
    try await withTmux(sandbox) { tmux in
      for line in 1...3 { try await tmux.enter("echo line \(line) of what was there") }
      try await tmux.shows("\nline 3 of what was there")
      try await tmux.enter("$MEDIA list")
      try await tmux.shows("a bird on the roof")
      for round in 1...2 {
        try await tmux.press("C-z")
        try await tmux.shows("Stopped")
        try await tmux.enter("echo round \(round)")
        try await tmux.shows("\nround \(round)")
        try await tmux.enter("fg")
        try await tmux.shows("a bird on the roof")
      }
      try await tmux.press("q")
      try await tmux.shows("a bird on the roof", gone: true)
      try await tmux.enter("echo the end")
      let screen = try await tmux.shows("\nthe end")
      let lines = screen.split(separator: "\n").map(String.init)
      let wanted = (1...3).map { "line \($0) of what was there" } + ["round 1", "round 2", "the end"]
      #expect(lines.filter { wanted.contains($0) } == wanted, "\(screen)")
      #expect(lines.count { $0.hasSuffix("> fg") } == 2, "\(screen)")
    }
  }
}
