import Foundation
import ScriptedOrigin
import Testing

/// A pull that requires a login asks the user for it, and continues.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct LoginOnDemandTests {
  /// A server that shows tags only to logged-in users.
  private var closed: Script {
    var script = Script(posts: 60)
    script.requiresToken = true
    return script
  }

  /// The address of the authorization page, from a screen wide enough for it.
  private func page(_ screen: String) throws -> String {
    String(try #require(screen.firstMatch(of: /http:\S+\/oauth\/authorize\/?\?\S+/)).0)
  }

  @Test func `a command asks, and pulls what waited after the rest`() async throws {
    try await withOrigin(closed) { origin in
      try await withOrigin(Script(posts: 20)) { open in
        let sandbox = try Sandbox()
        try await withTmux(sandbox, columns: 500, rows: 30) { tmux in
          let feeds = "cats@\(origin.url) cats@\(open.url)"
          try await tmux.enter("$MEDIA tag \(feeds) --no-pictures --no-avatars; echo status $?")
          let asked = try await tmux.shows("Code:")
          #expect(asked.contains("20 new"), "\(asked)")
          #expect(asked.contains("only to people who are logged in"))
          try await tmux.enter(try origin.approve(try page(asked)))
          let ended = try await tmux.shows("status 0")
          #expect(ended.contains("Logged in as ada@"))
          #expect(ended.contains("40 new"), "\(ended)")
        }
        #expect(try await sandbox.media("list", "--json", "--limit", "99").lines.count == 60)
      }
    }
  }

  @Test func `a login without a code ends with 77, and can be continued`() async throws {
    try await withOrigin(closed) { origin in
      let sandbox = try Sandbox()
      try await withTmux(sandbox, columns: 300, rows: 30) { tmux in
        try await tmux.enter("$MEDIA tag cats@\(origin.url); echo status $?")
        try await tmux.shows("Code:")
        try await tmux.press("C-d")
        let ended = try await tmux.shows("status 77")
        #expect(ended.contains("media login \(origin.url) --code CODE"), "\(ended)")
      }
    }
  }

  @Test func `the list asks in place, and a search goes on at its server`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      let first = try await sandbox.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", origin.url)
      #expect(first.status == 0)
      try await withTmux(sandbox, columns: 500, rows: 30) { tmux in
        try await tmux.enter("$MEDIA list --tag cats --no-animation")
        try await tmux.shows("refresh in")
        try await tmux.type("/river")
        try await tmux.shows("Tab ask")
        try await tmux.press("Tab")
        let asked = try await tmux.shows("Then paste the code")
        try await tmux.type("a-wrong-code")
        try await tmux.press("Enter")
        try await tmux.shows("expired: paste the code that the page shows now")
        try await tmux.type(try origin.approve(try page(asked)))
        try await tmux.press("Enter")
        // The message of the login may already have given way to that of the search.
        let found = origin.script.posts.filter { $0.caption.contains("river") }.count
        try await tmux.shows("\u{201C}river\u{201D}")
        try await tmux.shows("\(found) posts")
        // Its own list again, according to the recent ones.
        try await tmux.type("t@user1")
        try await tmux.press("Enter")
        let theirs = origin.script.posts.filter { $0.author == 1 }.count
        try await tmux.shows("@user1")
        try await tmux.press("G", until: "\(theirs) posts")
        try await tmux.press("q")
      }
      #expect(try await sandbox.media("list", "--feed", "search:river@\(origin.url)", "--json").lines.count > 0)
      #expect(try await sandbox.media("accounts").output.contains("ada@"))
    }
  }

  @Test func `the list takes the keys of an app where the service wants them, and never shows the secret`() async throws
  {
    var script = Script(posts: 30)
    script.keys = ["my-app": "app-secret-1"]
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await withTmux(sandbox, columns: 500, rows: 30) { tmux in
        try await tmux.enter("$MEDIA list --no-animation --pictures off")
        try await tmux.shows("Nothing here yet.")
        try await tmux.type("tcats@instagram+\(origin.url)")
        try await tmux.press("Enter")
        try await tmux.shows("Client ID ▸")
        try await tmux.type("my-app")
        try await tmux.press("Enter")
        try await tmux.shows("Client secret ▸")
        try await tmux.type("app-secret-1")
        let typed = try await tmux.shows("••••••••••••")
        #expect(!typed.contains("app-secret"))
        try await tmux.press("Enter")
        let asked = try await tmux.shows("Then paste the code")
        try await tmux.type(try origin.approve(try page(asked)))
        try await tmux.press("Enter")
        try await tmux.shows("30 posts")
        try await tmux.press("q")
      }
    }
  }

  @Test func `a remote user's posts are seen while the name is typed, and nothing of them is kept`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      let first = try await sandbox.media("tag", "cats", "--no-pictures", "--no-avatars", "--server", origin.url)
      #expect(first.status == 0)
      try await withTmux(sandbox, columns: 120, rows: 40) { tmux in
        try await tmux.enter("$MEDIA list --tag cats --no-animation --pictures off")
        try await tmux.shows("refresh in")
        let before = origin.requests(to: "/api/v1/accounts").count
        try await tmux.type("t@user1")
        try await tmux.shows("newest posts, not stored")
        #expect(origin.requests(to: "/api/v1/accounts").count <= before + 2)
        try await tmux.type("nobody")
        try await tmux.shows(" has no ")
        try await tmux.press("Escape")
        try await tmux.shows("refresh in")
        try await tmux.press("q")
      }
      #expect(!(try await sandbox.media("gaps", "--json")).output.contains("user:"))
      #expect(try await sandbox.media("list", "--json", "--limit", "99").lines.count == 40)
    }
  }

  @Test func `a tag of several servers is pulled from each, and what both show is kept once`() async throws {
    let script = Script(posts: 30)
    try await withOrigin(script) { one in
      try await withOrigin(script) { other in
        let sandbox = try Sandbox()
        let flags = ["--no-pictures", "--no-avatars", "--json"]
        let ended = try await sandbox.run(["tag", "cats", "--server", one.url, "--server", other.url] + flags)
        #expect(ended.status == 0, "\(ended.errors)")
        let summaries = try ended.objects()
        #expect(summaries.map { $0["feed"] as? String } == ["tag:cats@\(one.url)", "tag:cats@\(other.url)"])
        #expect(summaries.map { $0["posts", "new"] } == [30, 0])
        #expect(summaries.map { $0["posts", "unchanged"] } == [0, 30])
        #expect(try await sandbox.media("list", "--json", "--tag", "cats", "--limit", "99").lines.count == 30)
      }
    }
  }
}
