import FoundationEssentials
import Machine
import Posts

/// Logins by a pasted code, each a `media login` that waits for the code on its standard input.
///
/// A code reaches only its own child. Neither codes nor addresses of logins are in jobs, events or logs.
actor PasteLogins {
  /// The maximum number of logins under way. One more ends the oldest.
  private static let most = 4
  /// How long a login waits for its code.
  private static let patience = Duration.seconds(15 * 60)
  private static let grace = Duration.seconds(1)

  private struct Login {
    let child: ChildCommand
    let steps: AsyncStream<LoginStep>
    let end: Task<Void, Never>
  }

  private let program: MediaProgram
  private var logins: [(id: Int, login: Login)] = []
  private var count = 0

  init(_ program: MediaProgram) { self.program = program }

  /// Begins a login at a server.
  ///
  /// - Returns: Where to allow access, or why there is no login.
  func begin(server: String, source: String?) async throws(PullRefusal) -> (id: Int, step: LoginStep) {
    if logins.count >= Self.most { logins.removeFirst().login.child.end(within: Self.grace) }
    let command = MediaArguments("login", [server]).adding("--source", source).adding("--no-browser").adding("--json")
    let child = try program.start(command, hasInput: true)
    let (steps, tell) = AsyncStream.makeStream(of: LoginStep.self)
    // Kept with the login: it ends with the child, which is ended when too many logins wait.
    let end = Task {
      let last = await BlockingExecutor("gallery.login").run {
        var notes: [String] = []
        let start = ContinuousClock().now
        var account: String?
        let status = child.run { output in
          switch output {
          case .result(let line):
            guard let result = try? JSONDecoder().decode(LoginLine.self, from: Data(line.utf8)) else { return }
            if let address = result.authorize { tell.yield(.authorize(address, note: notes.last)) }
            account = result.account ?? account
            notes = []
          case .message(let line):
            notes = notes.suffix(3) + [LogLine(line)?.message ?? line]
          case .pause:
            if ContinuousClock().now - start > Self.patience { child.end(within: Self.grace) }
          }
        }
        return status == 0
          ? LoginStep.loggedIn(account ?? "") : .failed(notes.last ?? "the login ended with \(status)", status: status)
      }
      tell.yield(last)
      tell.finish()
    }
    count += 1
    let id = count
    logins.append((id, Login(child: child, steps: steps, end: end)))
    return (id, await next(id, steps))
  }

  /// Sends the code of a login.
  func send(_ code: String, to id: Int) async throws(PullRefusal) -> LoginStep {
    guard let login = logins.first(where: { $0.id == id })?.login else { throw .noLogin }
    login.child.type(code)
    return await next(id, login.steps)
  }

  /// Ends a login.
  func cancel(_ id: Int) { logins.first { $0.id == id }?.login.child.end(within: Self.grace) }

  /// Ends all logins and waits for their ends.
  func end() async {
    let open = logins.map(\.login)
    for login in open { login.child.end(within: Self.grace) }
    for login in open { await login.end.value }
  }

  private func next(_ id: Int, _ steps: AsyncStream<LoginStep>) async -> LoginStep {
    let step = await steps.first { _ in true } ?? .failed(PullRefusal.noLogin.description, status: 77)
    if case .authorize = step { return step }
    logins.removeAll { $0.id == id }
    return step
  }
}

/// How far a login has come.
enum LoginStep: Sendable, Equatable {
  /// The person opens the page, allows access, and pastes the code. The note says why, if it is not the first time.
  case authorize(String, note: String?)
  /// The handle.
  case loggedIn(String)
  case failed(String, status: Int32)
}

/// What `media login --json` prints: the page's address, then the account.
private struct LoginLine: Decodable {
  let authorize: String?
  let account: String?
}
