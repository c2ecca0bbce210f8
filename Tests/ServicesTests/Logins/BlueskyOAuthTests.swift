import Foundation
import HTTP
import Posts
import Services
import Synchronization
import Testing

@testable import Login

/// Numbers that grow.
private final class Counted: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

/// A login on a page, with tokens that are bound to a key.
struct BlueskyOAuthTests {
  private static let did = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"
  private static let resource = "/.well-known/oauth-protected-resource"
  private static let metadata = "/.well-known/oauth-authorization-server"
  private static let pages = [
    "/xrpc/com.atproto.identity.resolveHandle": #"{"did":"\#(did)"}"#,
    "/\(did)": """
    {"id":"\(did)","alsoKnownAs":["at://ann.example"],"service":[{"id":"#atproto_pds",
    "serviceEndpoint":"https://cats.example"}]}
    """,
    resource: #"{"resource":"https://cats.example","authorization_servers":["https://auth.example"]}"#,
    metadata: described(),
    "/par": #"{"request_uri":"urn:ietf:params:oauth:request_uri:one","expires_in":300}"#,
    "/token": granted(1),
    "/revoke": "{}",
  ]

  private static func described(_ changed: [String: String] = [:]) -> String {
    var fields = [
      "issuer": #""https://auth.example""#, "authorization_endpoint": #""https://auth.example/authorize""#,
      "token_endpoint": #""https://auth.example/token""#, "revocation_endpoint": #""https://auth.example/revoke""#,
      "pushed_authorization_request_endpoint": #""https://auth.example/par""#,
      "response_types_supported": #"["code"]"#,
      "grant_types_supported": #"["authorization_code","refresh_token"]"#,
      "code_challenge_methods_supported": #"["S256"]"#,
      "token_endpoint_auth_methods_supported": #"["none","private_key_jwt"]"#,
      "scopes_supported": #"["atproto"]"#, "dpop_signing_alg_values_supported": #"["ES256"]"#,
      "authorization_response_iss_parameter_supported": "true", "require_pushed_authorization_requests": "true",
      "client_id_metadata_document_supported": "true",
    ]
    fields.merge(changed) { $1 }
    return "{\(fields.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
  }

  private static func granted(_ number: Int, sub: String = did, type: String = "DPoP", scope: String = "atproto")
    -> String
  {
    """
    {"access_token":"access\(number)","token_type":"\(type)","expires_in":3600,"refresh_token":"refresh\(number)",
    "scope":"\(scope)","sub":"\(sub)"}
    """
  }

  private func desk(_ changed: [String: String] = [:]) -> Desk {
    let pages = Self.pages.merging(changed) { $1 }
    return Desk(InMemoryAuthServer(pages.mapValues { page in { _ in InMemoryAuthServer.json(page) } }))
  }

  private func begin(_ desk: Desk, _ name: String = "@ann.example") async throws -> Authorization {
    try await desk.flow.begin(name, at: desk.server, source: .bluesky)
  }

  /// The address on which the person ends.
  private func ended(_ page: Authorization, issuer: String? = "https://auth.example", state: String? = nil) -> String {
    let issuer = issuer.map { "&iss=\(Request.percentEncoded($0))" } ?? ""
    return "http://127.0.0.1/?code=c1&state=\(state ?? page.login.state.reveal())\(issuer)"
  }

  private func form(_ request: Request?) -> [String: String] {
    InMemoryAuthServer.fields(String(decoding: request?.body ?? [], as: UTF8.self))
  }

  private func requests(_ desk: Desk, _ path: String) -> [Request] {
    desk.authServer.requests.filter { URLComponents(string: $0.url)?.path == path }
  }

  @Test func `a person logs in on the page of the server that the account's server names`() async throws {
    let desk = desk()
    let page = try await begin(desk)
    #expect(
      page.leadsElsewhere && page.url.hasPrefix("https://auth.example/authorize?client_id=http%3A%2F%2Flocalhost%3F"))
    #expect(page.url.hasSuffix("&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aone"))
    let account = try await desk.finished(page, ended(page))
    #expect((account.handle, account.remoteID, account.server) == ("ann.example", Self.did, desk.server))
    #expect(account.expires == account.created.addingTimeInterval(3600))
    #expect(account.ends == account.created.addingTimeInterval(14 * 86_400))
    #expect(account.binding?.home == desk.server)
    #expect(try desk.accounts.all() == [account])

