import FoundationEssentials
import Login
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
  /// The handle of the login that may be shown more, if it was made already.
  private let made: String?

  /// Nil if no login helps, or if `media login SERVER` suffices.
  ///
  /// - Parameters:
  ///   - account: The login that was used; a new one is made as it was.
  ///   - existing: The login that was made for an API.
  init?(
    _ failure: any Error, for feed: Feed, by api: String?, as account: Account? = nil,
    existing: (_ api: String) -> Account? = { _ in nil }
  ) {
    guard let failure = failure as? SourceError, let source = Catalogue.entry(feed.source),
      source.api(api, at: feed.server)?.login != nil
    else { return nil }
    var command =
      account.map(SourceDescriptor.loginCommand(for:)) ?? source.loginCommand(at: feed.server, for: api)
    var made: String?
    if case .closed = failure {
      // Another login may be shown more, such as that of a person in place of an app's.
      let other = source.others.first { $0.value.login?.isOfOneAPI == true }?.key
      guard let other, account?.api != other else { return nil }
      command = source.loginCommand(at: feed.server, for: other)
      made = existing(other)?.handle
    }
    guard command != "media login \(feed.server)" else { return nil }
    switch failure {
    case .needsLogin, .tokenRefused, .forbidden, .closed: break
    default: return nil
    }
    self.failure = failure
    self.command = command
    self.made = made
  }

  var summary: String { failure.summary }

  var cure: String? {
    if let made {
      return "pull it with --account \(made), since harvests use the login that was made first"
    }
    return switch failure {
    case .forbidden, .closed: "run \"\(command)\" with an account that may see it"
    default: "run \"\(command)\""
    }
  }

  var exitCode: ExitCode { failure.exitCode }
}

extension AccountChooser {
  /// A failure of a feed, with the login that resolves it if one does.
  func advised(_ failure: any Error, of feed: Feed, by api: String?, as name: String? = nil) -> any Error {
    // Where none is named, harvests use the first of several.
    let used = try? (name == nil ? firstAccount(for: feed) : account(for: feed, named: name))
    return LoginAdvice(failure, for: feed, by: api, as: used) { try? account(for: feed, of: $0) } ?? failure
  }
}

/// A login that failed, with a cure that names the source where the server's name does not suffice.
struct LoginFailure: ExplainedError {
  let failure: LoginError
  let server: Server
  let source: SourceDescriptor

  var summary: String { failure.summary }
  var cure: String? {
    let command = source.loginCommand(at: server, for: nil)
    guard let cure = failure.cure, !cure.contains("--source"), command.contains("--source") else { return failure.cure }
    return cure.replacing("media login \(server)", with: "media login \(server) --source \(source.name.rawValue)")
  }
  var exitCode: ExitCode { failure.exitCode }
  var loginServer: Server? { failure.loginServer }
}
