import HTTP
import Posts
import Services
import Synchronization

/// The servers that have the files of accounts, of which those that were asked knew nothing. Each is looked up once.
final class FileHomes: Sendable {
  private struct State {
    /// By the key of their owner.
    var homes: [String: Task<Server?, Never>] = [:]
    /// Look-ups without a result, one after the other.
    var failures = 0
  }

  /// What a pull remembers at most.
  private static let most = 10_000
  /// After so many look-ups without a result, the directory does not answer.
  private static let mostFailures = 10

  private let directory: Server?
  private let transport: Transport
  private let state = Mutex(State())

  init(directory: Server?, transport: Transport) { (self.directory, self.transport) = (directory, transport) }

  /// The address of a file at its owner's server if that was looked up, else the address itself.
  func known(_ address: String, namedBy referrer: String?) async -> String {
    guard let file = OwnedFile(address, namedBy: referrer), let home = state.withLock({ $0.homes[file.key] }) else {
      return address
    }
    return await Self.value(of: home).flatMap { file.address(at: $0) } ?? address
  }

  /// The address of a file at its owner's server; nil if there is no other.
  func address(of address: String, namedBy referrer: String?) async -> String? {
    guard let file = OwnedFile(address, namedBy: referrer) else { return nil }
    let home = state.withLock { state -> Task<Server?, Never>? in
      if let known = state.homes[file.key] { return known }
      guard state.failures < Self.mostFailures else { return nil }
      if state.homes.count >= Self.most { state.homes = [:] }
      // It is one request of seconds, and whoever waits for it ends it with the pull.
      let home = Task { await self.lookUp(file) }
      state.homes[file.key] = home
      return home
    }
    guard let home else { return nil }
    return await Self.value(of: home).flatMap { file.address(at: $0) }
  }

  private func lookUp(_ file: OwnedFile) async -> Server? {
    let home = await file.home(in: directory, transport)
    state.withLock { $0.failures = home == nil ? $0.failures + 1 : 0 }
    return home
  }

  /// The result of a look-up, which ends with the pull that waits for it.
  private static func value(of home: Task<Server?, Never>) async -> Server? {
    await withTaskCancellationHandler {
      await home.value
    } onCancel: {
      home.cancel()
    }
  }
}
