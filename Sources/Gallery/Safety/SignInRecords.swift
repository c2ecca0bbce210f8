import FoundationEssentials
import HTTP

/// What the file of sign-ins holds. It has hashes only: nobody can sign in with what is in it.
struct SignInRecords: Codable, Sendable, Equatable {
  /// It grows with every added field. A file of a newer version is refused, because writing it back would lose fields.
  static let version = 1

  var version = Self.version
  private(set) var password: PasswordHash?
  private(set) var sessions: [Session] = []
  private(set) var addresses: [OneTimeToken] = []
  private(set) var readTokens: [ReadToken] = []

  /// A browser that is signed in.
  struct Session: Codable, Sendable, Equatable {
    let hash: TokenHash
    /// The port of the server. Browsers send a cookie to every port of a host.
    let port: Int
    let until: Date
  }

  /// The token of a one-time address.
  struct OneTimeToken: Codable, Sendable, Equatable {
    let hash: TokenHash
    let until: Date
  }

  /// How long a session lasts.
  static let sessionLength: TimeInterval = 30 * 86_400
  /// How long a one-time address can be used.
  static let addressLength: TimeInterval = 86_400
  /// How many sessions, addresses and read tokens are kept; the oldest go first.
  static let limit = 500

  /// Whether the cookie's token belongs to a session at the port.
  func hasSession(_ token: String, port: Int, at now: Date) -> Bool {
    let hash = TokenHash(of: token)
    // No early end: the duration must not tell which session it was.
    return sessions.reduce(false) { ($1.hash == hash && $1.port == port && now < $1.until) || $0 }
  }

  mutating func addAddress(_ token: String, at now: Date) {
    removeExpired(at: now)
    addresses.append(OneTimeToken(hash: TokenHash(of: token), until: now + Self.addressLength))
    addresses = addresses.suffix(Self.limit)
  }

  /// Uses up the token of a one-time address.
  ///
  /// - Returns: Whether it was one that was still good.
  mutating func useAddress(_ token: String, at now: Date) -> Bool {
    removeExpired(at: now)
    let hash = TokenHash(of: token)
    let count = addresses.count
    addresses.removeAll { $0.hash == hash }
    return addresses.count < count
  }

  mutating func addSession(_ token: String, port: Int, at now: Date) {
    removeExpired(at: now)
    sessions.append(Session(hash: TokenHash(of: token), port: port, until: now + Self.sessionLength))
    sessions = sessions.suffix(Self.limit)
  }

  /// Ends the sessions of tokens at the port.
  mutating func removeSessions(_ tokens: [String], port: Int) {
    let hashes = tokens.map(TokenHash.init(of:))
    sessions.removeAll { $0.port == port && hashes.contains($0.hash) }
  }

  /// Sets the password. Every browser has to sign in again: whoever knew the old one is out.
  mutating func setPassword(_ hash: PasswordHash) { (password, sessions, addresses) = (hash, [], []) }

  private mutating func removeExpired(at now: Date) {
    sessions.removeAll { $0.until <= now }
    addresses.removeAll { $0.until <= now }
  }
}

/// A token in the address of a feed, for programs that read feeds. It reads that and nothing else.
struct ReadToken: Codable, Sendable, Equatable {
  let id: Int
  /// What the person calls it.
  let name: String
  let createdAt: Date
  fileprivate let hash: TokenHash
}

extension SignInRecords {
  /// Adds a read token. Returns its record.
  mutating func addReadToken(_ token: String, name: String, at now: Date) -> ReadToken {
    let id = (readTokens.map(\.id).max() ?? 0) + 1
    let added = ReadToken(id: id, name: name, createdAt: now, hash: TokenHash(of: token))
    readTokens = (readTokens + [added]).suffix(Self.limit)
    return added
  }

  /// Returns whether there was one of this id.
  mutating func removeReadToken(_ id: Int) -> Bool {
    let count = readTokens.count
    readTokens.removeAll { $0.id == id }
    return readTokens.count < count
  }

  func hasReadToken(_ token: String) -> Bool {
    let hash = TokenHash(of: token)
    return readTokens.reduce(false) { $1.hash == hash || $0 }
  }
}
