// The format of accounts.json.

import FoundationEssentials
import Posts

/// The content of accounts.json.
///
/// `version` grows with every added field. A file of a newer version is refused, because writing it back would lose
/// fields unknown to this version.
struct Credentials: Sendable, Equatable, Codable {
  static let version = 3

  var version = Credentials.version
  var accounts: [Account] = []
  var apps: [AppRegistration] = []
  var pending: [PendingLogin] = []

  /// An empty file, for a first login.
  init() {}

  /// Reads the file's bytes; `path` is for error messages.
  init(reading bytes: [UInt8], from path: String) throws(AccountsError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    struct Envelope: Decodable { let version: Int }
    do {
      let version = try decoder.decode(Envelope.self, from: Data(bytes)).version
      guard version <= Self.version else { throw AccountsError.newer(path: path, version: version) }
      self = try decoder.decode(Self.self, from: Data(bytes))
      // A file of an older version is converted at the next change.
      self.version = Self.version
    } catch let error as AccountsError {
      throw error
    } catch {
      let (location, reason) = Self.fault(error)
      throw .unreadable(path: path, line: JSONLocation.line(of: location, in: bytes), reason: reason)
    }
  }

  /// The file's bytes, readable by people; `path` is for error messages. Never more bytes than the reader accepts.
  func written(to path: String) throws(AccountsError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? Array(encoder.encode(self)) + [UInt8(ascii: "\n")] else {
      throw .cannotWrite(path: path, reason: "an account has no JSON form")
    }
    guard bytes.count <= ProtectedFile.limit else {
      throw .cannotWrite(path: path, reason: "it would be too large to be read again")
    }
    return bytes
  }

  /// Adds an account and replaces the same person's earlier login there.
  mutating func keep(_ account: Account) {
    if let index = accounts.firstIndex(where: { $0.isSameLogin(as: account) }) {
      accounts[index] = account
    } else {
      accounts.append(account)
    }
  }

  /// The app's keys at a server.
  func app(at server: Server, source: SourceName) -> AppRegistration? {
    apps.first { $0.server == server && $0.source == source }
  }

  /// Stores the app's keys and replaces earlier ones for that server.
  mutating func keep(_ app: AppRegistration) {
    apps.removeAll { $0.server == app.server && $0.source == app.source }
    apps.append(app)
  }

  /// The most logins that wait for a code at once.
  static let mostPending = 8

  /// Adds a started login. Drops those that are expired or have an impossible date, and the oldest beyond the limit.
  mutating func begin(_ login: PendingLogin) {
    pending.removeAll { abs($0.created.timeIntervalSince(login.created)) > PendingLogin.life }
    pending.append(login)
    pending.removeFirst(max(0, pending.count - Self.mostPending))
  }

  /// A message without the value itself, which may be a token.
  private static func fault(_ error: any Error) -> (location: [any CodingKey]?, reason: String) {
    switch error {
    case DecodingError.keyNotFound(let key, let context): (context.codingPath, "\(key.stringValue) is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      (context.codingPath, "\(context.codingPath.last?.stringValue ?? "the file") is not of the kind it must be")
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      (context.codingPath, "\(context.codingPath.last?.stringValue ?? "a value") cannot be read")
    default: (nil, "it is not JSON")
    }
  }
}
