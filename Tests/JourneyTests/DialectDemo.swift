import Foundation
import HTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A demo that imitates another kind of server, a logged-in sandbox, and the truth to which both are compared.
struct DialectDemo {
  let sandbox: Sandbox
  let url: String
  private let demo: Running
  private let dialect: String
  private let posts: Int
  private let browser = Session(agent: "visitor", environment: [:])

  init(_ dialect: String, posts: Int) async throws {
    sandbox = try Sandbox()
    demo = try sandbox.begin("demo", "--port", "0", "--posts", "\(posts)", "--dialect", dialect)
    url = try await demo.line("http://127.0.0.1:")
    (self.dialect, self.posts) = (dialect, posts)
    let login = try sandbox.begin("login", url, "--no-browser")
    login.type(try await Visitor().code(from: try await login.line("\(url)/oauth/authorize?")) + "\n")
    let ended = try await login.end()
    try #require(ended.status == 0, "\(ended.errors)")
  }

  func end() async throws {
    demo.signal(SIGTERM)
    _ = try await demo.end()
  }

  /// Restarts the demo at the same port with the same pictures. It forgets its counters.
  func restart() async throws -> Running {
    try await end()
    let port = try #require(url.split(separator: ":").last.map(String.init))
    let again = try sandbox.begin("demo", "--port", port, "--posts", "\(posts)", "--dialect", dialect)
    _ = try await again.line("http://127.0.0.1:")
    return again
  }

  /// Runs a pull without pictures. Returns its summary.
  func pull(_ words: String...) async throws -> [String: any Sendable] {
    let ended = try await sandbox.run(words + ["--no-pictures", "--no-avatars", "--json"])
    try #require(ended.status == 0, "\(words): \(ended.errors)")
    return try ended.object()
  }

  func listed() async throws -> [[String: any Sendable]] {
    try await sandbox.media("list", "--json", "--limit", "10000").objects()
  }

  // MARK: The truth

  func answer(_ path: String, _ headers: Headers = [:]) async throws -> Response {
    try await browser.transport.send(Request(.get, url + path, headers: headers))
  }

  /// All posts of a timeline as the server shows them, newest first.
  func timeline(_ path: String) async throws -> [[String: any Sendable]] {
    var all: [[String: any Sendable]] = []
    while true {
      let below = all.last.flatMap { $0["id"] as? String }.map { "&max_id=\($0)" } ?? ""
      let body = Data(try await answer("\(path)?limit=40\(below)").body)
      let page = try #require(try JSONSerialization.jsonObject(with: body) as? [[String: any Sendable]])
      if page.isEmpty { return all }
      all += page
    }
  }

  /// Edits a post of the logged-in user by another app. Returns it before and after.
  func edit(to text: String) async throws -> (before: [String: any Sendable], after: [String: any Sendable]) {
    let paste = "urn:ietf:wg:oauth:2.0:oob"
    let app: [(String, String)] = [("client_name", "editor"), ("redirect_uris", paste), ("scopes", "write")]
    let keys = try await object(.form("\(url)/api/v1/apps", app))
    let (id, secret) = (keys["client_id"] as? String ?? "", keys["client_secret"] as? String ?? "")
    let keysAndPaste = [("client_id", id), ("redirect_uri", paste)]
    let consent = [("response_type", "code"), ("scope", "write"), ("decision", "approve")] + keysAndPaste
    let person = [("username", "mira"), ("password", "demo")]
    let page = try await browser.transport.send(.form("\(url)/oauth/authorize", consent + person))
    let code = try #require(String(decoding: page.body, as: UTF8.self).firstMatch(of: /id="code">([^<]+)</)).1
    let grant =
      [("grant_type", "authorization_code"), ("code", String(code)), ("client_secret", secret)] + keysAndPaste
    let token = try #require(try await object(.form("\(url)/oauth/token", grant))["access_token"] as? String)
    let own = try await timeline("/api/v1/accounts/1001/statuses").first { $0["reblog"] is NSNull }
    let before = try #require(own)
    var request = URLRequest(url: try #require(URL(string: "\(url)/api/v1/statuses/\(before["id"] as? String ?? "")")))
    request.httpMethod = "PUT"
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONSerialization.data(withJSONObject: ["status": text])
    let (data, _) = try await URLSession.shared.data(for: request)
    let after = try #require(try JSONSerialization.jsonObject(with: data) as? [String: any Sendable])
    try #require(after["uri"] as? String == before["uri"] as? String, "\(after)")
    return (before, after)
  }

  private func object(_ request: Request) async throws -> [String: any Sendable] {
    let body = Data(try await browser.transport.send(request).body)
    return try #require(try JSONSerialization.jsonObject(with: body) as? [String: any Sendable])
  }
}

extension DialectDemo {
  /// Reads a tag page by page, continues, and fills the gaps, whatever the dates on its pages: the newest post is a day
  /// older than the one below it.
  func readLatePosts() async throws {
    let all = try await timeline("/api/v1/timelines/tag/demo")
    let dates = all.compactMap { $0["created_at"] as? String }
    try #require(dates.count == posts && dates[0] < dates[1])
    let tag = ["tag", "demo", "--server", url, "--page-size", "10"]
    for flags in [["--all", "--pages", "1"], ["--resume", "--pages", "1"]] {
      let ended = try await sandbox.run(tag + flags + ["--no-pictures", "--no-avatars", "--json"])
      try #require(ended.status == 0, "\(flags): \(ended.errors)")
      #expect(try ended.object()["posts", "new"] == 10)
    }
    _ = try await pull("gaps", "--fill", "--page-size", "10")
    #expect(try await sandbox.media("gaps", "--json").output.isEmpty)
    let stored = try await listed()
    let urls = [stored, all].map { posts in posts.compactMap { $0["url"] as? String }.sorted() }
    #expect(urls[0] == urls[1])
    // Both print times in UTC; the server's fractions and zones differ from post to post.
    func seconds(_ posts: [[String: any Sendable]]) -> [String] {
      posts.compactMap { ($0["created_at"] as? String)?.prefix(19) }.map(String.init).sorted()
    }
    #expect(seconds(stored) == seconds(all))
  }
}
