import FoundationEssentials
import HTTP
import Machine
import Posts

/// Why a login, or its verification, failed. No case carries a token, a code or a key.
public enum LoginError: Error, Equatable {
  /// The server did not answer.
  case unreachable(Server, reason: String)
  /// The server answers without TLS.
  case noTLS(Server)
  /// The server's certificate is not trusted.
  case untrusted(Server, reason: String)
  /// A protection before the server refused this program.
  case blocked(Server)
  /// The server fails (5xx).
  case serverFailed(Server, status: Int)
  /// Too many requests, beyond patience: until when the server takes no more, where it said, and when it was asked.
  case rateLimited(Server, until: Date? = nil, asked: Date? = nil)
  /// The server answers, but not like a server of its service; `kin` says which servers those are.
  case notThisAPI(Server, kin: String)
  /// The source has no logins.
  case noLogins(Server)
  /// The server knows no app with this key and secret.
  case keysRefused(Server)
  /// The service gives keys only to people, and none are stored.
  case needsKeys(Server, SourceName, logsAppsIn: Bool = false)
  /// People log in by name and password, and not on a page.
  case needsPassword(Server)
  /// The name or the password is wrong.
  case passwordRefused(Server)
  /// The server wants a code beside the password: one that it sent by mail, or that of an app.
  case codeWanted(Server)
  /// Another server of the service has the account.
  case livesElsewhere(Server, SourceName, at: Server)
  /// No account has this name.
  case unknownName(Server, name: String)
  /// The account's server, or the one that logs its people in, offers no login on a page that this version can use; why, as a
  /// clause.
  case noPage(Server, why: String)
  /// Another account than the named one was logged in on the page.
  case otherAccount(Server, name: String)
  /// A code was pasted where the whole address is needed.
  case notTheAddress(Server)
  /// The service lets apps in by a key alone, and none was given.
  case needsKey(Server, SourceName)
  /// The server has moved.
  case moved(Server, to: Server)
  /// The server speaks the API but registers no apps.
  case noRegistration(Server)
  /// The answer is not what the API promises.
  case unreadable(Server, what: String)
  /// Nothing was pasted.
  case noCode(Server)
  /// The pasted text is not a code.
  case notACode(Server)
  /// The code is wrong, used or expired.
  case codeRefused(Server)
  /// The person, or the server, refused on the authorization page.
  case denied(Server)
  /// The person has not allowed access on the page yet.
  case notConfirmed(Server)
  /// The pasted text belongs to another login.
  case otherLogin(Server)
  /// A code was pasted but no login waits for one; nil if no server was named.
  case nothingBegun(Server?)
  /// The server rejects the app's keys, even fresh ones or those made by hand.
  case appRefused(Server)
  /// The server rejects the keys made by hand, or does not know the redirect.
  case redirectRefused(Server, redirect: String)
  /// The person has no account that this API may read.
  case noProfessionalAccount(Server)
  /// The server rejects the token; its own reason, if it gave one.
  case tokenRefused(Server, reason: String?)
  /// The server accepts the token but refuses a request of the login; its own reason, if it gave one.
  case outOfScope(Server, reason: String?)
  /// The text given as a token cannot be one.
  case notAToken(Server)
  /// The login was cancelled.
  case cancelled
}

