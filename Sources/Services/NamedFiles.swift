import HTTP
import Posts

/// The files of a network in which an address names the bytes, and any server may be asked for them.
struct NamedFiles: Sendable {
  /// Says which SHA-256 the address of a file names; nil if it names none.
  let digest: @Sendable (_ address: String) -> [UInt8]?
  /// Says to whom the file belongs; nil if the address does not say.
  let owner: @Sendable (_ address: String) -> String?
  /// Finds the server that has the files of the owner, in a directory, the network's own by default; nil if it is not found.
  let home: @Sendable (_ file: OwnedFile, _ directory: Server?, _ transport: Transport) async -> Server?

  static let none = NamedFiles(digest: { _ in nil }, owner: { _ in nil }, home: { _, _, _ in nil })
}

/// A file that the server of its owner has.
public struct OwnedFile: Sendable {
  /// To whom the file belongs.
  let owner: String
  /// Names the owner in its network: a server without TLS is one of its own.
  public let key: String
  /// The server that the address names.
  let asked: Server
  /// The origin of the server that named the address.
  let referrer: String
  private let files: NamedFiles
  /// Path and query.
  private let target: Substring

  /// A file by its address; nil if no network knows its owner.
  ///
  /// - Parameter referrer: The origin of the server that named the address; nil if that is not known.
  public init?(_ address: String, namedBy referrer: String?) {
    guard let (files, owner) = Catalogue.owner(ofFile: address), let asked = Server(address),
      address.hasPrefix(asked.origin),
      // Anybody may name a server without TLS, which would speak for the accounts of all others.
      asked.isSecure || asked.origin == referrer
    else { return nil }
    (self.asked, self.files, self.owner) = (asked, files, owner)
    key = asked.isSecure ? owner : "\(asked.origin) \(owner)"
    self.referrer = referrer ?? Server.bluesky?.origin ?? asked.origin
    target = address.dropFirst(asked.origin.count)
  }

  /// Finds the server of the owner. Its answer is untrusted.
  ///
  /// - Parameters:
  ///   - directory: Keeps the documents of accounts; nil for the network's own.
  ///   - transport: How it is asked.
  /// - Returns: Nil if it is not found.
  public func home(in directory: Server?, _ transport: Transport) async -> Server? {
    await files.home(self, directory, transport)
  }

  /// The address of the file at a server; nil if that one was asked.
  public func address(at home: Server) -> String? { home == asked ? nil : home.origin + target }
}
