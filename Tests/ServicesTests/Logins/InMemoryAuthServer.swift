import Foundation
import HTTP
import Login
import Posts
import Services
import Synchronization

/// An authorization server in memory. It registers apps, gives out codes on its page, exchanges each once, checks the
/// owner's proof, and revokes tokens. A test overrides answers with `answers`.
final class InMemoryAuthServer: Sendable {
  struct State: Sendable {
    var requests: [Request] = []
    var apps: [String: String] = [:]
    var codes: [String: (client: String, challenge: String?)] = [:]
    var tokens: Set<String> = []
    var count = 0
    var registrations = 0
  }
  /// Answers that replace the server's own, by path.
  typealias Answers = [String: @Sendable (Request) throws(TransportError) -> Response]

  static let metadata = """
    {"issuer":"https://cats.example/","authorization_endpoint":"https://cats.example/oauth/authorize",
    "token_endpoint":"https://cats.example/oauth/token","revocation_endpoint":"https://cats.example/oauth/revoke",
    "scopes_supported":["read","profile","read:accounts","read:search","read:statuses"],
    "code_challenge_methods_supported":["S256"]}
    """

  let server = Server("cats.example")!
  private let state = Mutex(State())
  private let answers: Mutex<Answers>

  init(_ answers: Answers = [:]) { self.answers = Mutex(answers) }

  var requests: [Request] { state.withLock { $0.requests } }
  var tokens: Set<String> { state.withLock { $0.tokens } }
  var apps: Set<String> { state.withLock { Set($0.apps.keys) } }

  func answer(_ path: String, _ answer: @escaping @Sendable (Request) throws(TransportError) -> Response) {
    answers.withLock { $0[path] = answer }
  }

  /// Drops apps, as servers do with unused ones.
  func forgetApps() { state.withLock { $0.apps = [:] } }

  /// Opens the page as a browser does, agrees, and reads the code.
  func code(on page: String) -> String {
    let query = InMemoryAuthServer.fields(page.components(separatedBy: "?").last ?? "")
    return state.withLock {
      $0.count += 1
      let code = "code-\($0.count)"
      $0.codes[code] = (query["client_id"] ?? "", query["code_challenge"])
      return code
    }
  }

  var transport: Transport {
    Transport(
      send: { request throws(TransportError) in try self.respond(to: request) },
      download: { request, _ throws(TransportError) in try self.respond(to: request) }
    )
  }

  static func json(_ text: String, status: Int = 200) -> Response {
    Response(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
  }
  static func page(_ status: Int) -> Response {
    Response(status: status, headers: ["Content-Type": "text/html"], body: Array("<!DOCTYPE html><p>Oops".utf8))
  }
  static func fields(_ form: String) -> [String: String] {
    let items = URLComponents(string: "?\(form)")?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  private func respond(to request: Request) throws(TransportError) -> Response {
    state.withLock { $0.requests.append(request) }
    let path = URLComponents(string: request.url)?.path ?? ""
    if let answer = answers.withLock({ $0[path] }) { return try answer(request) }
    let form = InMemoryAuthServer.fields(String(decoding: request.body ?? [], as: UTF8.self))
    return state.withLock { InMemoryAuthServer.answer(path, form, request.token, &$0) }
  }

  private static func answer(_ path: String, _ form: [String: String], _ token: Secret?, _ state: inout State)
    -> Response
  {
    switch path {
    case "/.well-known/oauth-authorization-server": return json(metadata)
    case "/api/v1/instance": return json(#"{"uri":"cats.example","version":"4.4.1"}"#)
    case "/api/v1/apps":
      state.registrations += 1
      let number = state.registrations
      state.apps["app-\(number)"] = "key-\(number)"
      return json(#"{"id":"1","client_id":"app-\#(number)","client_secret":"key-\#(number)"}"#)
    case "/oauth/token": return trade(form, &state)
    case "/oauth/revoke":
      state.tokens.remove(form["token"] ?? "")
      return json("{}")
    case "/api/v1/accounts/verify_credentials":
      guard let token, state.tokens.contains(token.reveal()) else {
        return json(#"{"error":"The access token is invalid"}"#, status: 401)
      }
      return json(#"{"id":"1","username":"ann","acct":"ann","display_name":"Ann of the Cats"}"#)
    default: return page(404)
    }
  }

  private static func trade(_ form: [String: String], _ state: inout State) -> Response {
    guard let client = form["client_id"], let secret = state.apps[client], secret == form["client_secret"] else {
      return json(#"{"error":"invalid_client"}"#, status: 401)
    }
    if form["grant_type"] == "client_credentials" { return json(#"{"error":"invalid_scope"}"#, status: 400) }
    guard let code = form["code"], let begun = state.codes.removeValue(forKey: code), begun.client == client,
      begun.challenge == form["code_verifier"].map({ base64URL(Digest.sha256(Array($0.utf8))) })
    else { return json(#"{"error":"invalid_grant","error_description":"The code is wrong"}"#, status: 400) }
    state.count += 1
    state.tokens.insert("token-\(state.count)")
    return json(
      #"{"access_token":"token-\#(state.count)","token_type":"Bearer","scope":"read:statuses read:accounts"}"#
    )
  }
}

/// A login at a test server, with its own folder and a clock that moves only by hand.
final class Desk: Sendable {
  let authServer: InMemoryAuthServer
  let folder: String
  private let now = Mutex(Date(timeIntervalSince1970: 1_795_000_000))

  init(_ authServer: InMemoryAuthServer = InMemoryAuthServer()) {
    self.authServer = authServer
    folder = NSTemporaryDirectory() + "login-\(UUID().uuidString)"
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var accounts: Accounts { Accounts(folder: folder) }
  var server: Server { authServer.server }
  var written: String { (try? String(contentsOfFile: "\(folder)/accounts.json", encoding: .utf8)) ?? "" }

  /// A flow as a new process has it: nothing but the file is kept between two.
  var flow: LoginFlow {
    LoginFlow(
      transport: authServer.transport,
      accounts: accounts,
      providers: .catalogue,
      time: TimeSource(now: { self.now.withLock { $0 } }, sleep: { _ in await Task.yield() }, chance: { 0 })
    )
  }

  func wait(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }

  /// The whole way: page, code, account.
  func logIn() async throws -> Account {
    let page = try await flow.begin(server)
    return try await finished(page, authServer.code(on: page.url))
  }

  func finished(_ page: Authorization, _ pasted: String) async throws -> Account {
    guard case .loggedIn(let account) = try await flow.finish(page, pasted: pasted) else { throw NotLoggedIn() }
    return account
  }

  struct NotLoggedIn: Error {}
}
