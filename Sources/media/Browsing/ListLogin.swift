import Browse
import Foundation
import Login
import Posts
import Services

/// Logs a person in without the list being left: begins where a pull was refused, and ends with the pasted code.
actor ListLogin {
  private let app: App
  private let mailbox: Mailbox
  /// The feed whose pull was refused last.
  private var wanted: Feed?
  private var authorization: Authorization?

  init(app: App, mailbox: Mailbox) { (self.app, self.mailbox) = (app, mailbox) }

  /// Notes that a feed is shown to people alone who are logged in.
  func want(_ feed: Feed) {
    wanted = feed
    mailbox.post(.login(.wanted(server: feed.server.name)))
  }

  func perform(_ effect: Effect) async {
    guard let wanted else { return }
    do {
      switch effect {
      case .logIn: show(try await app.loginFlow(telling: tell).begin(wanted.server, source: wanted.source))
      case .finishLogIn(let code): try await finish(code)
      default: break
      }
    } catch {
      mailbox.post(.login(.failed(words(for: error, wanted))))
    }
  }

  private func show(_ authorization: Authorization, _ words: String = "") {
    self.authorization = authorization
    mailbox.post(.login(.page(url: authorization.url, words: words)))
    Browser.open(authorization.url, app.environment)
  }

  private func finish(_ code: String) async throws {
    guard let authorization else { return }
    switch try await app.loginFlow(telling: tell).finish(authorization, pasted: code) {
    case .loggedIn(let account):
      self.authorization = nil
      mailbox.post(.login(.done(handle: account.handle)))
    case .again(let second): show(second, "\(second.server) had forgotten this app; it is registered anew.")
    }
  }

  private nonisolated func tell(_ words: String) { mailbox.post(.login(.failed(words))) }

  /// Where only a command logs in, the command.
  private func words(for error: any Error, _ feed: Feed) -> String {
    let advice = LoginAdvice(SourceError.needsLogin(feed.server), for: feed)
    if case LoginError.needsKeys = error, let advice { return advice.description }
    return (error as? any ExplainedError)?.description ?? "\(error)"
  }
}
