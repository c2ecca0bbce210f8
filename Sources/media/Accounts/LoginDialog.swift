import FoundationEssentials
import Login
import Posts
import Terminal

/// A login in the terminal: the page's address, and the code that the user pastes.
struct LoginDialog: Sendable {
  let console: Console
  let environment: [String: String]
  let flow: LoginFlow
  let opensBrowser: Bool
  /// How the address is presented.
  let show: @Sendable (Authorization) throws -> Void

  /// Asks for the code and exchanges it. Returns nil if none was typed.
  func ask(_ authorization: Authorization) async throws -> Account? {
    console.message(authorization.request)
    try show(authorization)
    if opensBrowser { Browser.open(authorization.url, environment) }
    while true {
      if console.inputIsTerminal {
        console.live(authorization.isConfirmed ? "Press Enter after allowing access: " : "Code: ")
      }
      guard let pasted = authorization.isConfirmed ? readLine() : Self.line() else { return nil }
      do { return try await finish(authorization, pasted: pasted) } catch let error as LoginError {
        guard case .notConfirmed = error, console.inputIsTerminal else { throw error }
        console.message("\(error.summary).")
      }
    }
  }

  /// The next line of standard input that is not blank.
  private static func line() -> String? {
    while let line = readLine() {
      if !line.allSatisfy(\.isWhitespace) { return line }
    }
    return nil
  }

  /// Exchanges a code. If the server has forgotten the app, asks for another code.
  func finish(_ authorization: Authorization, pasted: String) async throws -> Account? {
    switch try await flow.finish(authorization, pasted: pasted) {
    case .loggedIn(let account): return account
    case .again(let second):
      console.message("\(second.server) had forgotten this app; it is registered anew.")
      return try await ask(second)
    case .needsWiderScopes(let second, let revocation):
      console.message("\(second.whyWider(revocation))")
      return try await ask(second)
    }
  }
}

extension Authorization {
  /// What the person is to do.
  fileprivate var request: SafeText {
    if isConfirmed { return "Open this page, allow access, and press Enter here:" }
    return leadsElsewhere
      ? "Open this page, allow access, and paste the whole address of the page you end on:"
      : "Open this page, allow access, and paste the code it shows:"
  }

  /// Why the user is asked again, and for what; what happened to the first token, if it may still be valid.
  func whyWider(_ revocation: Revocation) -> SafeText {
    let prompt: SafeText = """
      \(server) granted what was asked for and does not take it. This asks for "\(scopes.joined(separator: " "))": all \
      that the account can read, and nothing that it can write.
      """
    guard case .notRevoked(let reason) = revocation else { return prompt }
    return prompt + " The token that it granted first may still be good (\(reason)): its settings can end it."
  }
}

/// A login was begun and no code was pasted.
struct LoginPending: ExplainedError {
  let server: Server
  var isConfirmed = false
  var summary: String {
    isConfirmed
      ? "nobody confirmed it, the login at \(server) waits for an hour"
      : "no code came, the login at \(server) waits for an hour"
  }
  var cure: String? {
    isConfirmed
      ? LoginError.notConfirmed(server).cure : "run \"media login \(server) --code CODE\" with the code from the page"
  }
  var exitCode: Posts.ExitCode { .needsLogin }
}
