import FoundationEssentials
import HTTP
import JSONReading
import Login
import Posts

/// Logs people in at Misskey and its kin by MiAuth (https://misskey-hub.net/en/docs/for-developers/api/token/miauth/): the
/// person allows access on a page that is named by a session of ours, and the server then trades the session for a token.
struct MisskeyLoginProvider: LoginProvider {
  static let isConfirmed = true
  /// The least that is granted. It says whose token it is; posts need no permission.
  static let scopes = ["read:account"]

  let authServer: AuthServer
  private var server: Server { authServer.server }

  init(_ authServer: AuthServer) { self.authServer = authServer.answering(as: "Misskey and its kin") }

  /// Starts with a new session. Servers register no apps.
  ///
  /// - Throws: `.notThisAPI` if the server knows no such sessions.
  func start(with stored: AppRegistration?, website: String?) async throws(LoginError) -> LoginStart {
    let session = Self.identifier(authServer.random(16))
    // Nobody has allowed it yet; only a server that speaks this API says so.
    guard try await grant(for: session) == nil else {
      throw .unreadable(server, what: "it allows what nobody asked for")
    }
    let app = AppRegistration(
      source: .misskey, server: server, clientID: "media", clientSecret: Secret(""), scopes: Self.scopes)
    let query = [("name", "media"), ("permission", Self.scopes.joined(separator: ","))]
    let endpoints = Endpoints(
      authorization: Request.address("\(server.origin)/miauth/\(session)", query), token: "\(server.origin)/api/miauth")
    return LoginStart(app: app, endpoints: endpoints, session: Secret(session))
  }

  /// Keys are not needed.
  func start(with keys: AppKeys) async throws(LoginError) -> LoginStart { try await start(with: nil, website: nil) }

  func trade(_ session: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    guard let grant = try await grant(for: session.reveal()) else { throw .notConfirmed(server) }
    return grant
  }

  /// What a session was traded for; nil if nobody has allowed it yet, or it was traded before.
  private func grant(for session: String) async throws(LoginError) -> Grant? {
    let response = try await authServer.answer(to: .misskey(server, "miauth/\(session)/check"))
    guard response.status == 200 else { throw authServer.surprise(response) }
    guard let answer = JSONObject(response.body) else { throw .unreadable(server, what: "it is not JSON") }
    guard let isAllowed = answer.bool("ok") else { throw .unreadable(server, what: "it says neither yes nor no") }
    guard isAllowed else { return nil }
    guard let token = answer.filled("token").flatMap(Secret.init(asToken:)) else {
      throw .unreadable(server, what: "it has no token")
    }
    let shown = SecretSearch(token).flatMap { JSONObject($0.hidden(inJSON: response.body)) } ?? answer
    return Grant(token: token, person: person(shown.object("user")))
  }

  /// The token's owner (`POST /api/i`).
  func person(behind token: Secret) async throws(LoginError) -> Person {
    let response = try await authServer.answer(to: .misskey(server, "i", token: token))
    let answer = JSONObject(response.body)
    let apiError = answer?.object("error")
    let said = ServerText.reason(apiError?.string("message"), hiding: [token])
    switch (response.status, apiError?.string("code")) {
    case (200, nil): break
    case (_, "PERMISSION_DENIED"): throw .outOfScope(server, reason: said)
    case (400, _), (401, _), (403, _): throw .tokenRefused(server, reason: said)
    default: throw authServer.surprise(response)
    }
    guard let answer else { throw .unreadable(server, what: "it is not JSON") }
    guard let person = person(answer) else { throw .unreadable(server, what: "it does not say whose account it is") }
    return person
  }

  private func person(_ user: JSONObject?) -> Person? {
    Person(named: user?.filled("username"), shownAs: user?.filled("name"), at: server)
  }

  /// Only the person can end it, on the server's own pages.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    .notRevoked(reason: "it takes tokens back on its own pages alone")
  }

  /// Random bytes in the form of a UUID (RFC 9562, 5.4), as servers expect it.
  private static func identifier(_ bytes: [UInt8]) -> String {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }
}
