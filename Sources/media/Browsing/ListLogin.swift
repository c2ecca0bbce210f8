import Browse
import Foundation
import Login
import Posts
import Services
import Terminal

/// Logs a person in without the list being left: begins where a pull was refused, and ends with the pasted code.
actor ListLogin {
  private let app: App
  private let mailbox: Mailbox
  /// The feed whose pull was refused last, and the API it is pulled by.
  private var wanted: (feed: Feed, api: String?)?
  private var authorization: Authorization?

  init(app: App, mailbox: Mailbox) { (self.app, self.mailbox) = (app, mailbox) }

  /// Notes that a feed is shown to people alone who are logged in.
  func want(_ feed: Feed, by api: String?) {
    wanted = (feed, api)
    mailbox.post(.login(.wanted(server: feed.server.name)))
  }

  func perform(_ effect: Effect) async {
    guard let wanted else { return }
    do {
      switch effect {
      case .logIn: show(try await app.loginFlow(telling: tell).begin(wanted.feed.server, source: wanted.feed.source))
      case .finishLogIn(let code): try await finish(code)
      default: break
      }
    } catch {
      mailbox.post(.login(.failed(words(for: error, wanted.feed, by: wanted.api))))
    }
  }

  private func show(_ authorization: Authorization, _ words: String = "") {
    self.authorization = authorization
    let place = authorization.leadsElsewhere ? "Paste the whole address of the page you end on." : ""
    mailbox.post(.login(.page(url: authorization.url, words: words.isEmpty ? place : words)))
    Browser.open(authorization.url, app.environment)
  }

  private func finish(_ code: String) async throws {
    guard let authorization else { return }
    switch try await app.loginFlow(telling: tell).finish(authorization, pasted: code) {
    case .loggedIn(let account):
      self.authorization = nil
      mailbox.post(.login(.done(handle: account.handle)))
    case .again(let second): show(second, "\(second.server) had forgotten this app; it is registered anew.")
    case .needsWiderScopes(let second): show(second, second.whyWider.text)
    }
  }

  private nonisolated func tell(_ words: Inert) { mailbox.post(.login(.failed(words.text))) }

  /// Where only a command logs in, the command.
  private func words(for error: any Error, _ feed: Feed, by api: String?) -> String {
    let advice = LoginAdvice(SourceError.needsLogin(feed.server), for: feed, by: api)
    if case LoginError.needsKeys = error, let advice { return advice.description }
    return (error as? any ExplainedError)?.description ?? "\(error)"
  }
}