    let (pushed, traded) = (form(requests(desk, "/par").first), form(requests(desk, "/token").first))
    #expect(pushed["scope"]?.hasPrefix("atproto rpc:app.bsky.feed.searchPosts?aud=* ") == true)
    #expect(
      pushed["client_id"]?.hasPrefix("http://localhost?redirect_uri=http%3A%2F%2F127.0.0.1%2F&scope=atproto%20rpc")
        == true)
    #expect(pushed["code_challenge"] == base64URL(Digest.sha256(Array((traded["code_verifier"] ?? "").utf8))))
    #expect(pushed["client_id"] == traded["client_id"] && traded["code"] == "c1")
    // All of these servers were named by others, and none may lie in the private network.
    let others = desk.authServer.requests.dropFirst(2)
    #expect(others.allSatisfy { $0.referrer == "https://cats.example" })
    #expect(others.dropFirst(2).allSatisfy { $0.url.hasPrefix("https://auth.example/") && $0.headers["DPoP"] != nil })
    #expect(others.dropFirst(2).count == 2)
  }

  @Test func `a server that knows no narrow permissions is asked for the wide one`() async throws {
    let desk = desk()
    desk.authServer.answer("/par") { request in
      String(decoding: request.body ?? [], as: UTF8.self).contains("rpc")
        ? InMemoryAuthServer.json(#"{"error":"invalid_scope"}"#, status: 400)
        : InMemoryAuthServer.json(#"{"request_uri":"urn:two"}"#, status: 201)
    }
    #expect(try await begin(desk).scopes == ["atproto", "transition:generic"])
  }

  @Test(arguments: [
    (resource, "{}"),
    (resource, #"{"resource":"https://dogs.example","authorization_servers":["https://auth.example"]}"#),
    (
      resource,
      #"{"resource":"https://cats.example","authorization_servers":["https://a.example","https://b.example"]}"#
    ),
    (resource, #"{"resource":"https://cats.example","authorization_servers":["http://auth.example"]}"#),
    (resource, #"{"resource":"https://cats.example","authorization_servers":["https://auth.example/path"]}"#),
    (metadata, described(["issuer": #""https://other.example""#])),
    (metadata, described(["token_endpoint": #""https://other.example/token""#])),
    (metadata, described(["pushed_authorization_request_endpoint": "null"])),
    (metadata, described(["code_challenge_methods_supported": #"["plain"]"#])),
    (metadata, described(["dpop_signing_alg_values_supported": #"["RS256"]"#])),
    (metadata, described(["authorization_response_iss_parameter_supported": "false"])),
    (metadata, "[]"),
    ("/par", #"{"error":"use_dpop_nonce"}"#), ("/par", #"{"request_uri":"https://a.example/ b"}"#),
    ("/par", #"{"request_uri":"urn:\u001b[2J"}"#), ("/par", #"{"request_uri":""}"#), ("/par", "<html>"),
  ])
  func `servers that do not keep to the profile get no login`(path: String, answer: String) async throws {
    let desk = desk([path: answer])
    let error = await #expect(throws: LoginError.self) { try await begin(desk) }
    #expect(error?.exitCode == .unavailable || error?.exitCode == .unreadable, "\(String(describing: error))")
    #expect(error?.description.contains("\u{1B}") == false)
    #expect(requests(desk, "/token").isEmpty && !desk.written.contains("pushed"))
  }

  @Test func `a request that the server refuses is told with its reason`() async throws {
    let desk = desk()
    desk.authServer.answer("/par") { _ in
      InMemoryAuthServer.json(#"{"error":"invalid_client","error_description":"no \u001b[31mlocalhost"}"#, status: 400)
    }
    let error = await #expect(throws: LoginError.self) { try await begin(desk) }
    #expect(
      error?.description == "\(desk.server) has no page for this login (no [31mlocalhost): "
        + "run \"media login \(desk.server)\" and give an app password")
  }

  @Test func `a server that asks for another nonce each time is left`() async throws {
    let (desk, count) = (desk(), Counted())
    desk.authServer.answer("/par") { _ in
      let number = count.next()
      var response = InMemoryAuthServer.json(#"{"error":"use_dpop_nonce"}"#, status: 400)
      response.headers["DPoP-Nonce"] = "nonce\(number)"
      return response
    }
    let error = await #expect(throws: LoginError.self) { try await begin(desk) }
    #expect(error?.summary == "the answer of auth.example cannot be read (it asks for another nonce each time)")
    #expect(count.next() == 4)
  }

  @Test(arguments: ["ann", "ann@mail.example", "", "@", "a b.example/"])
  func `what is no handle is not looked for`(name: String) async throws {
    let desk = desk(["/xrpc/com.atproto.identity.resolveHandle": "{}"])
    let error = await #expect(throws: LoginError.self) { try await begin(desk, name) }
    #expect(error?.exitCode == .usage)
    #expect(requests(desk, "/par").isEmpty)
  }

  @Test func `an account of another server is told where it is`() async throws {
    let document = Self.pages["/\(Self.did)"]!.replacing("cats.example", with: "pds.example")
    let error = await #expect(throws: LoginError.self) { try await begin(desk(["/\(Self.did)": document])) }
    #expect(
      error == .livesElsewhere(try #require(Server("cats.example")), .bluesky, at: try #require(Server("pds.example"))))
  }

  @Test func `an answer must name its server and its login`() async throws {
    let desk = desk()
    let page = try await begin(desk)
    for (pasted, error) in [
      ("c1", LoginError.notTheAddress(desk.server)), (ended(page, issuer: nil), .notTheAddress(desk.server)),
      (ended(page, issuer: "https://cats.example"), .otherLogin(desk.server)),
      (ended(page, state: "another"), .otherLogin(desk.server)),
      ("http://127.0.0.1/?error=access_denied&iss=https%3A%2F%2Fauth.example", .denied(desk.server)),
    ] {
      await #expect(throws: error) { try await desk.flow.finish(page, pasted: pasted) }
    }
    #expect(requests(desk, "/token").isEmpty)
  }

  @Test(arguments: [
    granted(1, type: "Bearer"), granted(1, scope: "read"), #"{"token_type":"DPoP","sub":"\#(did)"}"#, "[]",
  ])
  func `a token that is not bound, or not of an account, is none`(answer: String) async throws {
    let desk = desk(["/token": answer])
    let page = try await begin(desk)
    let error = await #expect(throws: LoginError.self) { try await desk.flow.finish(page, pasted: ended(page)) }
    #expect(error?.exitCode == .unreadable)
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `the token of another account is given back`() async throws {
    let desk = desk(["/token": Self.granted(1, sub: "did:plc:bbbbbbbbbbbbbbbbbbbbbbbb")])
    let page = try await begin(desk)
    let error = await #expect(throws: LoginError.self) { try await desk.flow.finish(page, pasted: ended(page)) }
    #expect(error == .otherAccount(desk.server, name: "ann.example"))
    #expect(form(requests(desk, "/revoke").first)["token"] == "refresh1")
    #expect(try desk.accounts.all().isEmpty)
  }

  @Test func `the directories that a person chose are asked`() async throws {
    let desk = desk()
    let chosen = Directories(documents: Server("plc.example"), handles: Server("names.example"))
    let flow = LoginFlow(
      transport: desk.authServer.transport, accounts: desk.accounts, providers: .catalogue,
      time: .fixed(at: "2026-11-19T00:00:00Z"), directories: chosen)
    _ = try await flow.begin("ann.example", at: desk.server, source: .bluesky)
    #expect(
      desk.authServer.requests.prefix(2).map(\.url) == [
        "https://names.example/xrpc/com.atproto.identity.resolveHandle?handle=ann.example",
        "https://plc.example/\(Self.did)",
      ])
  }

  // MARK: Renewal

  private func loggedIn() async throws -> (Desk, Account) {
    let desk = desk()
    let page = try await begin(desk)
    return (desk, try await desk.finished(page, ended(page)))
  }

  @Test func `a login is renewed once, with the same key, and keeps its end`() async throws {
    let (desk, account) = try await loggedIn()
    desk.authServer.answer("/token") { _ in InMemoryAuthServer.json(Self.granted(2)) }
    desk.wait(3500)
    let renewed = try await withThrowingTaskGroup(of: Account.self) { group in
      for _ in 0..<8 { group.addTask { try await desk.flow.fresh(account) } }
      return try await group.reduce(into: Set<Account>()) { $0.insert($1) }
    }
    #expect(renewed.count == 1)
    let one = try #require(renewed.first)
    #expect((one.token.reveal(), one.refreshToken?.reveal()) == ("access2", "refresh2"))
    #expect(one.binding == account.binding && one.ends == account.ends)
    #expect(requests(desk, "/token").count == 2)
  }

  @Test func `a renewal whose answer was lost leads to another login, with words`() async throws {
    let (desk, account) = try await loggedIn()
    desk.wait(3500)
    desk.authServer.answer("/token") { _ throws(TransportError) in throw .cut(host: "auth.example") }
    #expect(try await desk.flow.fresh(account) == account)
    desk.authServer.answer("/token") { _ in
      InMemoryAuthServer.json(#"{"error":"invalid_grant","error_description":"used up refresh1"}"#, status: 400)
    }
    let error = await #expect(throws: LoginError.self) { try await desk.flow.fresh(account) }
    // What repeats a secret is not shown.
    #expect(error == .tokenRefused(desk.server, reason: nil))
    #expect(try desk.accounts.all() == [account])
  }

  @Test func `logging out ends the login by the token for renewal`() async throws {
    let (desk, account) = try await loggedIn()
    #expect(try await desk.flow.logOut(account) == .revoked)
    let sent = try #require(requests(desk, "/revoke").first)
    #expect(form(sent)["token"] == "refresh1" && sent.headers["DPoP"] != nil)
  }

  // MARK: Pulls

  @Test func `the token is sent with a proof, and to the account's server alone`() async throws {
    let (desk, account) = try await loggedIn()
    let transport = desk.authServer.transport.authorized(
      as: account, ProofNonces(), time: .fixed(at: "2026-11-19T00:00:00Z"))
    let before = desk.authServer.requests.count
    for address in ["https://cats.example/a", "https://dogs.example/a", "http://cats.example/a"] {
      _ = try await transport.send(Request(.get, address, token: account.token))
    }
    _ = try await transport.send(Request(.get, "https://cats.example/b"))
    let sent = desk.authServer.requests.dropFirst(before)
    #expect(sent.map { $0.token != nil } == [true, false, false, false])
    #expect(sent.map { $0.headers["DPoP"] != nil } == [true, false, false, false])
    #expect(sent.first?.tokenPlacement == .header(scheme: "DPoP"))
  }

  @Test func `a pull asks the server that has the account`() async throws {
    let answering = Answering(200, Array(#"{"posts":[]}"#.utf8))
    var caller = Caller(token: Secret("t"))
    caller.home = Server("pds.bsky.network")
    let server = try #require(Server("bsky.social"))
    let api = try #require(Catalogue.entry(.bluesky)?.usual)
    let source = api.make(server, caller, answering.transport, .fixed(at: "2026-11-19T00:00:00Z"))
    _ = try await source.page(
      of: Feed(source: .bluesky, kind: .tag, value: "cats", server: server), after: nil, size: nil)
    let asked = try #require(answering.requests.first)
    #expect(asked.url.hasPrefix("https://pds.bsky.network/xrpc/app.bsky.feed.searchPosts?"))
    #expect(asked.referrer == "https://bsky.social")
  }
}
