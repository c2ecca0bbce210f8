import HTTP
import Login
import Posts
import Terminal

/// A login in the terminal by name and password, and by a code if the server wants one. In a script, these are lines of
/// standard input.
struct PasswordDialog: Sendable {
  let console: Console
  let flow: LoginFlow
  /// What is typed.
  let wanted: PasswordLogin

  /// Asks for name and password, and logs in.
  func ask(at server: Server, of source: SourceName) async throws -> Account {
    let name = try Self.line("the \(wanted.name)", console, isShown: true)
    if console.inputIsTerminal { console.message("The \(wanted.password) is \(wanted.advice).") }
    let password = Secret(try Self.line("the \(wanted.password)", console))
    do {
      return try await flow.logIn(name, password: password, at: server, source: source)
    } catch LoginError.codeWanted {
      console.message("\(server) \(wanted.code).")
      let code = Secret(try Self.line("the code", console, isShown: true))
      return try await flow.logIn(name, password: password, code: code, at: server, source: source)
    }
  }

  /// The next line of standard input. A typed secret is not echoed.
  static func line(_ what: String, _ console: Console, isShown: Bool = false) throws -> String {
    if console.inputIsTerminal { console.live("Type or paste \(what)\(isShown ? "" : " (it is not shown)"): ") }
    let line = isShown ? readLine() : ChangedModes.readHiddenLine()
    guard let line = line?.trimmingWhiteSpace, !line.isEmpty else {
      throw UsageError("\(what) did not come on standard input", cure: "pipe it in as one line")
    }
    return line
  }
}
