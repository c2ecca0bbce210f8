import Browse
import HTTP
import Login
import Posts
import Services
import Terminal

/// Logs in without leaving the list: begins after a refused pull, and ends with the pasted code.
actor ListLogin {
  private let logins: AccountChooser
  private let environment: [String: String]
  private let eventQueue: ScreenEventQueue
  /// The feed whose pull was refused last, and its API.
  private var wanted: (feed: Feed, api: String?)?
  private var authorization: Authorization?

  init(logins: AccountChooser, environment: [String: String], eventQueue: ScreenEventQueue) {
    (self.logins, self.environment, self.eventQueue) = (logins, environment, eventQueue)
  }

  /// Records that a feed requires a login.
  func want(_ feed: Feed, by api: String?) {
    wanted = (feed, api)
    eventQueue.post(.login(.wanted(server: feed.server.name)))
  }

  /// Records that a feed was readable: the login it required is no longer needed.
  func settle(_ feed: Feed) {
    guard let known = wanted, known.feed == feed else { return }
    (wanted, authorization) = (nil, nil)
    eventQueue.post(.login(.granted(server: feed.server.name)))
  }

  func perform(_ effect: LoginEffect) async {
    guard let wanted else { return }
    do {
      switch effect {
      case .begin:
        show(try await logins.flow(reportingTo: report).begin(wanted.feed.server, source: wanted.feed.source))
      case .beginWith(let keys): show(try await begin(wanted.feed, wanted.api, keys))
      case .finish(let code): try await finish(code)
      }
    } catch let error as LoginError where error.wantsKeys {
      eventQueue.post(.login(.keysWanted(error.summary)))
    } catch {
      eventQueue.post(.login(.failed(Self.message(of: error))))
    }
  }

  /// A failure as the login's page shows it. What to type in a shell helps nobody there: the page takes another code.
  private static func message(of error: any Error) -> String {
    switch error {
    case LoginError.notConfirmed(let server): "\(LoginError.notConfirmed(server).summary): press Enter when it is"
    case let error as LoginError where error.wantsCode: "\(error.summary): paste the code that the page shows now"
    case let error as any ExplainedError: error.description
    default: "\(error)"
    }
  }

  private func show(_ authorization: Authorization, _ message: String = "") {
    self.authorization = authorization
    let hint = authorization.leadsElsewhere ? "Paste the whole address of the page you end on." : ""
    eventQueue.post(
      .login(
        .page(
          url: authorization.url, message: message.isEmpty ? hint : message, isConfirmed: authorization.isConfirmed)))
    Browser.open(authorization.url, environment)
  }

  /// Begins a login with the keys of an app made by hand.
  private func begin(_ feed: Feed, _ api: String?, _ keys: LoginKeys) async throws -> Authorization {
    let (flow, secret) = (logins.flow(reportingTo: report), Secret(keys.secret))
    return try await flow.begin(
      feed.server, source: feed.source, api: Catalogue.entry(feed.source)?.loginAPI(api, at: feed.server),
      clientID: keys.id, clientSecret: secret)
  }

  private func finish(_ code: String) async throws {
    guard let authorization else { return }
    switch try await logins.flow(reportingTo: report).finish(authorization, pasted: code) {
    case .loggedIn(let account):
      self.authorization = nil
      eventQueue.post(.login(.done(handle: account.handle)))
    case .again(let second): show(second, "\(second.server) had forgotten this app; it is registered anew.")
    case .needsWiderScopes(let second, let revocation): show(second, second.whyWider(revocation).text)
    }
  }

  private nonisolated func report(_ text: SafeText) { eventQueue.post(.login(.failed(text.text))) }
}

extension LoginError {
  /// Whether another code helps.
  fileprivate var wantsCode: Bool {
    switch self {
    case .noCode, .notACode, .codeRefused: true
    default: false
    }
  }

  /// Whether the keys of an app made by hand help.
  fileprivate var wantsKeys: Bool {
    switch self {
    case .needsKeys, .noRegistration, .keysRefused, .appRefused: true
    default: false
    }
  }
}
