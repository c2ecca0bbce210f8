import ArgumentParser
import FoundationEssentials
import HTTP
import Login
import Posts
import Services
import Terminal
import Wording

/// `media login [SERVER]`
struct LoginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", _superCommandName: Media.name,
    abstract: "Log in at a server: open a page, allow access, paste the code it shows.",
    discussion: """
      With --code, completes the login that was begun last. The code can also come from standard input. \
      Where the page shows no code, press Enter once access is allowed. \(SourceHelp.passwords)
      """)

  @Argument(help: "The server: a host, or a URL if it is not https.", completion: Completing.servers)
  var server: String?

  @Option(
    help: "The kind of service: \(SourceHelp.names()).", completion: Completing.sources)
  var source: String?

  // A code may begin with a hyphen.
  @Option(parsing: .unconditional, help: "The code from the page of the login that was begun before.")
  var code: String?

  @Flag(help: "Do not open a browser.")
  var noBrowser = false

  @Option(
    name: .customLong("client-id"),
    help: "The client id of an app made in the server's settings (at \(SourceHelp.keyLogins) without a secret).")
  var clientID: String?

  @Flag(help: "Read the app's secret from the first line of standard input.")
  var clientSecretStdin = false

  @Flag(help: "Read an existing token from standard input.")
  var tokenStdin = false

  @Flag(help: "Log in as an app without a user, with its key and secret (\(SourceHelp.appLogins)).")
  var appOnly = false

  @Flag(help: "Log in on the server's page instead of by password (\(SourceHelp.pageLogins)).")
  var oauth = false

  @Option(
    help: "The API of the login, if it is not the server's usual one: \(LoginCommand.apis(" for")).",
    completion: .list(SourceHelp.loginAPIs.map(\.name)))
  var api: String?

  @Option(
    name: .customLong("redirect-uri"),
    help: "The redirect URI in the app's settings (\(SourceHelp.redirectLogins)); \(SourceHelp.redirects) by default.")
  var redirect: String?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  private static let cure = "run \"media login mastodon.social\", or name another"

  private static let keysBelongTogether = "--client-id and --client-secret-stdin go together"

  func validate() throws {
    guard clientID != nil || !clientSecretStdin else { throw ValidationError(Self.keysBelongTogether) }
    guard !appOnly || clientID != nil else {
      throw ValidationError("--app-only needs --client-id KEY and --client-secret-stdin")
    }
    guard !(tokenStdin && (clientSecretStdin || code != nil)) else {
      throw ValidationError("--token-stdin needs neither a code nor an app's keys")
    }
    guard !oauth || clientID == nil && !tokenStdin else {
      throw ValidationError("--oauth needs neither a token nor an app's keys")
    }
  }

  func run() async throws {
    let app = try App(global)
    let named = try source.map(SourceName.named)
    let flow = app.logins.flow()
    let talk = app.dialog(flow, opensBrowser: !noBrowser, show: show(on: app.console))
    let address = try server.map { try FeedAddressText($0) }
    if let code {
      let begun = try flow.resume(address?.server)
      return try say(try await talk.finish(begun, pasted: code), of: begun, app.console)
    }
    let (service, server) = try app.servers.sourceAndServer(of: named, address, cure: Self.cure)
    do { try await logIn(service, server, app, flow, talk) } catch let failure as LoginError {
      throw LoginFailure(failure: failure, server: server, source: try self.source(service))
    }
  }

  /// Logs in at a server.
  private func logIn(
    _ service: SourceName, _ server: Server, _ app: App, _ flow: LoginFlow, _ talk: LoginDialog
  ) async throws {
    let api = try chosenAPI(of: try source(service), at: server)
    if tokenStdin {
      let token = try PasswordDialog.line("the token", app.console)
      let account = try await asking(service, at: server, app) { service in
        try await flow.adopt(token, at: server, source: service, api: api)
      }
      return try say(account, app.console)
    }
    let login = Catalogue.entry(service)?.api(api, at: server)?.login
    guard !appOnly || login?.logsAppsIn == true else {
      throw UsageError("\(server) logs no apps in", cure: "leave --app-only out")
    }
    let isKeyEnough = login?.takesKeysAlone == true
    guard isKeyEnough || (clientID != nil) == clientSecretStdin else {
      throw UsageError(Self.keysBelongTogether, cure: "give both")
    }
    if appOnly || (isKeyEnough && !clientSecretStdin), let clientID {
      let secret = Secret(isKeyEnough ? "" : try PasswordDialog.line("the app's secret", app.console))
      return try say(try await flow.logInApp(clientID, clientSecret: secret, at: server, source: service), app.console)
    }
    try await asking(service, at: server, app) { service in
      if oauth {
        let begun = try await beginPage(flow, app.console, at: server, service)
        return try say(try await talk.ask(begun), of: begun, app.console)
      }
      if clientID == nil, let wanted = Catalogue.entry(service)?.api(api, at: server)?.login?.password {
        let dialog = PasswordDialog(console: app.console, flow: flow, wanted: wanted)
        return try say(try await dialog.ask(at: server, of: service), app.console)
      }
      let begun = try await begin(flow, app.console, at: server, service, api)
      try say(try await talk.ask(begun), of: begun, app.console)
    }
  }

  /// Asks a server as one of a service, and then as one of the service whose software it runs if none was named and it does
  /// not answer as that.
  private func asking<Answer>(
    _ service: SourceName, at server: Server, _ app: App, _ ask: (SourceName) async throws -> Answer
  ) async throws -> Answer {
    do { return try await ask(service) } catch let failure as LoginError where source == nil && clientID == nil {
      guard let other = await app.discovery.source(of: server, after: failure), other != service else { throw failure }
      return try await ask(other)
    }
  }

  /// The API of the login, if it is not the service's default.
  private func chosenAPI(of source: SourceDescriptor, at server: Server) throws -> String? {
    var chosen = source.loginAPI(api, at: server)
    guard api == nil || chosen != nil || api == source.name(of: nil, at: server) else {
      let isOneForAll = !source.apis.contains { $0.api.login?.isOfOneAPI == true }
      throw UsageError(
        "--api goes with \(Self.apis(" of"))", cure: "leave --api out\(isOneForAll ? ": one login is for all" : "")")
    }
    // Where a key is enough alone, its secret is for another login, that of a person.
    if api == nil, clientSecretStdin, !appOnly, source.api(nil, at: server)?.login?.takesKeysAlone == true {
      chosen = source.others.first { $0.value.login?.redirect != nil }?.key ?? chosen
    }
    guard redirect == nil || (source.api(chosen, at: server)?.login?.redirect != nil && clientID != nil) else {
      let names = NumberText.list(SourceHelp.loginAPIs.map(\.source.displayName), by: "or")
      throw UsageError(
        "--redirect-uri goes with an app's keys at \(names)",
        cure: "leave it out, or add --client-id ID and --client-secret-stdin")
    }
    return chosen
  }

  /// `graph of instagram`: the APIs with logins of their own.
  private static func apis(_ joint: String) -> String {
    NumberText.list(SourceHelp.loginAPIs.map { "\($0.name)\(joint) \($0.source.name.rawValue)" }, by: "or")
  }

  /// The source, if it has logins.
  private func source(_ name: SourceName) throws -> SourceDescriptor {
    try Catalogue.expect(name)
    guard let source = Catalogue.entry(name), source.usual.login != nil else {
      let isOfAddresses = Catalogue.entry(name)?.isOfAddresses == true
      throw UsageError(
        isOfAddresses ? "\(name.rawValue)s have no logins" : "\(name.rawValue) has no logins",
        cure: isOfAddresses ? "write a password into ~/.netrc" : "pull from it without one")
    }
    return source
  }

  private func begin(
    _ flow: LoginFlow, _ console: Console, at server: Server, _ source: SourceName, _ api: String?
  ) async throws -> Authorization {
    guard let clientID else { return try await flow.begin(server, source: source, api: api) }
    let secret = Secret(try PasswordDialog.line("the app's secret", console))
    return try await flow.begin(
      server, source: source, api: api, clientID: clientID, clientSecret: secret, redirect: redirect)
  }

  /// Begins a login on a page, for which the server must know who it is.
  private func beginPage(
    _ flow: LoginFlow, _ console: Console, at server: Server, _ source: SourceName
  ) async throws -> Authorization {
    guard let login = Catalogue.entry(source)?.usual.login, login.hasPage else {
      throw UsageError("--oauth goes with \(SourceHelp.pageLogins)", cure: "leave it out")
    }
    let name = try PasswordDialog.line("the \(login.password?.name ?? "name")", console, isShown: true)
    return try await flow.begin(name, at: server, source: source)
  }

  /// The page's address is printed alone on a line of standard output, so that a script can read it. All other text goes to
  /// standard error.
  private func show(on console: Console) -> @Sendable (Authorization) throws -> Void {
    { [json = global.json] authorization in
      try console.result(json ? try JSONText.line(["authorize": authorization.url]) : "\(authorization.url)")
    }
  }

  private func say(_ account: Account?, of begun: Authorization, _ console: Console) throws {
    guard let account else { throw LoginPending(server: begun.server, isConfirmed: begun.isConfirmed) }
    try say(account, console)
  }

  private func say(_ account: Account, _ console: Console) throws {
    if global.json { return try console.result(try JSONText.line(account.json)) }
    let end: SafeText = account.ends.map { " The login ends at \(MomentText().minute($0))." } ?? ""
    console.message("Logged in as \(account.handle) at \(account.server)." + end)
  }
}
