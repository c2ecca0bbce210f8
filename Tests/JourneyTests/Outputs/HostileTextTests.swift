import ArgumentParser
import Foundation
import HTTP
import Login
import Posts
import ScriptedOrigin
import Testing

@testable import media

/// Whatever strangers write, and whatever is typed: the built command's output steers no terminal.
@Suite(.timeLimit(.minutes(10))) struct HostileTextTests {
  /// A cleared screen, a title, an 8-bit sequence, reversed text, invisible letters, line ends and marks.
  private static let evil =
    "e\u{1B}[2J\u{1B}]0;pwned\u{7}\u{9B}31m\u{202E}v\u{2066}i\u{200F}l\u{E0041}\u{2028}=cmd|'/c'!A1 ../../etc/passwd"
    + String(repeating: "\u{301}", count: 500) + "<script>"

  private static func script() -> Script {
    var script = Script(posts: 3)
    for index in script.posts.indices {
      script.posts[index].html = "<p>\(evil)</p>"
      script.posts[index].warning = evil
      for number in script.posts[index].attachments.indices { script.posts[index].attachments[number].alt = evil }
      script.posts[index].overrides = [
        "url": .text("https://origin.example/@a/\(index)?\(evil)"),
        "tags": [["name": "cats"], ["name": .text("cats\(evil)")]],
        "account": [
          "id": "9000", "username": "a", "acct": "a\u{202E}b", "display_name": .text(evil),
          "url": "https://origin.example/@a", "uri": "https://origin.example/users/a",
          "avatar": "https://origin.example/a.png",
        ],
      ]
    }
    return script
  }

  private func steers(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n"
      case .lineSeparator, .paragraphSeparator: true
      default: scalar.properties.isBidiControl || (0xE0000...0xE007F).contains(scalar.value)
      }
    }
  }

  /// Runs a command and checks all its output.
  @discardableResult
  private func say(_ sandbox: Sandbox, _ arguments: String...) async throws -> Ended {
    let ended = try await sandbox.run(arguments)
    #expect(!steers(ended.output), "\(arguments): \(ended.output.debugDescription)")
    #expect(!steers(ended.errors), "\(arguments): \(ended.errors.debugDescription)")
    return ended
  }

  @Test func `a hostile post is harmless wherever it is printed`() async throws {
    try await withOrigin(Self.script()) { origin in
      let sandbox = try Sandbox(ceiling: Sandbox.narrow)
      let pulled = try await say(sandbox, "tag", "cats", "--no-pictures", "--verbose", "--server", origin.url)
      #expect(pulled.status == 0, "\(pulled.errors)")
      let listed = try await say(sandbox, "list")
      #expect(listed.output.contains("e[2J]0;pwned"), "\(listed.output)")
      #expect(try await say(sandbox, "show", "1").output.contains("=cmd|'/c'!A1"))
      let post = try #require(try await say(sandbox, "list", "--json").objects().first)
      // Programs read the data unchanged.
      let caption = try #require(post["caption"] as? String)
      #expect(caption.contains("\u{202E}v\u{2066}i\u{200F}l\u{E0041}"))
      for command in [["show", "1", "--json"], ["stats"], ["check"], ["gaps"], ["follows"], ["accounts"]] {
        #expect(!steers(try await sandbox.run(command).output), "\(command)")
      }
    }
  }

  @Test(.inFolders) func `no file is named by a stranger`() async throws {
    try await withOrigin(Self.script()) { origin in
      let sandbox = try Sandbox(ceiling: Sandbox.narrow)
      try await say(sandbox, "tag", "cats", "--server", origin.url)
      try await say(sandbox, "tag", "../../\u{202E}cats", "--server", origin.url)
      try await say(sandbox, "tag", "..", "--server", origin.url)
      let found = try await sandbox.bash("cd '\(sandbox.folder)' && find . -mindepth 1")
      let names = found.output.split(separator: "\n")
      #expect(names.contains { $0.contains("/blobs/") && $0.count > 64 }, "\(names)")
      // Our own names: lower-case words, numbers and hashes.
      let own = Set("abcdefghijklmnopqrstuvwxyz0123456789.-/")
      let strange = names.map { name in (name, name.filter { !own.contains($0) }) }.filter { !$0.1.isEmpty }
      #expect(strange.isEmpty)
    }
  }

  @Test func `no other address than one of the web is opened`() {
    for url in ["https://a.example/?q=1", "http://127.0.0.1:8080/", "HTTPS://A.example"] { #expect(Browser.takes(url)) }
    for url in [
      "file:///etc/passwd", "-x", "javascript:alert(1)", "mailto:a@b.c", "", "https:/a", "http://a\nb", " http://a",
    ] {
      #expect(!Browser.takes(url), "\(url)")
    }
  }

  @Test func `a hostile feed is harmless in harvests, their ledger and their notices`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox(ceiling: Sandbox.narrow)
      let evil = "e&#x9B;2J&#x202E;v\u{2066}il&#x85;"
      let item =
        "<item><guid>urn:1</guid><title>\(evil)</title><link>\(origin.url)/1</link><description>\(evil)</description>"
        + "<pubDate>Fri, 20 Nov 2026 09:00:00 GMT</pubDate></item>"
      origin.change {
        $0.documents["/feed"] = ScriptedDocument(
          "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(evil)</title>\(item)</channel></rss>")
      }
      #expect(try await say(sandbox, "follow", "\(origin.url)/feed").status == 0)
      try await say(sandbox, "harvest")
      #expect(try await say(sandbox, "list").output.contains("2Jvil"))
      let follows = try await say(sandbox, "follows").output
      #expect(follows.contains("2Jvil"), "\(follows.debugDescription)")
      try await say(sandbox, "runs", "--last")
      origin.change { $0.documents["/feed"] = ScriptedDocument("\u{1B}[2J\u{202E}gone", type: "text/\u{9B}html") }
      try await say(sandbox, "harvest", "\(origin.url)/feed")
      #expect(try await say(sandbox, "runs", "--last").output.contains("\(origin.url)/feed") == false)
      try await say(sandbox, "follows", "--json")
      try await say(sandbox, "runs", "--json")
    }
  }

  @Test func `a hostile login is harmless in every line about it`() async throws {
    try await withOrigin(Script()) { origin in
      let sandbox = try Sandbox(ceiling: Sandbox.narrow)
      let account = Account(
        server: try #require(Server(origin.url)), handle: "\(Self.evil)@127.0.0.1", name: Self.evil,
        token: Secret("scripted-token"), scopes: [Self.evil], created: Date(), expires: Date().addingTimeInterval(9000))
      try Accounts(folder: sandbox.configuration).keep(account)
      #expect(try await say(sandbox, "accounts").output.contains("]0;pwned"))
      try await say(sandbox, "accounts", "--json")
      #expect(try await say(sandbox, "logout").errors.contains("]0;pwned"))
    }
  }

  @Test(arguments: [
    ["tag", evil], ["tag", "cats", "--server", evil], ["feed", evil], ["show", evil], ["list", "--day", evil],
    ["follow", evil], ["unfollow", evil], ["settings", evil], ["settings", "refresh", evil], [evil],
    ["list", "--\(evil)"],
    ["tag", "cats", "--account", evil], ["login", "--source", evil, "mastodon.social"], ["recheck", evil],
    ["schedule", "install", "--every", evil], ["list", "--library", "/dev/null/\(evil)"],
    ["add", "x", "--attach", evil],
    ["tag", "cats", "--ca-file", evil],
  ])
  func `a hostile argument is harmless in what is said of it`(arguments: [String]) async throws {
    let ended = try await Sandbox(ceiling: Sandbox.narrow).run(arguments)
    #expect(ended.status != 0)
    #expect(!steers(ended.output + ended.errors), "\(ended.errors.debugDescription)")
  }

  @Test func `scripts and the manual come as they were made`() async throws {
    let sandbox = try Sandbox(ceiling: Sandbox.narrow)
    for (shell, kind) in [("bash", CompletionShell.bash), ("zsh", .zsh), ("fish", .fish)] {
      let script = try await sandbox.media("completions", shell).output
      let others = Media.completionScript(for: kind).split(separator: "\n").filter { !script.contains($0) }
      // In zsh's, one line is another one, for names with spaces.
      #expect(others.count == (kind == .zsh ? 1 : 0), "\(shell): \(others)")
    }
    let tool = try JSONDecoder().decode(ManualPage.Tool.self, from: Data(Media._dumpHelp().utf8))
    let page = ManualPage(tool.command, version: Media.version, date: Media.date)
    #expect(try await sandbox.media("manual").output == page.text)
    #expect(try await sandbox.media("--help").output == HelpText(Media.helpMessage()).text)
  }
}
