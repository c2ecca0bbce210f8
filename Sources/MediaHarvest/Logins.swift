import FoundationEssentials
import HTTP
import Login
import MediaLibrary
import Services

/// A login that waits for its code.
public struct StartedLogin: Sendable {
  /// The address of the page to open in a browser, on which the person allows access.
  public var address: String { authorization.url }
  /// The server.
  public var server: Server { authorization.server }
  /// Whether the page shows no code: the person then pastes the whole address of the page on which they end.
  public var expectsAddress: Bool { authorization.leadsElsewhere }
  /// Whether the person only allows access on the page: there is nothing to paste, and `Logins.finish(_:pasted:)` gets an
  /// empty text.
  public var isConfirmed: Bool { authorization.isConfirmed }
  /// What the program asks for.
  public var scopes: [String] { authorization.scopes }

  let authorization: Authorization
}

/// A person's login at a server, without its token.
public struct LoginAccount: Sendable, Hashable {
  /// The source.
  public let source: SourceName
  /// The server.
  public let server: Server
  /// `birds@mastodon.social`, always with a host.
  public let handle: String
  /// The display name.
  public let name: String
  /// What the login allows, as the server said.
  public let scopes: [String]
  /// When the login ends unless it is renewed; nil if it does not, or if the server does not say.
  public let expires: Date?

  init(_ account: Account) {
    (source, server, handle, name) = (account.source, account.server, account.handle, account.name)
    (scopes, expires) = (account.scopes, account.end)
  }

  fileprivate func isLogin(_ account: Account) -> Bool {
    source == account.source && server == account.server && handle == account.handle
  }
}

/// What pasting a code led to.
public enum FinishedLogin: Sendable {
  /// The person is logged in. The login is verified and stored.
  case loggedIn(LoginAccount)
  /// The server wants the page to be opened once more: it had forgotten this program, or it wants a wider permission than
  /// it had granted. The person opens this login's address and pastes its code.
  case again(StartedLogin)
}

/// The logins with which a session pulls. The `media` command uses the same ones if it has the same folder.
///
/// Tokens are stored in one file that only its owner may read. Nothing here returns one.
///
/// A login here is by pasted code, at a server that lets programs register themselves, as Mastodon and Pixelfed do. A
/// login with keys that a person made is begun with `media login`; sessions use it all the same.
public struct Logins: Sendable {
  private let accounts: Accounts
  private let flow: LoginFlow
  private let file: String

  init(_ session: Session, configuration: String, time: TimeSource) {
    accounts = Accounts(folder: configuration)
    flow = LoginFlow(
      transport: session.webTransport.patient(time: time), accounts: accounts, providers: .catalogue, time: time)
    file = "\(configuration)/accounts.json"
  }

  /// Starts a login at a server.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - source: Its kind of service.
  /// - Returns: The login, which waits for its code for an hour.
  /// - Throws: `LoginError`, such as `.needsKeys` if the server lets no program register itself; `AccountsError` if the
  ///   logins cannot be read or written.
  public func start(at server: Server, source: SourceName = .usual) async throws -> StartedLogin {
    StartedLogin(authorization: try await flow.begin(server, source: source))
  }

  /// The login that was started last and still waits for its code, also in another process.
  ///
  /// - Parameter server: Its server; nil for any.
  /// - Throws: `LoginError.nothingBegun` if none waits, `AccountsError` if the logins cannot be read.
  public func resume(at server: Server? = nil) throws -> StartedLogin {
    StartedLogin(authorization: try flow.resume(server))
  }

  /// Finishes a login.
  ///
  /// - Parameters:
  ///   - login: The started login.
  ///   - pasted: What the person pasted: the code, or the address of the page on which they ended. White space does not
  ///     matter.
  /// - Throws: `LoginError`, such as `.codeRefused` or `.notACode`; `AccountsError` if the login cannot be stored.
  public func finish(_ login: StartedLogin, pasted: String) async throws -> FinishedLogin {
    switch try await flow.finish(login.authorization, pasted: pasted) {
    case .loggedIn(let account): .loggedIn(LoginAccount(account))
    case .again(let second), .needsWiderScopes(let second, _): .again(StartedLogin(authorization: second))
    }
  }

  /// All logins, in the order in which they were made.
  ///
  /// - Throws: `AccountsError` if they cannot be read.
  public func all() throws -> [LoginAccount] { try accounts.all().map(LoginAccount.init) }

  /// Revokes a login at its server, and forgets it here, whatever the server says.
  ///
  /// - Returns: Whether the server revoked the token. If it did not, the person can do so in the server's settings. False
  ///   also if the login was forgotten before.
  /// - Throws: `LoginError.cancelled` if the task is cancelled, `AccountsError` if the logins cannot be written.
  @discardableResult
  public func logOut(_ login: LoginAccount) async throws -> Bool {
    guard let account = try accounts.all().first(where: login.isLogin) else { return false }
    return try await flow.logOut(account) == .revoked
  }

  /// The login for a feed's server, with a token that stays valid for a while; nil if there is none.
  func account(for feed: Feed) async throws -> Account? {
    guard let account = try accounts.firstAccount(at: feed.server, source: feed.source) else { return nil }
    return try await flow.fresh(account)
  }

  /// What asks for a login's token of that moment; nil if it cannot be renewed.
  func renewal(of account: Account?) -> (@Sendable () async -> Secret?)? { flow.renewal(of: account) }

  /// When the logins last changed; nil if there are none.
  var changedAt: Date? { try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date }
}
