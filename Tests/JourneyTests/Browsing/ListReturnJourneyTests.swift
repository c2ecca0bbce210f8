import Foundation
import ScriptedOrigin
import Testing

/// Requests of the list, remembered choices, and ways back.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Tmux.isThere, "tmux is not installed"), .serialized)
struct ListReturnJourneyTests {
  private func pull(_ sandbox: Sandbox, _ url: String, _ tag: String = "cats") async throws {
    let pull = try await sandbox.media("tag", tag, "--no-pictures", "--no-avatars", "--server", url)
    #expect(pull.status == 0, "\(pull.errors)")
  }

  @Test func `opening asks each feed for one page at most, and Esc leads from a tag to all posts`() async throws {
    let all = Script(posts: 300).posts
    try await withOrigin(Script(posts: Array(all.dropFirst(200)))) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      origin.change { $0.posts = all }
      let before = origin.requests(to: "/api/v1/timelines").count
      try await withTmux(sandbox) { tmux in
        try await tmux.enter("$MEDIA list --tag cats --no-animation --pictures off")
        try await tmux.shows("refresh in")
        try await tmux.shows("80 posts")
        #expect(origin.requests(to: "/api/v1/timelines").count == before + 1)
        #expect(try await sandbox.media("add", "a bird on the roof").status == 0)
        try await tmux.press("Escape")
        try await tmux.shows("All posts")
        try await tmux.shows("81 posts")
        try await tmux.type("tcats")
        try await tmux.press("Enter")
        try await tmux.shows(" #cats")
        try await tmux.type("t")
        try await tmux.shows("Enter shows all posts")
        try await tmux.press("Enter")
        try await tmux.shows("81 posts")
        try await tmux.press("q")
      }
    }
  }

  @Test func `a list opened on an empty library takes part when a pull begins beside it`() async throws {
    try await withOrigin(Script(posts: 60)) { origin in
      let sandbox = try Sandbox()
      try await withTmux(sandbox) { tmux in
        try await tmux.enter("$MEDIA list --no-animation --pictures off")
        try await tmux.shows("Nothing here yet.")
        try await pull(sandbox, origin.url)
        try await tmux.shows("refresh in")
        try await tmux.shows("40 posts")
        let before = origin.requests(to: "/api/v1/timelines").count
        try await tmux.type("r")
        while origin.requests(to: "/api/v1/timelines").count == before { try await Task.sleep(for: .milliseconds(5)) }
        try await tmux.shows("refresh in")
        try await tmux.press("q")
      }
    }
  }

  @Test func `a misspelt name is not remembered, and the feed of a right one is`() async throws {
    var script = Script(posts: 20)
    script.posts[0].tags.append("dogs")
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      try await withTmux(sandbox, columns: 120) { tmux in
        try await tmux.enter("$MEDIA list --no-animation --pictures off")
        try await tmux.shows("refresh in")
        try await tmux.type("t@nobody@\(origin.url)")
        try await tmux.press("Enter")
        try await tmux.shows("r tries again")
        try await tmux.type("tdogs@\(origin.url)")
        try await tmux.press("Enter")
        try await tmux.shows(" #dogs")
        try await tmux.shows("refresh in")
        try await tmux.type("t")
        try await tmux.shows("Show ▸")
        let screen = try await tmux.shows("  dogs@\(origin.url)")
        #expect(!screen.contains("nobody@"), "\(screen)")
        try await tmux.press("Escape")
        try await tmux.press("q")
      }
      #expect(!(try await sandbox.media("gaps", "--json")).output.contains("nobody"))
    }
  }

  @Test func `an account whose host leads to another server is shown there`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      try await withOrigin(Script(posts: 0)) { host in
        host.change { script in
          script.accounts = 0
          script.documents["/.well-known/webfinger"] = ScriptedDocument(
            #"{"links":[{"rel":"self","href":"\#(origin.url)/users/user1"}]}"#, type: "application/jrd+json")
        }
        let sandbox = try Sandbox()
        try await pull(sandbox, origin.url)
        try await withTmux(sandbox, columns: 120) { tmux in
          try await tmux.enter("$MEDIA list --no-animation --pictures off")
          try await tmux.shows("refresh in")
          // Without a preview, the list of the host's own fails first.
          try await tmux.type("t@user1@\(host.url)")
          try await tmux.press("Enter")
          try await tmux.shows(" @user1 ")
          try await tmux.shows("refresh in")
          try await tmux.type("t@user2@\(host.url)")
          try await tmux.shows("newest posts, not stored")
          try await tmux.shows("@user2@\(origin.url)")
          try await tmux.press("Escape")
          try await tmux.press("q")
        }
        let feeds = try await sandbox.media("gaps", "--json").output
        #expect(!feeds.contains(host.url), "\(feeds)")
      }
    }
  }

  @Test func `a login that another process makes ends the hint`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      origin.change { $0.requiresToken = true }
      try await withTmux(sandbox, columns: 120) { tmux in
        try await tmux.enter("$MEDIA list --tag cats --no-animation --pictures off")
        try await tmux.shows("L log in")
        origin.change { $0.requiresToken = false }
        try await tmux.type("r")
        try await tmux.shows("L log in", gone: true)
        try await tmux.press("q")
      }
    }
  }

  @Test func `a server that takes nothing more for a while is not said to answer when asked again`() async throws {
    try await withOrigin(Script(posts: 20)) { origin in
      let sandbox = try Sandbox()
      try await pull(sandbox, origin.url)
      origin.change { $0.troubles = [.every("/api", .status(429, headers: ["Retry-After": "1800"]))] }
      try await withTmux(sandbox, columns: 120) { tmux in
        try await tmux.enter("$MEDIA list --tag cats --no-animation --pictures off")
        let screen = try await tmux.shows("takes no more requests until")
        #expect(!screen.contains("r tries again"), "\(screen)")
        try await tmux.shows("refresh in 30 m")
        try await tmux.press("q")
      }
    }
  }

  @Test func `pictures that failed in an outage come when their host answers again`() async throws {
    var script = Script.each(4)
    script.troubles = [.every("/media", .status(500, body: "no"))]
    try await withOrigin(script) { origin in
      let sandbox = try Sandbox()
      try await sandbox.media("settings", "avatars", "off")
      let pull = try await sandbox.media("tag", "cats", "--server", origin.url, "--no-avatars")
      #expect(pull.status == 1, "\(pull.errors)")
      try await withTmux(sandbox, columns: 100, rows: 30) { tmux in
        try await tmux.enter("$MEDIA list --tag cats --no-animation --pictures blocks")
        try await tmux.shows("failed")
        origin.change { $0.troubles = [] }
        try await tmux.shows("failed", gone: true)
        try await tmux.press("q")
      }
      #expect(try await sandbox.media("list", "--json").lines.allSatisfy { $0.contains("\"stored\"") })
    }
  }

  @Test func `a list of a library that was mistyped does not begin`() async throws {
    let sandbox = try Sandbox()
    let folder = "\(sandbox.folder)/mistyped"
    try await withTmux(sandbox, columns: 200) { tmux in
      try await tmux.enter("$MEDIA list --library \(folder); echo status $?")
      try await tmux.shows("there is no library at")
      try await tmux.shows("status 74")
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
