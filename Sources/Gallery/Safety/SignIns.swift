import FoundationEssentials
import HTTP
import Machine
import Synchronization

/// Who may look: sessions of browsers, one-time addresses, the password, and the read tokens of feeds.
///
/// It reads the file again whenever another process has changed it, so that a new address, a new password and a revoked
/// token count at once. Tokens leave it once, when they are made; it keeps their hashes.
package final class SignIns: Sendable {
  private struct Known: Sendable {
    var stamp: SignInFile.Stamp?
    var records: SignInRecords?
  }

  private let file: SignInFile
  private let now: @Sendable () -> Date
  private let random: @Sendable (Int) -> [UInt8]
  private let executor = BlockingExecutor("gallery.signins")
  private let known = Mutex(Known())

  /// Creates them for the configuration's folder, which has to be the person's own: whoever could write it could sign in.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - now: The clock.
  ///   - random: Unpredictable bytes.
  package init(
    folder: String, now: @escaping @Sendable () -> Date, random: @escaping @Sendable (Int) -> [UInt8] = randomBytes
  ) {
    (file, self.now, self.random) = (SignInFile(folder: folder), now, random)
  }

  private func newToken() -> String { base64URL(random(32)) }

  /// The records as they are now.
  private func records() async throws -> SignInRecords {
    let stamp = file.stamp
    if let records = known.withLock({ $0.stamp == stamp ? $0.records : nil }) { return records }
    // A write between the two is seen at the next call: the older stamp differs from that of the file.
    let records = try await executor.run { [file] in try file.read() }
    known.withLock { $0 = Known(stamp: stamp, records: records) }
    return records
  }

  private func change<Value: Sendable>(
    _ body: @escaping @Sendable (inout SignInRecords) throws -> Value
  ) async throws -> Value {
    try await executor.run { [file] in try file.change(body) }
  }

  // MARK: Addresses and sessions

  /// Makes a one-time address of a server, whether it runs or not.
  package func newAddress(at server: String) async throws -> String {
    let (token, now) = (newToken(), now())
    try await change { $0.addAddress(token, at: now) }
    return "\(server)/?token=\(token)"
  }

  /// Exchanges the token of a one-time address for that of a new session; nil if it is none, or was used.
  func redeem(_ token: String, port: Int) async throws -> String? {
    let (session, now) = (newToken(), now())
    return try await change { records in
      guard records.useAddress(token, at: now) else { return nil }
      records.addSession(session, port: port, at: now)
      return session
    }
  }

  /// Whether one of the tokens belongs to a session at the port.
  func isSignedIn(_ tokens: [String], port: Int) async throws -> Bool {
    guard !tokens.isEmpty else { return false }
    let (records, now) = (try await records(), now())
    return tokens.reduce(false) { records.hasSession($1, port: port, at: now) || $0 }
  }

  /// Ends the sessions of tokens at the port.
  func signOut(_ tokens: [String], port: Int) async throws {
    guard !tokens.isEmpty else { return }
    try await change { $0.removeSessions(tokens, port: port) }
  }

  // MARK: The password

  /// Whether a password is set.
  package func hasPassword() async throws -> Bool { try await records().password != nil }

  /// Sets the password, and signs every browser out.
  ///
  /// - Throws: `GalleryError.unfitPassword`.
  package func setPassword(_ password: String) async throws {
    if let trouble = PasswordHash.trouble(with: password) { throw GalleryError.unfitPassword(trouble) }
    let salt = random(16)
    try await change { $0.setPassword(PasswordHash(password, salt: salt)) }
  }

  /// The token of a new session; nil if the password is wrong, or none is set. Guesses are computed one after the other.
  func signIn(password: String, port: Int) async throws -> String? {
    guard let hash = try await records().password, password.utf8.count <= PasswordHash.mostBytes else { return nil }
    guard await executor.run({ hash.matches(password) }) else { return nil }
    let (session, now) = (newToken(), now())
    return try await change { records in
      // It may have been changed meanwhile.
      guard records.password == hash else { return nil }
      records.addSession(session, port: port, at: now)
      return session
    }
  }

  // MARK: Read tokens

  /// Makes a read token. The token is shown once; what is kept is its hash.
  func newReadToken(named name: String) async throws -> (token: String, record: ReadToken) {
    let (token, now) = (newToken(), now())
    return (token, try await change { $0.addReadToken(token, name: name, at: now) })
  }

  /// The read tokens, the oldest first.
  func readTokens() async throws -> [ReadToken] { try await records().readTokens }

  /// Revokes a read token. Returns whether there was one of this id.
  func revokeReadToken(_ id: Int) async throws -> Bool { try await change { $0.removeReadToken(id) } }

  /// Whether it is a read token that was not revoked.
  func isReadToken(_ token: String) async throws -> Bool { try await records().hasReadToken(token) }
}
