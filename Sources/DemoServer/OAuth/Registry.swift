import FoundationEssentials

/// Apps, codes and tokens (RFC 6749). Kept in memory: ending the demo ends every login.
struct Registry: Sendable {
  struct App: Sendable {
    let clientID: String
    let secret: String
    let name: String
    let website: String?
    let redirects: [String]
    let scopes: [String]
  }

  /// A code that was not exchanged yet.
  struct Grant: Sendable {
    let request: AuthorizationRequest
    let person: Int
    let issuedAt: Date
  }

  struct Token: Sendable {
    let value: String
    let clientID: String
    /// The person's index in `Person.everyone`; nil for an app's own token.
    let person: Int?
    let scopes: [String]
    let createdAt: Date
  }

  /// A code, or an unfinished login, is valid for ten minutes.
  static let patience: TimeInterval = 600

  private(set) var apps: [String: App] = [:]
  private(set) var tokens: [String: Token] = [:]
  private var codes: [String: Grant] = [:]
  private var consents: [String: Grant] = [:]
  /// What was allowed on the page of an app's session.
  private var sessions: [String: (person: Int, scopes: [String], allowedAt: Date)] = [:]

  mutating func register(name: String, website: String?, redirects: [String], scopes: [String]) -> App {
    let app = App(
      clientID: Registry.secret(),
      secret: Registry.secret(),
      name: name,
      website: website,
      redirects: redirects,
      scopes: scopes
    )
    apps[app.clientID] = app
    return app
  }

  /// Returns a ticket for a logged-in person's consent page. It proves that the answer comes from that page, and is valid
  /// once.
  mutating func askConsent(_ request: AuthorizationRequest, person: Int, at now: Date) -> String {
    let ticket = Registry.secret()
    consents = consents.filter { $0.value.isFresh(at: now) }
    consents[ticket] = Grant(request: request, person: person, issuedAt: now)
    return ticket
  }

  /// The person whose ticket this request carries.
  mutating func consent(_ ticket: String, to request: AuthorizationRequest, at now: Date) -> Int? {
    guard let grant = consents.removeValue(forKey: ticket), grant.request == request, grant.isFresh(at: now) else {
      return nil
    }
    return grant.person
  }

  mutating func issueCode(_ request: AuthorizationRequest, person: Int, at now: Date) -> String {
    let code = Registry.secret()
    codes = codes.filter { $0.value.isFresh(at: now) }
    codes[code] = Grant(request: request, person: person, issuedAt: now)
    return code
  }

  /// Exchanges a code, once, for a token. For the same person and scopes an app gets its existing token, as on Mastodon
  /// servers.
  mutating func trade(_ code: String, for claim: CodeClaim, at now: Date) -> Token? {
    guard let grant = codes[code], grant.isFresh(at: now), claim.proves(grant.request) else { return nil }
    codes[code] = nil
    return token(clientID: claim.clientID, person: grant.person, scopes: grant.request.scopes, at: now)
  }

  mutating func token(clientID: String, person: Int?, scopes: [String], at now: Date) -> Token {
    let same = tokens.values.first { $0.clientID == clientID && $0.person == person && $0.scopes == scopes }
    if let same { return same }
    let token = Token(value: Registry.secret(), clientID: clientID, person: person, scopes: scopes, createdAt: now)
    tokens[token.value] = token
    return token
  }

  /// Allows the session of an app.
  mutating func allow(session: String, person: Int, scopes: [String], at now: Date) {
    sessions = sessions.filter { now.timeIntervalSince($0.value.allowedAt) < Registry.patience }
    sessions[session] = (person, scopes, now)
  }

  /// Exchanges an allowed session, once, for a token.
  mutating func trade(session: String, at now: Date) -> Token? {
    guard let (person, scopes, allowedAt) = sessions.removeValue(forKey: session),
      now.timeIntervalSince(allowedAt) < Registry.patience
    else { return nil }
    return token(clientID: session, person: person, scopes: scopes, at: now)
  }

  mutating func revoke(_ token: String) { tokens[token] = nil }

  /// 256 random bits as URL-safe text.
  private static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return base64URL(bytes)
  }
}

extension Registry.Grant {
  fileprivate func isFresh(at now: Date) -> Bool { now.timeIntervalSince(issuedAt) < Registry.patience }
}

/// Base64 for URLs, without padding (RFC 4648 section 5).
func base64URL(_ bytes: [UInt8]) -> String {
  Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}
