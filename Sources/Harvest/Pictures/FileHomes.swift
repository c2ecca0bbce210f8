import HTTP
import Posts
import Services
import Synchronization

/// The servers that have the files of accounts, of which those that were asked knew nothing. Each is looked up once.
final class FileHomes: Sendable {
  /// What a pull remembers at most.
  private static let most = 10_000

  private let directory: Server?
  private let transport: Transport
  /// By the owner. A look-up that a pull no longer waits for ends by itself within seconds.
  private let homes = Mutex<[String: Task<Server?, Never>]>([:])

  init(directory: Server?, transport: Transport) { (self.directory, self.transport) = (directory, transport) }

  /// The address of a file at its owner's server if that was looked up, else the address itself.
  func known(_ address: String) async -> String {
    guard let file = OwnedFile(address), let home = homes.withLock({ $0[file.owner] }) else { return address }
    return await home.value.flatMap { file.address(at: $0) } ?? address
  }

  /// The address of a file at its owner's server; nil if there is no other.
  func address(of address: String) async -> String? {
    guard let file = OwnedFile(address) else { return nil }
    let home = homes.withLock { homes in
      if let known = homes[file.owner] { return known }
      if homes.count >= Self.most { homes = [:] }
      let home = Task { [directory, transport] in await file.home(in: directory, transport) }
      homes[file.owner] = home
      return home
    }
    return await home.value.flatMap { file.address(at: $0) }
  }
}
