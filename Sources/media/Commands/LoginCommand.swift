import ArgumentParser
import Foundation
import HTTP
import Login
import Posts

/// `media login [SERVER]`
struct LoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Log in at a server: open a page, allow access, paste the code it shows.",
    discussion: "With --code the login that was begun last goes on; a code can also come on standard input.")

  @Argument(help: "A host, or a URL when it is not https.")
  var server: String?

  @Option(help: "The kind of service: mastodon (Pixelfed and others too), instagram or x.")
  var source: String?

  @Option(help: "The code from the page, of a login begun before.")
  var code: String?

  @Flag(help: "Do not open a browser.")
  var noBrowser = false

  @Option(name: .customLong("client-id"), help: "The key of an app made by hand in the server's settings.")
  var clientID: String?

  @Flag(help: "Read that app's secret from the first line of standard input.")
  var clientSecretStdin = false

  @Flag(help: "Read a ready-made token from standard input.")
  var tokenStdin = false

  @Flag(help: "Log in as an app alone, with its key and secret (x).")
  var appOnly = false

  @OptionGroup var global: GlobalOptions

  private static let cure = "run \"media login mastodon.social\", or name another"

  func validate() throws {
    guard (clientID != nil) == clientSecretStdin else {
      throw ValidationError("--client-id and --client-secret-stdin go together")
    }
    guard !appOnly || clientID != nil else {
      throw ValidationError("--app-only needs --client-id KEY and --client-secret-stdin")
    }
    guard !(tokenStdin && (clientSecretStdin || code != nil)) else {
      throw ValidationError("--token-stdin needs neither a code nor an app's keys")
    }
  }

  func run() async throws {
    let app = try App(global)
    let named = try source.map(app.sourceName)
    let flow = app.loginFlow()
    let place = try server.map { try app.place($0) }
    if let code { return try await finish(try flow.resume(place?.server), pasted: code, flow, app) }
    let (service, server) = try app.door(of: named, place, cure: Self.cure)
    guard service != .feed else { throw UsageError("feeds have no logins", cure: "write a password into ~/.netrc") }
    if tokenStdin {
      return try say(try await flow.adopt(try read("the token", app.console), at: server, source: service), app)
    }
    guard appOnly == (service == .x && clientID != nil) else {
      throw UsageError(
        appOnly ? "\(server) logs no apps in" : "apps alone log in at \(server) with a key and secret",
        cure: appOnly ? "leave --app-only out" : "add --app-only")
    }
    if appOnly, let clientID {
      let secret = Secret(try read("the app's secret", app.console))
      return try say(try await flow.logInApp(clientID, clientSecret: secret, at: server), app)
    }
    try await ask(try await begin(flow, app.console, at: server, service), flow, app)
  }

  private func begin(
    _ flow: LoginFlow, _ console: Console, at server: Server, _ source: SourceName
  ) async throws -> Authorization {
    guard let clientID else { return try await flow.begin(server, source: source) }
    let secret = Secret(try read("the app's secret", console))
    return try await flow.begin(server, source: source, clientID: clientID, clientSecret: secret)
  }

  /// The page's address is a result, alone on its line, so that a script can take it; all else is said beside.
  private func ask(_ authorization: Authorization, _ flow: LoginFlow, _ app: App) async throws {
    app.console.message("Open this page, allow access, and paste the code it shows:")
    try app.console.result(global.json ? try JSONText.line(["authorize": authorization.url]) : authorization.url)
    if !noBrowser { Browser.open(authorization.url, app.environment) }
    if app.console.inputIsTerminal { app.console.live("Code: ") }
    guard let pasted = readLine() else {
      throw LoginWaits(server: authorization.server)
    }
    try await finish(authorization, pasted: pasted, flow, app)
  }

  private func finish(_ authorization: Authorization, pasted: String, _ flow: LoginFlow, _ app: App) async throws {
    switch try await flow.finish(authorization, pasted: pasted) {
    case .loggedIn(let account): try say(account, app)
    case .again(let second):
      app.console.message("\(second.server) had forgotten this app; it is registered anew.")
      try await ask(second, flow, app)
    }
  }

  private func say(_ account: Account, _ app: App) throws {
    if global.json { return try app.console.result(try JSONText.line(AccountLine(account))) }
    app.console.message("Logged in as \(account.handle) at \(account.server).")
  }

  /// A secret that is typed is not shown.
  private func read(_ what: String, _ console: Console) throws -> String {
    if console.inputIsTerminal { console.live("Type or paste \(what) (it is not shown): ") }
    guard let line = Console.readHidden(), !line.trimmingCharacters(in: .whitespaces).isEmpty else {
      throw UsageError("\(what) did not come on standard input", cure: "pipe it in as one line")
    }
    return line.trimmingCharacters(in: .whitespaces)
  }
}

/// A login was begun and nobody pasted a code.
struct LoginWaits: ExplainedError {
  let server: Server
  var summary: String { "no code came, the login at \(server) waits for an hour" }
  var cure: String? { "run \"media login \(server) --code CODE\" with the code from the page" }
  var exitCode: Posts.ExitCode { .needsLogin }
}

/// `media logout [ACCOUNT]`
struct LogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Give the token back to the server, then forget it.")

  @Argument(help: "handle@host or a host; needed only where there are several.")
  var account: String?

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    let chosen = try app.accounts.choose(account)
    let revocation = try await app.loginFlow().logOut(chosen)
    if global.json { try app.console.result(try JSONText.line(LogoutLine(chosen, isRevoked: revocation == .revoked))) }
    switch revocation {
    case .revoked: app.console.message("Logged out \(chosen.handle): the token is revoked and forgotten.")
    case .notRevoked(let reason):
      app.console.error(
        "Logged out \(chosen.handle) here; \(chosen.server) did not revoke the token (\(reason)): "
          + "revoke it in your settings there.")
    }
  }
}

/// `media accounts`
struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List the logins, with what they may do and when they end.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    let accounts = try app.accounts.all()
    if global.json {
      for account in accounts { try app.console.result(try JSONText.line(AccountLine(account))) }
      return
    }
    guard !accounts.isEmpty else {
      return app.console.message(
        "No logins yet. Public timelines need none; \"media login mastodon.social\" makes one.")
    }
    let rows = accounts.map { account in
      [
        account.handle, account.server.name, account.name, account.scopes.joined(separator: " "),
        account.expires.map { TimeText().short($0) } ?? "never",
      ]
    }
    try app.print(
      .init(
        [.init("ACCOUNT", minimum: 16), .init("SERVER"), .init("NAME"), .init("SCOPES"), .init("EXPIRES")], rows: rows))
  }
}

/// A logout as JSON.
private struct LogoutLine: Encodable {
  let account: String
  let revoked: Bool

  init(_ account: Account, isRevoked: Bool) {
    self.account = account.handle
    revoked = isRevoked
  }
}

/// A login as JSON: never its token.
struct AccountLine: Encodable {
  let account: String
  let source: SourceName
  let server: String
  let name: String
  let scopes: [String]
  let expires: String?

  init(_ account: Account) {
    self.account = account.handle
    source = account.source
    server = account.server.origin
    name = account.name
    scopes = account.scopes
    expires = account.expires.map(UTC.text)
  }

  enum CodingKeys: String, CodingKey { case account, source, server, name, scopes, expires }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(account, forKey: .account)
    try container.encode(source, forKey: .source)
    try container.encode(server, forKey: .server)
    try container.encode(name, forKey: .name)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(expires, forKey: .expires)
  }
}