extension LoginError: ExplainedError {
  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .unreachable(let server, let reason): "\(server) cannot be reached (\(reason))"
    case .noTLS(let server): "\(server) cannot be reached (it does not speak https)"
    case .untrusted(let server, let reason): ServerRefusal.untrusted(server, reason).summary
    case .blocked(let server): ServerRefusal.blocked(server).summary
    case .serverFailed(let server, let status): "\(server) fails (status \(status))"
    case .rateLimited(let server, let until?, let asked):
      "\(server) takes no more requests until \(until.clockText(seenFrom: asked ?? until))"
    case .rateLimited(let server, nil, _): "\(server) takes no more requests for now"
    case .notThisAPI(let server, let kin): "\(server) does not answer as \(kin) do"
    case .noLogins(let server): "\(server) has no logins that this version of media knows"
    case .keysRefused(let server): "\(server) knows no app with this key and secret"
    case .needsKeys(let server, _, _): "\(server) lets people in with keys of their own alone"
    case .needsPassword(let server): "\(server) lets people in by name and password"
    case .passwordRefused(let server): "\(server) refused the name or the password"
    case .codeWanted(let server): "\(server) wants a code beside the password"
    case .livesElsewhere(let server, _, let other): "\(other) has this account, and \(server) does not"
    case .unknownName(_, let name): "no account is named \(name)"
    case .noPage(let server, let why): "\(server) has no page for this login (\(why))"
    case .otherAccount(let server, let name): "another account than \(name) was logged in on the page of \(server)"
    case .notTheAddress: "what was pasted is not the whole address"
    case .needsKey(let server, _): "\(server) lets apps in with a key of their own"
    case .moved(let server, let other): "\(server) sends logins to \(other)"
    case .noRegistration(let server): "\(server) does not let apps register themselves"
    case .unreadable(let server, let what): "the answer of \(server) cannot be read (\(what))"
    case .noCode: "no code was given"
    case .notACode: "what was pasted is not a code"
    case .codeRefused(let server): "\(server) refused the code, which is wrong, used or expired"
    case .denied(let server): "access was denied on the page of \(server)"
    case .notConfirmed(let server): "access was not allowed yet on the page of \(server)"
    case .otherLogin(let server): "what was pasted belongs to another login at \(server)"
    case .nothingBegun(nil): "no login waits for a code"
    case .nothingBegun(let server?): "no login at \(server) waits for a code"
    case .appRefused(let server): "\(server) does not accept the keys of this app"
    case .redirectRefused(let server, _): "\(server) does not accept the keys of this app, or its redirect"
    case .noProfessionalAccount(let server): "no professional account of \(server) belongs to this login"
    case .tokenRefused(let server, nil): "\(server) refused the token"
    case .tokenRefused(let server, let reason?): "\(server) refused the token (\(reason))"
    case .outOfScope(let server, let reason):
      "\(server) wants a wider permission than the token has\(reason.map { " (\($0))" } ?? "")"
    case .notAToken: "what was given is not a token"
    case .cancelled: "the login was stopped"
    }
  }

  /// What failed, without what the server wrote.
  public var recordedSummary: String {
    switch self {
    case .tokenRefused(let server, _): "\(server) refused the token"
    case .outOfScope(let server, _): "\(server) wants a wider permission than the token has"
    case .unreadable(let server, _): "the answer of \(server) cannot be read"
    default: summary
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .unreachable: "check the address and the network"
    case .noTLS(let server): "begin its address with http://\(server.host) if it may be asked without encryption"
    case .untrusted(let server, let reason): ServerRefusal.untrusted(server, reason).cure
    case .blocked(let server): ServerRefusal.blocked(server).cure
    case .rateLimited(_, .some, _): "try again then"
    case .serverFailed, .rateLimited: "try again later"
    case .unreadable: "check the address, or try again later"
    case .notThisAPI: "check the address, or name another kind of server with --source"
    case .needsKeys(let server, let source, let logsAppsIn):
      "make an app in its settings and run \"media login \(server) --source \(source.rawValue)"
        + (logsAppsIn ? " --app-only" : "")
        + " --client-id ID --client-secret-stdin\""
        + (logsAppsIn ? " (without --app-only as yourself)" : "") + ", or give a token with --token-stdin"
    case .needsPassword(let server), .codeWanted(let server): "run \"media login \(server)\""
    case .passwordRefused(let server): "run \"media login \(server)\" again"
    case .livesElsewhere(_, let source, let other): "run \"media login \(other) --source \(source.rawValue)\""
    case .unknownName: "check the name"
    case .noPage(let server, _): "run \"media login \(server)\" and give an app password"
    case .otherAccount(let server, let name):
      "run \"media login \(server) --oauth\" again, and choose \(name) on the page"
    case .notTheAddress: "paste the whole address of the page you end on, from http to its end"
    case .needsKey(let server, let source):
      "make an app in its settings and run \"media login \(server) --source \(source.rawValue) --client-id KEY\", or give the "
        + "key with --token-stdin"
    case .moved(_, let other): "run \"media login \(other)\""
    case .noRegistration(let server):
      "make an app in its settings with the redirect \(OutOfBand.redirect) and run "
        + "\"media login \(server) --client-id ID --client-secret-stdin\", or give a token with --token-stdin"
    case .keysRefused(let server): "copy both from the app's settings at \(server), and leave out nothing"
    case .noCode(let server), .notACode(let server):
      "run \"media login \(server)\" and paste the code its page shows"
    case .codeRefused(let server), .denied(let server), .otherLogin(let server):
      "run \"media login \(server)\" again"
    case .notConfirmed(let server): "allow it there, and run \"media login \(server) --code allowed\""
    case .nothingBegun(let server): "run \"media login \(server?.name ?? "SERVER")\" first"
    case .appRefused(let server):
      "check the key, the secret and the redirect \(OutOfBand.redirect) in the app's settings at \(server)"
    case .redirectRefused(let server, let redirect):
      "check the key, the secret and the redirect \(redirect) in the app's settings, and run "
        + "\"media login \(server)\" with the keys and --redirect-uri where it is another"
    case .noProfessionalAccount:
      "make it a business or creator account, link it to a page, allow both on the login's page, and log in again"
    case .tokenRefused(let server, _): "run \"media login \(server)\""
    case .outOfScope(let server, _):
      "run \"media login \(server)\" and allow \"read\", or give a token that has it with --token-stdin"
    case .notAToken: "give the token alone, on one line"
    case .cancelled, .noLogins: nil
    }
  }

  /// The server at which another login resolves it.
  public var loginServer: Server? {
    switch self {
    case .tokenRefused(let server, _), .outOfScope(let server, _), .moved(_, let server): server
    default: nil
    }
  }

  /// The exit status of the command.
  public var exitCode: ExitCode {
    switch self {
    case .unreachable, .noTLS, .untrusted, .blocked, .serverFailed, .notThisAPI, .moved, .livesElsewhere,
      .noRegistration, .noPage:
      .unavailable
    case .rateLimited: .tryLater
    case .unreadable: .unreadable
    case .noCode, .notACode, .notAToken, .noLogins, .notTheAddress, .unknownName: .usage
    case .codeRefused, .denied, .notConfirmed, .otherLogin, .nothingBegun, .appRefused, .keysRefused, .needsKeys,
      .needsKey, .tokenRefused, .redirectRefused, .noProfessionalAccount, .outOfScope, .needsPassword, .passwordRefused,
      .codeWanted, .otherAccount:
      .needsLogin
    case .cancelled: .interrupted
    }
  }
}

extension LoginError {
  /// The login error for a failed transfer.
  init(_ error: TransportError, at server: Server, kin: String) {
    self =
      switch error {
      case .noTLS: .noTLS(server)
      case .untrusted(_, let reason): .untrusted(server, reason: reason)
      case .unknownHost, .unreachable, .noHTTP, .timedOut, .invalidURL, .sink:
        .unreachable(server, reason: error.explanation)
      case .cut, .endless, .tooLarge, .privateNetwork, .tooManyRedirects, .redirectLoop, .redirectInvalid,
        .redirectDowngraded:
        .unreadable(server, what: error.explanation)
      case .redirectRefused(let address):
        Server(address).map { $0 == server ? .notThisAPI(server, kin: kin) : .moved(server, to: $0) }
          ?? .notThisAPI(server, kin: kin)
      case .rateLimited(_, let until, let asked): .rateLimited(server, until: until, asked: asked)
      case .cancelled: .cancelled
      }
  }
}
