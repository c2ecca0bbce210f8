import FoundationEssentials
import Hummingbird
import Posts
import Synchronization

/// Logins by name and password. Kept in memory: ending the demo ends every login.
final class BlueskySessions: Sendable {
  /// A token for requests lives two hours.
  static let life: TimeInterval = 7_200

  private struct Token {
    let person: Int
    let expires: Date
    /// The key to which it is bound; nil if whoever has it may use it.
    var key: String?
  }

  private struct Tokens {
    var access: [String: Token] = [:]
    var refresh: [String: Token] = [:]
  }

  /// A pair of tokens.
  struct Pair {
    let access, refresh: String
  }

  private let tokens = Mutex(Tokens())

  let proofs = BlueskyProofs()

  /// New tokens for a person, bound to a key if there is one.
  func open(_ person: Person, at now: Date, boundTo key: String? = nil) -> Pair {
    let index = person.id - 1001
    let access = Self.token(of: person, for: "access", from: now, life: Self.life)
    let refresh = Self.token(of: person, for: "refresh", from: now, life: 60 * 86_400)
    tokens.withLock {
      $0.access[access] = Token(person: index, expires: now.addingTimeInterval(Self.life), key: key)
      $0.refresh[refresh] = Token(person: index, expires: now.addingTimeInterval(60 * 86_400), key: key)
    }
    return Pair(access: access, refresh: refresh)
  }

  /// Ends a token for renewal, which works once, and returns its person.
  func close(_ request: Request, at now: Date) throws -> Person {
    guard let text = Self.bearer(request) else { throw BlueskyRefusal.noToken }
    guard let token = take(text, boundTo: nil) else { throw BlueskyRefusal.badToken }
    guard token.expires > now else { throw BlueskyRefusal.expired }
    return Person.everyone[token.person]
  }

  /// Ends a token for renewal that is bound to a key, which works once; nil if there is none.
  func close(_ text: String, boundTo key: String, at now: Date) -> Person? {
    guard let token = take(text, boundTo: key), token.expires > now else { return nil }
    return Person.everyone[token.person]
  }

  private func take(_ text: String, boundTo key: String?) -> Token? {
    tokens.withLock { tokens in
      guard let token = tokens.refresh[text], token.key == key else { return nil }
      return tokens.refresh.removeValue(forKey: text)
    }
  }

  /// Who sent a request.
  func person(of request: Request, to origin: String, at now: Date) throws -> Person {
    if let text = Self.authorization(request, "DPoP") {
      guard let token = tokens.withLock({ $0.access[text] }), let key = token.key else {
        throw BlueskyRefusal.badToken
      }
      guard try proofs.key(of: request, to: origin, with: text, at: now) == key else { throw BlueskyRefusal.badProof }
      guard token.expires > now else { throw BlueskyRefusal.endedProof }
      return Person.everyone[token.person]
    }
    guard let text = Self.bearer(request) else { throw BlueskyRefusal.noToken }
    guard let token = tokens.withLock({ $0.access[text] }), token.key == nil else {
      throw BlueskyRefusal.badToken
    }
    guard token.expires > now else { throw BlueskyRefusal.expired }
    return Person.everyone[token.person]
  }

  private static func bearer(_ request: Request) -> String? { authorization(request, "Bearer") }

  private static func authorization(_ request: Request, _ scheme: String) -> String? {
    guard let header = request.headers[.authorization], header.lowercased().hasPrefix("\(scheme.lowercased()) ") else {
      return nil
    }
    return header.dropFirst(scheme.count).trimmingWhiteSpace
  }

  /// A JSON Web Token (RFC 7519) with a signature that nobody checks.
  private static func token(of person: Person, for use: String, from now: Date, life: TimeInterval) -> String {
    let start = Int(now.timeIntervalSince1970)
    let claims: JSON = [
      "scope": .text("com.atproto.\(use)"), "sub": .text(person.did), "iat": .number(start),
      "exp": .number(start + Int(life)),
    ]
    var generator = SystemRandomNumberGenerator()
    let signature = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let header: JSON = ["typ": "at+jwt", "alg": "ES256K"]
    return [header.bytes, claims.bytes, signature].map(base64URL).joined(separator: ".")
  }
}
