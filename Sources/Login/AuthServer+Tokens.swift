import Foundation
import HTTP
import JSONReading
import Posts

/// A token as the server granted it.
struct Grant: Equatable {
  var token: Secret
  /// What it allows; nil where the server does not say.
  var scopes: [String]?
  /// How long it is good; nil where the server does not say.
  var life: TimeInterval?
  var refreshToken: Secret?
  /// What belongs to a token that signs requests.
  var tokenSecret: Secret?
  /// Whose it is, where the server says so with it.
  var person: Person?
}

/// Who somebody is at a server.
struct Person: Equatable {
  /// `birds@mastodon.social`, always with a host.
  var handle: String
  /// The name people see.
  var name: String
  /// The service's own id, where its API asks for one.
  var id: String?
}

/// What a server does with a token that is given back.
public enum Revocation: Equatable, Sendable {
  /// The token is good for nothing now.
  case revoked
  /// The token may still be good; why, as a clause.
  case notRevoked(reason: String)
}

extension AuthServer {
  /// Trades a code for a token (RFC 6749, 4.1.3). Nil where the server does not know the app, or no longer.
  func trade(_ code: Secret, for login: PendingLogin) async throws(LoginError) -> Grant? {
    var fields = [
      ("grant_type", "authorization_code"), ("code", code.reveal()), ("client_id", login.app.clientID),
      ("client_secret", login.app.clientSecret.reveal()), ("redirect_uri", OutOfBand.redirect),
    ]
    if let verifier = login.verifier { fields.append(("code_verifier", verifier.reveal())) }
    let response = try await answer(to: .form(login.tokenEndpoint, fields))
    let answer = JSONObject(response.body)
    switch (response.status, answer?.filled("error")) {
    case (200..<500, "invalid_client"), (200..<500, "unauthorized_client"): return nil
    case (200..<500, "invalid_grant"): throw .codeRefused(server)
    case (200..<500, "access_denied"): throw .denied(server)
    case (200..<300, _): return try grant(in: answer)
    case (404, nil), (405, _), (410, nil), (300..<400, _): throw surprise(response)
    case (400..<500, _): throw .codeRefused(server)
    // Some servers fall over a wrong code. One that is well otherwise has refused it.
    case (500, _): throw try await instance() == nil ? surprise(response) : .codeRefused(server)
    default: throw surprise(response)
    }
  }

  /// The token in an answer.
  func grant(in answer: JSONObject?) throws(LoginError) -> Grant {
    guard let answer else { throw .unreadable(server, what: "it is not JSON") }
    guard let text = answer.filled("access_token"), let token = Secret(asToken: text) else {
      throw .unreadable(server, what: "it has no token")
    }
    return Grant(
      token: token,
      scopes: answer.texts("scope").map { $0.filter { $0.utf8.count <= 100 }.prefix(100).map { $0 } },
      life: answer.amount("expires_in").flatMap { (1...1e9).contains($0) ? $0 : nil },
      refreshToken: answer.filled("refresh_token").flatMap(Secret.init(asToken:))
    )
  }

  /// Whose token it is (`GET /api/v1/accounts/verify_credentials`): the handle with its host, and the name.
  ///
  /// The host is the server's own, whatever it says: it speaks for nobody elsewhere.
  func person(behind token: Secret) async throws(LoginError) -> Person {
    let response = try await answer(
      to: Request(.get, "\(server.origin)/api/v1/accounts/verify_credentials", token: token)
    )
    let answer = JSONObject(response.body)
    let reason = Words.reason(StatedError(in: response.body).reason, hiding: [token])
    switch response.status {
    case 200: break
    case 400, 401, 403, 422:
      throw Self.wantsScope(response) ? .outOfScope(server, reason: reason) : .tokenRefused(server, reason: reason)
    default: throw surprise(response)
    }
    guard let answer else { throw .unreadable(server, what: "it is not JSON") }
    let said = Words.line(answer.filled("acct") ?? answer.filled("username")) ?? ""
    guard let user = said.split(separator: "@").first.map(String.init), !user.contains(" ") else {
      throw .unreadable(server, what: "it does not say whose account it is")
    }
    return Person(handle: "\(user)@\(server.host)", name: Words.line(answer.filled("display_name")) ?? user)
  }

  /// Whether a refusal is for want of scope.
  private static func wantsScope(_ response: Response) -> Bool {
    let said = StatedError(in: response.body)
    return TokenRefusal(response, code: said.code, words: said.description) == .wantsScope
  }

  /// Whether the server refuses one of the requests of pulls for want of scope: some take a token for verification and
  /// then not for that. Whatever else fails is no matter of the login's.
  func findsTooNarrow(_ token: Secret) async -> Bool {
    for path in ["/api/v1/timelines/tag/media?limit=1", "/api/v2/search?q=media&type=statuses&limit=1"] {
      let request = Request(.get, server.origin + path, headers: ["Accept": "application/json"], token: token)
      if let response = try? await answer(to: request), Self.wantsScope(response) { return true }
    }
    return false
  }

  /// Gives a token back (RFC 7009). Never fails but for a stopped task: what cannot be revoked is said.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    guard let id = account.clientID, let secret = account.clientSecret else {
      return .notRevoked(reason: "the token was not made here")
    }
    return try await revoke(account.token, clientID: id, clientSecret: secret)
  }

  /// Gives a token back that was granted to the app with these keys.
  func revoke(_ token: Secret, clientID id: String, clientSecret secret: Secret) async throws(LoginError) -> Revocation
  {
    do {
      let fields = [("client_id", id), ("client_secret", secret.reveal()), ("token", token.reveal())]
      let response = try await answer(to: .form(endpoints().revocation, fields))
      if (200..<300).contains(response.status) { return .revoked }
      return .notRevoked(reason: "it answers with status \(response.status)")
    } catch {
      if error == .cancelled { throw error }
      return .notRevoked(reason: error.summary)
    }
  }
}

extension Secret {
  /// A token as servers make them (RFC 6750, 2.1, taken widely): printable ASCII without white space; nil for the rest.
  ///
  /// It becomes part of a header, where a line break would begin another one, and of the file of accounts, which a
  /// server must not fill.
  init?(asToken text: String) {
    guard !text.isEmpty, text.utf8.count <= 4096, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
