import Foundation
import HTTP
import Posts
import Testing

/// A server of Flickr's API: a key, a person, tags, users and searches.
@Suite(.timeLimit(.minutes(10))) struct FlickrJourneyTests {
  private let browser = Session(agent: "visitor", environment: [:])

  private func withDemo(_ body: (Sandbox, _ url: String) async throws -> Void) async throws {
    let sandbox = try Sandbox()
    let demo = try sandbox.begin("demo", "--port", "0", "--posts", "120", "--dialect", "flickr", "--quiet")
    try await body(sandbox, try await demo.line("http://127.0.0.1:"))
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  @discardableResult private func pull(_ sandbox: Sandbox, _ words: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(words + ["--no-avatars", "--json"])
    try #require(ended.status == 0, "\(words): \(ended.errors)")
    return try ended.object()
  }

  private func logIn(_ sandbox: Sandbox, _ url: String) async throws {
    let login = try await sandbox.media("login", url, "--source", "flickr", "--client-id", "demo-api-key")
    #expect(login.status == 0 && login.errors.contains("Logged in as app@"), "\(login.errors)")
  }

  @Test func `a key lets in, and a tag, a user, a group and a search are pulled`() async throws {
    try await withDemo { sandbox, url in
      let tag = ["tag", "demo", "--source", "flickr", "--server", url, "--all", "--no-avatars", "--json"]
      expect(
        try await sandbox.run(tag), fails: 77,
        saying: "run \"media login \(url) --source flickr --client-id KEY\"", output: true)
      expect(
        try await sandbox.media("login", url, "--source", "flickr", "--client-id", "wrong"), fails: 77,
        saying: "knows no app")
      try await logIn(sandbox, url)
      let pulled = try await sandbox.run(tag + ["--page-size", "10"]).object()
      let count = pulled["posts", "new"] ?? 0
      #expect(count > 80 && pulled["complete"] as? Bool == true && pulled["media", "failed"] == 0, "\(pulled)")
      #expect(pulled["media", "downloaded"] == count, "\(pulled)")
      let again = try await pull(sandbox, "tag", "demo", "--new")
      #expect((again["posts", "new"], again["requests"] as? Int) == (0, 1), "\(again)")
      let two = try await pull(sandbox, "tag", "night sky", "--all")
      #expect(two["posts", "unchanged"] ?? 0 > 0 && two["complete"] as? Bool == true, "\(two)")
      let none = try await pull(sandbox, "tag", "demo,-demo", "--all")
      #expect(none["posts", "unchanged"] == 0, "\(none)")
      for name in ["mira", "1003@N00@\(url)"] {
        let user = try await pull(sandbox, "user", name, "--all")
        #expect(user["posts", "new"] == 0 && user["complete"] as? Bool == true, "\(name): \(user)")
      }
      let group = try await pull(
        sandbox, "user", "!everyday", "--source", "flickr", "--server", url, "--all", "--page-size", "10")
      #expect(group["posts", "new"] == 0 && group["posts", "unchanged"] ?? 0 > 40, "\(group)")
      #expect(try await pull(sandbox, "search", "a", "--server", url, "--all")["posts", "new"] == 0)
      let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      let files = posts.flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
      #expect(files.count == count && files.allSatisfy { $0["state"] as? String == "stored" })
      #expect(!files.contains { ($0["url"] as? String)?.contains("/small/") == true })

      let unlooked = "Some files were not looked at yet"
      for filter in ["has:gps", "has:text camera:leica", "-taken:2001 tag:none"] {
        #expect(try await sandbox.run(["list", filter]).errors.contains(unlooked))
      }
      #expect(try await !sandbox.run(["list", "tag:none"]).errors.contains(unlooked))
      // Files of the demo say nothing of themselves.
      #expect(try await sandbox.media("look", "--only", "facts").status == 0)
      #expect(try await sandbox.run(["list", "camera:leica"]).errors == "No post fits.\n")
      #expect(try await sandbox.run(["list", "has:text"]).errors.contains(unlooked))
      let placed = try await sandbox.media("list", "has:gps", "--json", "--limit", "1000").objects()
      #expect(!placed.isEmpty && placed.count < count / 2)
      let viennese = try await sandbox.media("list", "place:Vienna", "--json", "--limit", "1000").objects()
      let id = try #require(viennese.first?["id"] as? Int)
      #expect(viennese.count < placed.count)
      let shown = try await sandbox.media("show", "\(id)").output
      #expect(
        shown.contains("near Vienna, AT") && shown.components(separatedBy: "(says Flickr)").count == 3, "\(shown)")
      #expect(posts.allSatisfy { $0["visibility"] as? String == "public" && $0["title"] as? String != nil })
      #expect(try await sandbox.media("show", "1").output.contains("Licence: CC BY 2.0 https://creativecommons.org/"))
      let looked = try await sandbox.media("recheck", "--json").objects()
      #expect(looked.allSatisfy { ($0["gone"] as? Int, $0["edited"] as? Int) == (0, 0) }, "\(looked)")
      #expect(try Secrets(in: sandbox).leaks().isEmpty)
    }
  }

  /// Changes a photo of the person who is logged in, by another app.
  private func change(_ sandbox: Sandbox, _ url: String, _ verb: String, _ id: String) async throws -> String {
    let file = try Data(contentsOf: URL(fileURLWithPath: sandbox.configuration + "/accounts.json"))
    let accounts = try JSONDecoder().decode(Accounts.self, from: file).accounts
    let account = try #require(accounts.first { $0.token_secret != nil })
    let keys = OAuthKeys(
      app: "demo-api-key", appSecret: Secret("demo-app-secret"), token: Secret(account.token),
      tokenSecret: account.token_secret.map { Secret($0) })
    let query = [("method", "flickr.photos.\(verb)"), ("photo_id", id), ("description", "another text #demo")]
    let request = Request(.post, Request.address("\(url)/services/rest/", query))
    let signature = OAuthSignature(keys, moment: Int(Date().timeIntervalSince1970), nonce: id)
    return String(decoding: try await browser.transport.send(signature.signing(request)).body, as: UTF8.self)
  }

  private struct Accounts: Decodable {
    struct Account: Decodable { let token: String, token_secret: String? }
    let accounts: [Account]
  }

  @Test func `the address of a search stands for it`() async throws {
    let sandbox = try Sandbox()
    let address = "https://www.flickr.com/search/?text=red%20panda"
    let followed = try await sandbox.media("follow", address, "--unchecked")
    #expect(followed.status == 0, "\(followed.errors)")
    #expect(try await sandbox.media("follows").output.contains("search:red panda@flickr+flickr.com"))
    expect(
      try await sandbox.media("tag", address), fails: 64, saying: "is the address of a search: \"media search URL\"")
    expect(
      try await sandbox.media("search", address, "--server", "flickr.com"), fails: 64,
      saying: "names its server already")
    expect(
      try await sandbox.media("tag", "red panda", "--server", "mastodon.social"), fails: 64, saying: "is not a tag")
  }

  @Test func `a person logs in by the code of a page, signs requests, and sees what keys do not`() async throws {
    try await withDemo { sandbox, url in
      try await logIn(sandbox, url)
      let shown = try await pull(sandbox, "tag", "demo", "--all", "--no-pictures")["posts", "new"] ?? 0
      let keys = ["--source", "flickr", "--client-id", "demo-api-key", "--client-secret-stdin", "--no-browser"]
      let login = try sandbox.begin(["login", url] + keys)
      login.type("demo-app-secret\n")
      let page = try await login.line("\(url)/services/oauth/authorize?perms=read&oauth_token=")
      let token = try #require(Request.parameter("oauth_token", of: page))
      let fields = [("oauth_token", token), ("username", "mira"), ("password", "demo"), ("decision", "allow")]
      let answer = try await browser.transport.send(.form(page, fields))
      let code = String(decoding: answer.body, as: UTF8.self).firstMatch(of: /\d{3}-\d{3}-\d{3}/)?.0
      login.type("\(try #require(code))\n")
      let ended = try await login.end()
      #expect(ended.status == 0 && ended.errors.contains("Logged in as 1001@N00@"), "\(ended.errors)")
      let secrets = try Secrets(in: sandbox)
      secrets.add("demo-app-secret")
      let account = ["--account", "1001@N00@\(Server(url)?.host ?? "")"]
      let more = try await sandbox.run(["tag", "demo", "--all", "--no-pictures", "--no-avatars", "--json"] + account)
      try #require(more.status == 0, "\(more.errors)")
      #expect(try more.object()["posts", "new"] ?? 0 > 0 && more.object()["posts", "unchanged"] == shown)
      let posts = try await sandbox.media("list", "--json", "--limit", "1000").objects()
      #expect(posts.count { $0["sensitive"] as? Bool == true } == posts.count - shown)
      let own = posts.filter { ($0["url"] as? String)?.contains("/photos/mira/") == true }
      let ids = own.compactMap { ($0["url"] as? String)?.split(separator: "/").last.map(String.init) }
      try #require(ids.count >= 2)
      #expect(try await change(sandbox, url, "setMeta", ids[0]).contains(#""stat":"ok""#))
      #expect(try await change(sandbox, url, "delete", ids[1]).contains(#""stat":"ok""#))
      let looked = try await sandbox.run(["recheck", "--json"] + account).object()
      #expect((looked["edited"] as? Int, looked["gone"] as? Int) == (1, 1), "\(looked)")
      #expect(try secrets.leaks().isEmpty)
      let wrong = try await sandbox.run(["login", url] + keys, input: "not-the-secret\n")
      expect(wrong, fails: 77, saying: "knows no app")
    }
  }
}
