import Foundation
import Testing

@testable import DemoServer

extension Dialect {
  /// Those of Lemmy's kind.
  static let ofLemmy = allCases.filter { $0.api == .lemmy }
}

/// The demo as a server of Lemmy or PieFed.
@Suite(.timeLimit(.minutes(2))) struct LemmyTests {
  private func base(_ dialect: Dialect) -> String { "/api/\(dialect.lemmyVersion.rawValue)" }

  private func posts(_ answer: Client.Answer) -> [[String: Any]] {
    (answer.object["posts"] ?? answer.object["items"]) as? [[String: Any]] ?? []
  }

  private func ids(_ answer: Client.Answer) -> [Int] {
    posts(answer).compactMap { ($0["post"] as? [String: Any])?["id"] as? Int }
  }

  private func token(_ client: Client, _ dialect: Dialect) async throws -> [String: String] {
    let path = dialect == .lemmy1 ? "account/auth/login" : "user/login"
    let answer = try await client.post(
      "\(base(dialect))/\(path)", body: #"{"username_or_email":"mira","username":"mira","password":"demo"}"#,
      type: "application/json")
    return ["Authorization": "Bearer \(try #require(answer.object["jwt"] as? String))"]
  }

  @Test(arguments: Dialect.ofLemmy)
  func `a community is paged as its software pages, pinned posts first`(dialect: Dialect) async throws {
    try await withDemo(posts: 90, dialect: dialect) { client in
      let sticky = dialect == .piefed ? "&ignore_sticky=true" : ""
      let list = "\(base(dialect))/post/list?community_name=demo&limit=40\(sticky)"
      let headers = try await token(client, dialect)
      var (all, next, pages) = ([Int](), "", 0)
      while pages < 9 {
        let page = try await client.get(list + next, headers: headers)
        all += ids(page)
        pages += 1
        guard let name = page.object["next_page"] as? String else { break }
        next = dialect == .piefed ? "&page=\(name)" : "&page_cursor=\(name)"
      }
      #expect(Set(all).count == 90 && all.count == 90)
      // Lemmy 0.19 names a page below its last one, too.
      #expect(pages == (dialect == .lemmy ? 4 : 3))
      let ordered = dialect == .piefed ? all : Array(all.dropFirst())
      #expect(ordered == ordered.sorted(by: >) && (dialect == .piefed || all[0] < all[1]))
      #expect(try await client.get("\(list)&limit=51", headers: headers).status == 400)
    }
  }

  @Test(arguments: Dialect.ofLemmy)
  func `strangers do not see communities for its own people`(dialect: Dialect) async throws {
    try await withDemo(posts: 200, dialect: dialect) { client in
      let list = "\(base(dialect))/post/list?community_name=stars"
      let own = ids(try await client.get(list, headers: try await token(client, dialect)))
      #expect(!own.isEmpty)
      #expect(ids(try await client.get(list)).isEmpty == (dialect != .piefed))
      let post = try await client.get("\(base(dialect))/post?id=\(own[0])")
      #expect((post.status == 200) == (dialect == .piefed))
    }
  }

  @Test(arguments: Dialect.ofLemmy)
  func `users and searches are found where the software has them`(dialect: Dialect) async throws {
    try await withDemo(posts: 200, dialect: dialect) { client in
      let base = base(dialect)
      let paths: (user: String, search: String) =
        switch dialect {
        case .lemmy1: ("post/list?creator_username=", "post/list?search_term=")
        case .piefed: ("user?include_content=true&username=", "post/list?q=")
        default: ("user?username=", "search?q=")
        }
      #expect(!ids(try await client.get("\(base)/\(paths.user)mira")).isEmpty)
      #expect(try await client.get("\(base)/\(paths.user)nobody").status >= 400)
      let found = posts(try await client.get("\(base)/\(paths.search)%23cats&limit=50"))
      #expect(!found.isEmpty)
      #expect(
        found.allSatisfy {
          (($0["post"] as? [String: Any])?["body"] as? String)?.lowercased().contains("#cats") == true
        })
      let other = try await client.get("/api/\(dialect == .lemmy ? "v4" : "v3")/post/list")
      #expect(other.status == 404 && other.text.hasPrefix("<!"), "another API is a page that is not there")
    }
  }

  @Test(arguments: Dialect.ofLemmy)
  func `a login shows whose it is, wants a code from some, and can be ended`(dialect: Dialect) async throws {
    try await withDemo(dialect: dialect) { client in
      let (base, isNewest) = (base(dialect), dialect == .lemmy1)
      let login = "\(base)/\(isNewest ? "account/auth" : "user")/login"
      func refusal(_ fields: String) async throws -> String {
        try await client.post(login, body: fields, type: "application/json").text
      }
      #expect(
        try await refusal(#"{"username":"mira","username_or_email":"mira","password":"no"}"#).contains(
          "incorrect_login"))
      let named = #""username":"tomasz","username_or_email":"tomasz","password":"demo""#
      #expect(try await refusal("{\(named)}").contains(dialect == .piefed ? "jwt" : "missing_totp_token"))
      let wrong = try await refusal(#"{\#(named),"totp_2fa_token":"1"}"#)
      #expect(wrong.contains(dialect == .piefed ? "jwt" : "incorrect_totp_token"))
      let headers = try await token(client, dialect)
      let owner = "\(base)/\(isNewest ? "account" : "site")"
      #expect(try await client.get(owner, headers: headers).text.contains("Mira Sandqvist"))
      #expect(try await !client.get(owner).text.contains("Mira Sandqvist"))
      let logout = try await client.post(
        login.replacing("login", with: "logout"), body: "", type: "application/json", headers: headers)
      #expect(logout.status == (dialect == .piefed ? 404 : 200))
      #expect(try await client.get(owner, headers: headers).status == (dialect == .piefed ? 200 : 401))
    }
  }
}
