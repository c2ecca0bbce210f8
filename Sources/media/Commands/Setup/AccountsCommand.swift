import ArgumentParser
import FoundationEssentials
import Login
import Machine
import Posts
import Services
import Web
import Wording

/// `media logout [ACCOUNT]`
struct LogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", _superCommandName: Media.name, abstract: "Revoke a login at its server, then forget it."
  )

  @Argument(
    help: "The login, handle@host or a host; needed only if there are several.", completion: Completing.accounts)
  var account: String?

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() async throws {
    let app = try App(global)
    let chosen: Account
    do { chosen = try app.accounts.choose(account) } catch AccountsError.none(let wanted) {
      throw NothingToEnd(wanted: wanted)
    }
    let revocation = try await app.logins.flow().logOut(chosen)
    if global.json {
      try app.console.result(try JSONText.object(["account": chosen.handle, "revoked": revocation == .revoked]))
    }
    switch revocation {
    case .revoked: app.console.message("Logged out \(chosen.handle): the token is revoked and forgotten.")
    case .notRevoked(let reason):
      app.console.error(
        """
        Logged out \(chosen.handle) here; \(chosen.server) did not revoke the token (\(reason)): \
        revoke it in your settings there.
        """)
    }
  }
}

/// There is no such login to end.
private struct NothingToEnd: ExplainedError {
  let wanted: String?

  var summary: String { AccountsError.none(wanted: wanted).summary }
  var cure: String? { wanted == nil ? nil : "\"media accounts\" lists the logins" }
  var exitCode: Posts.ExitCode { .needsLogin }
}

/// `media accounts`
struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", _superCommandName: Media.name,
    abstract: "List the logins, with their permissions and expiry.")

  @OptionGroup(title: HelpText.globalTitle) var global: GlobalOptions

  func run() throws {
    let app = try App(global)
    let accounts = try app.accounts.all()
    if global.json {
      for account in accounts { try app.console.result(try JSONText.line(account.json)) }
      return
    }
    guard !accounts.isEmpty else {
      return app.console.message(
        "No logins yet. Public timelines need none; \"media login mastodon.social\" makes one.")
    }
    let rows = accounts.map { account in
      [
        account.handle, account.server.name, account.name, account.scopes.joined(separator: " "),
        account.end.map { MomentText().minute($0) } ?? (Self.mayExpire(account) ? "not known" : "never"),
      ]
    }
    try app.output.print(
      .init(
        [.init("ACCOUNT", minimum: 16), .init("SERVER"), .init("NAME"), .init("SCOPES"), .init("EXPIRES")], rows: rows))
    let notices = Notices(now: app.time.now(), times: MomentText())
    for notice in notices.all(disk: nil, library: "", accounts: accounts, failing: []) {
      app.console.message("\(notice.message)")
    }
  }

  /// Whether a token without a known end has one: where each token is exchanged for the next one.
  private static func mayExpire(_ account: Account) -> Bool {
    Catalogue.entry(account.source)?.api(account.api, at: account.server)?.login?.exchangesTokens == true
  }
}

extension Account {
  /// A login as JSON: never its token.
  var json: JSONMembers {
    [
      "account": handle, "source": source, "server": server.origin, "name": name, "scopes": scopes,
      "expires": end.map(UTC.text),
    ]
  }
}
