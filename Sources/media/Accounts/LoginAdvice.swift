import Posts
import Services

extension SourceError {
  /// Whether a login, or a new one, resolves the error.
  var wantsLogin: Bool {
    switch self {
    case .needsLogin, .tokenRefused: true
    default: false
    }
  }
}

/// A failure that a login resolves, at a service whose login needs more than the server's name.
struct LoginAdvice: ExplainedError {
  private let failure: SourceError
  private let command: String

  /// Nil if no login helps, or if `media login SERVER` suffices.
  init?(_ failure: any Error, for feed: Feed, by api: String?) {
    guard let failure = failure as? SourceError, let source = Catalogue.entry(feed.source),
      let arguments = source.api(api, at: feed.server)?.login.map({ Self.arguments($0, of: source, at: feed.server) }),
      !arguments.isEmpty
    else { return nil }
    switch failure {
    case .needsLogin, .tokenRefused, .forbidden: break
    default: return nil
    }
    self.failure = failure
    command = "media login \(feed.server) \(arguments)"
  }

  /// What follows the server: the login's own words, or the source of a server that does not show it.
  private static func arguments(_ login: LoginService, of source: SourceDescriptor, at server: Server) -> String {
    let isKnown = source.name == .usual || source.home?.owns(server) == true
    return login.arguments.isEmpty && !isKnown ? "--source \(source.name.rawValue)" : login.arguments
  }

  var summary: String { failure.summary }

  var cure: String? {
    if case .forbidden = failure { return "run \"\(command)\" with an account that may see it" }
    return "run \"\(command)\""
  }

  var exitCode: ExitCode { failure.exitCode }
}
