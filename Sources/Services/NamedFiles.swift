import HTTP
import Posts

/// The files of a network in which an address names the bytes, and any server may be asked for them.
struct NamedFiles: Sendable {
  /// Says which SHA-256 the address of a file names; nil if it names none.
  let digest: @Sendable (_ address: String) -> [UInt8]?
  /// Says to whom the file belongs; nil if the address does not say.
  let owner: @Sendable (_ address: String) -> String?
  /// Finds the server that has the files of an owner, in a directory, the network's own by default; nil if it is not found.
  let home: @Sendable (_ owner: String, _ asked: Server, _ directory: Server?, _ transport: Transport) async -> Server?

  static let none = NamedFiles(digest: { _ in nil }, owner: { _ in nil }, home: { _, _, _, _ in nil })
}

/// A file that the server of its owner has.
public struct OwnedFile: Sendable {
  /// To whom the file belongs.
  public let owner: String
  private let files: NamedFiles
  private let asked: Server
  /// Path and query.
  private let target: Substring

  /// A file by its address; nil if no network knows its owner.
  public init?(_ address: String) {
    guard let (files, owner) = Catalogue.owner(ofFile: address), let asked = Server(address),
      address.hasPrefix(asked.origin)
    else { return nil }
    (self.owner, self.files, self.asked) = (owner, files, asked)
    target = address.dropFirst(asked.origin.count)
  }

  /// Finds the server of the owner. Its answer is untrusted.
  ///
  /// - Parameters:
  ///   - directory: Keeps the documents of accounts; nil for the network's own.
  ///   - transport: How it is asked.
  /// - Returns: Nil if it is not found.
  public func home(in directory: Server?, _ transport: Transport) async -> Server? {
    await files.home(owner, asked, directory, transport)
  }

  /// The address of the file at a server; nil if that one was asked.
  public func address(at home: Server) -> String? { home == asked ? nil : home.origin + target }
}
