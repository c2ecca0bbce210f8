// A server during a login.

import HTTP
import JSONReading
import Posts

/// A server during a login, as every login provider asks it.
///
/// Answers are untrusted: bounded, read field by field, and refused in messages that repeat no secret.
package struct AuthServer: Sendable {
  package let server: Server
  package let transport: Transport
  package let time: TimeSource
  /// Bytes that nobody can guess.
  package let random: @Sendable (Int) -> [UInt8]
  /// What answers as this server should, for the message about one that does not: `servers of x`.
  package var kin: String
  /// The fields by which its service states limits.
  package var rates: RateDialect
  /// The servers that know its network's accounts.
  package var directories = Directories()

  package init(
    server: Server, transport: Transport, time: TimeSource, random: @escaping @Sendable (Int) -> [UInt8],
    kin: String = "servers of this service", rates: RateDialect = .common
  ) {
    (self.server, self.transport, self.time, self.random) = (server, transport, time, random)
    (self.kin, self.rates) = (kin, rates)
  }

  /// The same server, with the name of what should answer there, and the fields by which it states limits.
  package func answering(as kin: String, _ rates: RateDialect = .common) -> AuthServer {
    var named = self
    (named.kin, named.rates) = (kin, rates)
    return named
  }

  /// Another server that takes part in the login, over the same network or one that builds on it.
  package func at(_ other: Server, over network: (Transport) -> Transport = { $0 }) -> AuthServer {
    AuthServer(
      server: other, transport: network(transport), time: time, random: random, kin: kin, rates: rates)
  }

  /// The answer to a request, with any status except 429, of the server itself.
  package func answer(to request: Request) async throws(LoginError) -> Response {
    var request = request
    request.limit = 1 << 20
    var response: Response
    do {
      response = try await transport.send(request)
    } catch {
      throw LoginError(error, at: server, kin: kin)
    }
    // Names and reasons are shown and stored.
    if let search = SecretSearch(request.token) { response.body = search.hidden(inJSON: response.body) }
    // What stands before a server does not judge a token. Without one, servers refuse codes and apps by web pages, too.
    let isOfToken = request.token != nil && response.status == 403 && response.protection != nil
    if isOfToken || response.protection == .challenge { throw .blocked(server) }
    if response.status == 429 {
      let now = time.now()
      let until = RateLimit(headers: response.headers, now: now, dialect: rates).resetsAt
      throw .rateLimited(server, until: until, asked: until == nil ? nil : now)
    }
    return response
  }

  /// The error for a status that no endpoint expects.
  package func surprise(_ response: Response) -> LoginError {
    switch response.status {
    case 300..<400:
      if let other = response.headers["Location"].flatMap({ $0.contains("://") ? Server($0) : nil }), other != server {
        .moved(server, to: other)
      } else {
        .notThisAPI(server, kin: kin)
      }
    case 404, 405, 410: .notThisAPI(server, kin: kin)
    case 500...: .serverFailed(server, status: response.status)
    default: .unreadable(server, what: "status \(response.status)")
    }
  }

  /// The token in an answer.
  package func grant(in answer: JSONObject?) throws(LoginError) -> Grant {
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
}
