// The file of logins, which only its owner may read.

import HTTP
import Posts
import Synchronization

/// The file of accounts, `accounts.json` in the configuration folder, with the app's keys and the started logins.
///
/// Reading takes no lock, because the file is always replaced as a whole. A change reads, changes and replaces it under
/// a kernel lock, so that two processes do not lose each other's accounts; where the file system has no locks, changes
/// fail. An unreadable file is never overwritten.
public struct Accounts: Sendable {
  private let file: ProtectedFile
  private let last = LastCredentials()

  /// Creates the accounts of a configuration folder, without reading or creating anything.
  public init(folder: String) {
    let trimmed = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    file = ProtectedFile(folder: trimmed, name: "accounts.json")
  }

  /// Every account, in the order of login.
  public func all() throws(AccountsError) -> [Account] { try read().accounts }

  /// Finds an account.
  ///
  /// - Parameter wanted: `handle@host`, a host or URL, a bare handle, or nil for the only account.
  /// - Throws: `.none` if nothing matches, `.several` if more than one does.
  public func choose(_ wanted: String? = nil) throws(AccountsError) -> Account {
    let fitting = try all().filter { account in wanted.map { account.answers(to: $0) } ?? true }
    guard let first = fitting.first else { throw .none(wanted: wanted) }
    guard fitting.count == 1 else { throw .several(wanted: wanted, handles: names(fitting)) }
    return first
  }

  /// The account for requests to a server; nil if nobody is logged in there. Throws `.several` if several are.
  public func account(at server: Server, source: SourceName = .usual) throws(AccountsError) -> Account? {
    let fitting = try all().filter { $0.server == server && $0.source == source }
    guard fitting.count < 2 else { throw .several(wanted: server.name, handles: names(fitting)) }
    return fitting.first
  }

  /// The first account by login for requests to a server, if nobody can be asked to choose. Returns nil if nobody is
  /// logged in there.
  public func firstAccount(at server: Server, source: SourceName = .usual) throws(AccountsError) -> Account? {
    try all().first { $0.server == server && $0.source == source }
  }

  /// The label of each of several accounts: the handle, with the server's address if others have the same handle.
  private func names(_ accounts: [Account]) -> [String] {
    let handles = accounts.map { $0.handle.lowercased() }
    return accounts.map { account in
      let isAlone = handles.count { $0 == account.handle.lowercased() } == 1
      return isAlone ? account.handle : "\(account.user)@\(account.server.origin)"
    }
  }

  /// Adds an account and replaces the same person's earlier login at the same server.
  public func keep(_ account: Account) throws(AccountsError) {
    try change { $0.keep(account) }
  }

  /// Removes an account here without telling the server. The app's keys stay for the next login.
  public func forget(_ account: Account) throws(AccountsError) {
    try change { $0.accounts.removeAll { $0.isSameLogin(as: account) } }
  }

  /// The file's content; empty if there is no file.
  func read() throws(AccountsError) -> Credentials {
    try read(file.followed())
  }

  private func read(_ file: ProtectedFile) throws(AccountsError) -> Credentials {
    guard let bytes = try file.read() else {
      last.forget()
      return Credentials()
    }
    if let known = last.read(bytes) { return known }
    let credentials = try Credentials(reading: bytes, from: file.path)
    last.keep(credentials, read: bytes)
    return credentials
  }

  /// Writes the file unchanged, to find out early whether it can be written.
  func rewrite() throws(AccountsError) {
    let file = try file.followed()
    try file.locked { () throws(AccountsError) in try file.replace(with: read(file).written(to: file.path)) }
  }

  /// Waits until no other process renews a token, and keeps others from renewing one.
  func holdRenewal(_ time: TimeSource) async throws -> ProtectedFile.RenewalLock {
    try await file.followed().holdTurn(time)
  }

  /// Changes the file's content. The change is synced to the disk when this returns. A change that leaves the content as
  /// it is writes nothing.
  func change(_ edit: (inout Credentials) -> Void) throws(AccountsError) {
    let file = try file.followed()
    try file.locked { () throws(AccountsError) in
      var credentials = try read(file)
      let before = credentials
      edit(&credentials)
      if credentials != before { try file.replace(with: credentials.written(to: file.path)) }
    }
  }
}

/// What the file held when it was read last: a harvest asks for the login of each feed.
private final class LastCredentials: Sendable {
  private let content = Mutex<(bytes: [UInt8], credentials: Credentials)?>(nil)

  /// What these bytes hold, if they are those that were read last.
  func read(_ bytes: [UInt8]) -> Credentials? { content.withLock { $0?.bytes == bytes ? $0?.credentials : nil } }

  func keep(_ credentials: Credentials, read bytes: [UInt8]) { content.withLock { $0 = (bytes, credentials) } }

  func forget() { content.withLock { $0 = nil } }
}

extension Account {
  /// The handle without its host.
  fileprivate var user: String { handle.split(separator: "@").first.map(String.init) ?? "" }

  /// Whether `text` can mean this account.
  func answers(to text: String) -> Bool {
    var wanted = text.trimmingWhiteSpace.lowercased()
    if wanted.hasPrefix("@") { wanted.removeFirst() }
    let user = user.lowercased()
    return [handle.lowercased(), user, server.host, "\(user)@\(server.host)", "\(user)@\(server.origin)"].contains(
      wanted
    )
      || (!wanted.contains("@") && wanted.contains("://") && Server(wanted) == server)
  }
}
