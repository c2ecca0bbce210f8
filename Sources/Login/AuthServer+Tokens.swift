import Foundation
import HTTP
import JSONReading
import Posts

/// A granted token.
struct Grant: Equatable {
  var token: Secret
  /// Its scopes; nil if the server does not say.
  var scopes: [String]?
  /// Its lifetime; nil if the server does not say.
  var life: TimeInterval?
  var refreshToken: Secret?
  /// The secrets of a token that signs requests.
  var tokenSecret: Secret?
  /// Its owner, if the server says.
  var person: Person?
}

/// A person's identity at a server.
struct Person: Equatable {
  /// `birds@mastodon.social`, always with a host.
  var handle: String
  /// The display name.
  var name: String
  /// The service's own id, if its API requires one.
  var id: String?
}

/// The result of revoking a token.
public enum Revocation: Equatable, Sendable {
  /// The token is no longer valid.
  case revoked
  /// The token may still be valid; the reason as a clause.
  case notRevoked(reason: String)
}

extension AuthServer {
  /// Exchanges a code for a token (RFC 6749, 4.1.3). Returns nil if the server does not know the app, or no longer.
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
    // Some servers crash on a wrong code. If the server is otherwise well, it has rejected the code.
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

  /// The token's owner (`GET /api/v1/accounts/verify_credentials`): the handle with its host, and the name.
  ///
  /// The host is always the server's own: it cannot speak for users elsewhere.
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

  /// Whether a refusal is due to a missing scope.
  private static func wantsScope(_ response: Response) -> Bool {
    let said = StatedError(in: response.body)
    return TokenRefusal(response, code: said.code, words: said.description) == .wantsScope
  }

  /// Whether the server refuses a pull's request for a missing scope: some accept a token for verification but not for
  /// pulls. Other failures do not concern the login.
  func findsTooNarrow(_ token: Secret) async -> Bool {
    for path in ["/api/v1/timelines/tag/media?limit=1", "/api/v2/search?q=media&type=statuses&limit=1"] {
      let request = Request(.get, server.origin + path, headers: ["Accept": "application/json"], token: token)
      if let response = try? await answer(to: request), Self.wantsScope(response) { return true }
    }
    return false
  }

  /// Revokes a token (RFC 7009). Throws only if the task is cancelled: other failures are returned.
  func revoke(_ account: Account) async throws(LoginError) -> Revocation {
    guard let id = account.clientID, let secret = account.clientSecret else {
      return .notRevoked(reason: "the token was not made here")
    }
    return try await revoke(account.token, clientID: id, clientSecret: secret)
  }

  /// Revokes a token that was granted to the app with these keys.
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
  /// A token (RFC 6750, 2.1, read broadly): printable ASCII without white space; nil for anything else.
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
