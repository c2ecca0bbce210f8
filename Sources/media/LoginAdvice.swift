import Posts
import Services

extension SourceError {
  /// Whether it ends with a login, or with a new one.
  var wantsLogin: Bool {
    switch self {
    case .needsLogin, .tokenRefused: true
    default: false
    }
  }
}

/// A failure that a login mends, at a service where people type more than the server's name for one.
struct LoginAdvice: ExplainedError {
  private let failure: SourceError
  private let command: String

  /// Nil where no login helps, or where `media login SERVER` is all.
  init?(_ failure: any Error, for feed: Feed, by api: String?) {
    guard let failure = failure as? SourceError, let api = Catalogue.entry(feed.source)?.api(api, at: feed.server),
      !api.login.isEmpty
    else { return nil }
    switch failure {
    case .needsLogin, .tokenRefused, .forbidden: break
    default: return nil
    }
    self.failure = failure
    command = "media login \(feed.server) \(api.login)"
  }

  var summary: String { failure.summary }

  var cure: String? {
    if case .forbidden = failure { return "run \"\(command)\" with an account that may see it" }
    return "run \"\(command)\""
  }

  var exitCode: ExitCode { failure.exitCode }
}
