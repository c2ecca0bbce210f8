import FoundationEssentials
import HTTP
import Login
import Posts
import Terminal

/// Chooses the login for a feed, and keeps its token valid.
struct AccountChooser: Sendable {
  /// The folder of the logins.
  private let folder: String
  private let accounts: Accounts
  private let transports: TransportFactory
  private let console: Console
  private let time: TimeSource
  private let settings: LibrarySettings

  init(
    folder: String, transports: TransportFactory, console: Console, settings: LibrarySettings, time: TimeSource
  ) {
    (self.folder, self.transports, self.console, self.time) = (folder, transports, console, time)
    (self.settings, accounts) = (settings, Accounts(folder: folder))
  }

  /// The login by pasted code.
  func flow(reportingTo report: (@Sendable (SafeText) -> Void)? = nil) -> LoginFlow {
    let transport = transports.transport { [console] in if let report { report($0) } else { console.message($0) } }
    return LoginFlow(
      transport: transport, accounts: accounts, providers: .catalogue, time: time, website: nil,
      directories: settings.directories)
  }

  /// The login to use at a feed's server, with a token that remains valid for a while. Returns nil if there is no login and
  /// none was requested.
  func login(for feed: Feed, named name: String?) async throws -> Account? {
    guard let account = try account(for: feed, named: name) else { return nil }
    return try await flow().fresh(account)
  }

  /// The login to use where none can be named: in the list, and under cron, which must not stop because of a second login.
  func login(for feed: Feed) async throws -> Account? {
    guard let account = try firstAccount(for: feed) else { return nil }
    return try await flow().fresh(account)
  }

  /// The login that is used at a feed's server where none can be named; nil if there is none.
  func firstAccount(for feed: Feed) throws -> Account? {
    try accounts.firstAccount(at: feed.server, source: feed.source)
  }

  /// The login at a feed's server that was made for an API; nil if there is none.
  func account(for feed: Feed, of api: String) throws -> Account? {
    try accounts.all().first { $0.server == feed.server && $0.source == feed.source && $0.api == api }
  }

  /// The login to use at a feed's server; nil if there is none and none was requested.
  func account(for feed: Feed, named name: String?) throws -> Account? {
    guard let name else { return try accounts.account(at: feed.server, source: feed.source) }
    let account = try accounts.choose(name)
    guard account.server == feed.server, account.source == feed.source else {
      throw UsageError(
        "\(account.handle) is a login at \(account.server) (\(account.source.rawValue)), "
          + "not at \(feed.server) (\(feed.source.rawValue))", cure: "choose one of that server")
    }
    return account
  }

  /// When the logins last changed; nil if there are none.
  var changedAt: Date? {
    try? FileManager.default.attributesOfItem(atPath: "\(folder)/accounts.json")[.modificationDate] as? Date
  }
}
