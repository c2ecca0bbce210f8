import FoundationEssentials
import HTTP
import Login
import Machine
import Posts

extension SourceError: ExplainedError {
  /// What failed, with times in the machine's zone.
  public var summary: String { summary(in: .autoupdatingCurrent) }

  /// What failed, with times in a given zone.
  public func summary(in zone: TimeZone) -> String {
    switch self {
    case .needsLogin(let server): "\(server) shows this only to people who are logged in"
    case .tokenRefused(let server): "\(server) refused the token"
    case .forbidden(let server, let reason): "\(server) refuses this account (\(reason))"
    case .rateLimited(let server, let until?, let asked):
      "\(server) takes no more requests until \(until.clockText(seenFrom: asked, in: zone))"
    case .rateLimited(let server, nil, _): "\(server) takes no more requests for now"
    case .unreadable(let server, let reason): "the answer of \(server) cannot be read (\(reason))"
    case .notFound(let server, let what): "\(server) has no \(what), or no longer"
    case .gone(let server, let what): "\(server) has taken the \(what) away for good"
    case .closed(let server, let what, let reason): "\(server) does not show the \(what) to everybody (\(reason))"
    case .noFeed(let server): "what \(server) has there is a page that names no feed"
    case .searchIsOff(let server): "\(server) lets nobody search its posts, or not this account"
    case .unreachable(let server, let reason): "\(server) cannot be reached (\(reason))"
    case .noTLS(let server): "\(server) cannot be reached (it does not speak https)"
    case .untrusted(let server, let reason): ServerRefusal.untrusted(server, reason).summary
    case .blocked(let server): ServerRefusal.blocked(server).summary
    case .otherSoftware(let server, let name): "\(server) runs \(name)"
    case .serverFailed(let server, let status): "\(server) fails (status \(status))"
    case .tagsSpent(let server, let tag, let until, let asked, _):
      "30 tags in 7 days are spent at \(server)"
        + (until.map { $0.clockText(seenFrom: asked, in: zone) }
          .map { ", \(tag ?? "another") can be asked for from \($0) on" } ?? "")
    case .budgetSpent(let server, let left, let next):
      "the next page of \(server) may cost \(next), and \(left) of the budget is left"
    case .lookUpsSpent(let server, let left, let next):
      "the next post of \(server) may cost \(next), and \(left) of the budget is left"
    case .unkept(let reason): "what a pull has to remember cannot be kept (\(reason))"
    case .cancelled: "stopped"
    }
  }

  /// The server at which a login, or another one, resolves it.
  public var loginServer: Server? {
    switch self {
    case .needsLogin(let server), .tokenRefused(let server), .forbidden(let server, _): server
    default: nil
    }
  }

  /// What the reason of an `unreadable` answer begins with if the rest is the server's own.
  static let quoting = "it says: "

  /// What failed, without what the server wrote.
  public var recordedSummary: String {
    switch self {
    case .forbidden(let server, _): "\(server) refuses this account"
    case .closed(let server, let what, _): "\(server) does not show the \(what) to everybody"
    case .unreadable(let server, let reason) where reason.hasPrefix(Self.quoting):
      "the answer of \(server) cannot be read (it is a message)"
    case .otherSoftware(let server, _): "\(server) runs other software"
    default: summary
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .needsLogin(let server), .tokenRefused(let server): "run \"media login \(server)\""
    case .forbidden(let server, _): "run \"media login \(server)\" with an account that may see it"
    case .rateLimited(_, .some, _): "try again then"
    case .rateLimited(_, nil, _), .serverFailed: "try again later"
    case .otherSoftware: "this version of media does not speak with it; \"media feed URL\" reads feeds that it may have"
    case .unreadable: "check that the address is right, or try again later"
    case .notFound: "check how it is spelt"
    case .gone: "what came of it stays; there is nothing more to pull"
    case .closed: "where a password opens it, write it into ~/.netrc; else open it in a browser to see why"
    case .noFeed: "look on the page for a link named RSS, Atom or feed, and give its address"
    case .searchIsOff: "pull a tag or a user there"
    case .unreachable: "check the address and the network"
    case .noTLS(let server): "begin its address with http://\(server.host) if it may be asked without encryption"
    case .untrusted(let server, let reason): ServerRefusal.untrusted(server, reason).cure
    case .blocked(let server): ServerRefusal.blocked(server).cure
    case .tagsSpent(_, _, nil, _, []): "try again in a few days, or take one that was asked for"
    case .tagsSpent(_, _, _, _, let others): "take one of those that were: \(Self.list(others, most: 8))"
    case .budgetSpent: "--resume with more in --budget goes on from here; a smaller --page-size costs less"
    case .lookUpsSpent: "the newest posts were looked up, the others with more in --budget"
    case .unkept: "see that the library can be written"
    case .cancelled: nil
    }
  }

  private static func list(_ tags: [String], most: Int) -> String {
    let named = tags.suffix(most).map(Bounds.reason).joined(separator: ", ")
    return tags.count > most ? "\(named) and \(tags.count - most) more" : named
  }

  /// The exit status of the command.
  public var exitCode: ExitCode {
    switch self {
    case .needsLogin, .tokenRefused, .forbidden, .closed: .needsLogin
    case .rateLimited, .tagsSpent: .tryLater
    case .budgetSpent, .lookUpsSpent: .done
    case .unkept: .storage
    case .unreadable, .noFeed: .unreadable
    case .searchIsOff, .notFound, .gone, .unreachable, .noTLS, .untrusted, .blocked, .otherSoftware, .serverFailed:
      .unavailable
    case .cancelled: .interrupted
    }
  }
}

extension SourceError {
  /// The error for a request that received no answer.
  ///
  /// - Parameters:
  ///   - error: How the transfer failed.
  ///   - server: The server that was asked.
  public init(_ error: TransportError, from server: Server) {
    self =
      switch error {
      case .noTLS: .noTLS(server)
      case .untrusted(_, let reason): .untrusted(server, reason: Bounds.reason(reason))
      case .unknownHost, .unreachable, .noHTTP, .timedOut, .invalidURL:
        .unreachable(server, reason: Bounds.reason(error.explanation))
      case .cut, .endless, .tooLarge, .redirectRefused, .redirectDowngraded, .redirectInvalid, .redirectLoop,
        .tooManyRedirects,
        .privateNetwork, .sink:
        .unreadable(server, reason: Bounds.reason(error.explanation))
      case .rateLimited(_, let until, let asked): .rateLimited(server, until: until, asked: asked)
      case .cancelled: .cancelled
      }
  }
}
