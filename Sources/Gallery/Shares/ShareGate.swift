import FoundationEssentials
import HTTPTypes
import Hummingbird
import Machine
import MediaLibrary
import Storage
import Synchronization

import struct HTTP.PasswordHash
import struct HTTP.TokenHash

/// Lets whoever has the token of an open share to it, and asks for its password if it has one (HTTP Basic, RFC 7617).
///
/// A token that is none is a guess: an address that makes many has to wait, for right ones, too. So nobody learns by waiting
/// which ones are right.
final class ShareGate: Sendable {
  private struct State {
    var tokens = GuessLimits(perMinute: nil)
    var passwords = GuessLimits()
    /// Of passwords, for each address alone: guesses of others must not lock out a friend whose password is remembered.
    var addresses = GuessLimits(perMinute: nil)
    /// Passwords that were right, by the hash that they match: computing it takes a tenth of a second, and each picture of a
    /// page brings the password.
    var right: [String: TokenHash] = [:]
  }

  private let parts: GalleryParts
  private let isBehindProxy: Bool
  private let state = Mutex(State())
  private let executor = BlockingExecutor("gallery.shares")

  /// The passwords that are remembered. Then the next right one is computed again.
  private static let mostRemembered = 1000

  init(parts: GalleryParts, isBehindProxy: Bool) { (self.parts, self.isBehindProxy) = (parts, isBehindProxy) }

  /// The share whose token is in the path.
  ///
  /// - Throws: `RequestError`
  func share(_ request: Request, _ context: GalleryContext) async throws -> StoredShare {
    let (address, now) = (Caller(request, context, isBehindProxy: isBehindProxy).address, parts.now())
    if let wait = state.withLock({ $0.tokens.wait(of: address, at: now) }) { throw RequestError.manyGuesses(wait) }
    let hash = TokenHash(of: try context.parameters.require("token")).text
    guard let share = try await parts.read({ try $0.store.share(tokenHash: hash) }) else {
      _ = state.withLock { $0.tokens.admit(address, at: now) }
      throw RequestError.nothingHere
    }
    guard share.isOpen(at: now) else { throw RequestError.nothingHere }
    if let stored = share.passwordHash {
      // A password of one share is no password of another.
      try await check(request, against: stored, from: "\(share.id) \(PeerNetwork.of(address))", at: now)
    }
    return share
  }

  private func check(_ request: Request, against stored: String, from address: String, at now: Date) async throws {
    guard let hash = PasswordHash(stored: stored), let given = Self.password(request.headers[.authorization]) else {
      throw RequestError.wantsPassword
    }
    let short = TokenHash(of: given)
    let isRemembered = try state.withLock { state throws(RequestError) in
      if let wait = state.addresses.admit(address, at: now) { throw RequestError.manyGuesses(wait) }
      guard state.right[stored] == short else { return false }
      state.addresses.succeeded(address)
      return true
    }
    if isRemembered { return }
    if let wait = state.withLock({ $0.passwords.admit(address, at: now) }) { throw RequestError.manyGuesses(wait) }
    guard await executor.run({ hash.matches(given) }) else { throw RequestError.wantsPassword }
    state.withLock { state in
      state.passwords.succeeded(address)
      state.addresses.succeeded(address)
      if state.right.count >= Self.mostRemembered { state.right = [:] }
      state.right[stored] = short
    }
  }

  /// The password of Basic authentication. Its user may be anybody.
  private static func password(_ field: String?) -> String? {
    guard let field, field.utf8.count <= 2 * PasswordHash.mostBytes, field.lowercased().hasPrefix("basic "),
      let bytes = Data(base64Encoded: String(field.dropFirst(6)).trimmingWhiteSpace)
    else { return nil }
    let pair = String(decoding: bytes, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return pair.count == 2 ? String(pair[1]) : nil
  }
}
