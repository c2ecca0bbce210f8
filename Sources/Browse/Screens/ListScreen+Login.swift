import Terminal

// Login without leaving the list.

extension ListScreen {
  mutating func handle(_ news: LoginProgress) -> [Effect] {
    switch news {
    case .wanted(let server):
      login.server = server
      // The user has just asked for this list and waits for it.
      return login.isAwaited && mode == .list ? beginLogin() : []
    case .page(let url, let message, let isConfirmed):
      editLogin {
        ($0.url, $0.message, $0.isConfirmed, $0.isWaiting, $0.key) = (url, message, isConfirmed, false, nil)
      }
    case .keysWanted(let message):
      editLogin { ($0.url, $0.message, $0.isWaiting, $0.key) = ("", message, false, .id) }
      if loginPage == nil { notice = message }
    case .failed(let message):
      editLogin { ($0.message, $0.isWaiting) = (message, false) }
      if loginPage == nil { notice = message }
    case .granted(let server):
      guard login.server == server else { break }
      if loginPage?.server == server { (mode, notice) = (.list, "\(server) shows this now.") }
      login = LoginRequest()
    case .done(let handle):
      if loginPage != nil { mode = .list }
      login = LoginRequest()
      pulling.failure = nil
      notice = "Logged in as \(handle)."
      return scope.canRefresh ? ask(for: .new) : []
    }
    return []
  }

  /// Opens the login for the server that requires one.
  mutating func beginLogin() -> [Effect] {
    guard let server = login.server else {
      notice = "Nothing here asks for a login: \"media login SERVER\" logs in."
      return []
    }
    mode = .loggingIn(LoginScreen(server: server))
    login.isAwaited = false
    return [.login(.begin)]
  }

  mutating func logIn(_ key: Key, _ page: LoginScreen) -> [Effect] {
    var page = page
    switch page.handle(key) {
    case .close:
      mode = .list
      return []
    case .stay(let effect):
      mode = .loggingIn(page)
      return effect.map { [.login($0)] } ?? []
    }
  }

  var loginPage: LoginScreen? { if case .loggingIn(let page) = mode { page } else { nil } }

  private mutating func editLogin(_ edit: (inout LoginScreen) -> Void) {
    guard var page = loginPage else { return }
    edit(&page)
    mode = .loggingIn(page)
  }

  func drawLogin(_ login: LoginScreen, into page: inout Canvas) {
    let lines = login.lines(width: page.columns)
    // The address matters more than the text above it.
    let first = max(0, min(lines.count - page.rows, login.url.isEmpty ? 0 : 4))
    for (row, line) in lines.dropFirst(first).prefix(page.rows).enumerated() {
      page.put(line.text, row: row, column: 0, width: page.columns, style: line.style)
    }
  }
}

/// Who waits for a login.
struct LoginRequest: Sendable, Equatable {
  /// The server that requires a login; nil if none does.
  var server: String?
  /// Whether the user has just asked for what the login would show.
  var isAwaited = false
}
