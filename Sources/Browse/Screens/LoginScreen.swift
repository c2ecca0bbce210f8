import Terminal

/// The progress of a login that the list needs.
public enum LoginProgress: Sendable, Equatable {
  /// The server requires a login, or rejects the stored one.
  case wanted(server: String)
  /// The address of the authorization page, and a remark.
  case page(url: String, words: String)
  /// The server needs the keys of an app made there, for this reason.
  case keysWanted(String)
  /// The login failed, for this reason.
  case failed(String)
  /// No login is needed any more, or one was made elsewhere.
  case granted(server: String)
  /// The login succeeded.
  case done(handle: String)
}

/// The keys of an app made in a server's settings. They are never printed.
public struct LoginKeys: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The client id.
  public let id: String
  /// The client secret.
  public let secret: String

  /// Creates keys as typed.
  public init(id: String, secret: String) { (self.id, self.secret) = (id, secret) }

  /// `<keys>`.
  public var description: String { "<keys>" }
  /// Empty, so that no reflection shows the keys.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The login on the screen: the address to open, and a field for the code shown there.
struct LoginScreen: Sendable, Equatable {
  let server: String
  /// Empty until the server has named the address.
  var url = ""
  var words = ""
  var field = TextField()
  /// Whether a request is under way.
  var isWaiting = true
  /// Which app key is being typed; nil if none is needed.
  var key: Key?

  /// A key of an app.
  enum Key: Sendable, Equatable {
    case id
    /// The secret of the app with this client id.
    case secret(id: String)
  }

  /// The lines of the page at a width.
  func lines(width: Int) -> [PageLine] {
    var lines = [PageLine(text: "Log in at \(server)", style: .bold), PageLine(text: "")]
    if !words.isEmpty {
      lines += PageLine.wrapped(SafeText(words), width: width, style: .accent) + [PageLine(text: "")]
    }
    if key != nil {
      return lines
        + PageLine.wrapped("Type or paste the app's client ID, then its secret.", width: width, style: .faint)
        + PageLine.wrapped("They are kept with the logins, readable by you alone.", width: width, style: .faint)
    }
    guard !url.isEmpty else {
      return lines + (isWaiting ? [PageLine(text: "Asking the server for its page…", style: .faint)] : [])
    }
    lines += PageLine.wrapped("Open this address in a browser and allow access:", width: width, style: .faint)
    lines.append(PageLine(text: ""))
    // Broken only at the edge, so that the mouse can select it whole.
    lines += PageLine.wrapped(SafeText(url), width: width, style: .plain)
    lines.append(PageLine(text: ""))
    lines += PageLine.wrapped("Then paste the code that it shows below.", width: width, style: .faint)
    return lines
  }
}

extension PageLine {
  /// Text broken into lines.
  static func wrapped(_ text: SafeText, width: Int, style: CellStyle) -> [PageLine] {
    text.wrapped(to: width).map { PageLine(text: $0, style: style) }
  }
}

// Login without leaving the list.

extension ListScreen {
  mutating func handle(_ news: LoginProgress) -> [Effect] {
    switch news {
    case .wanted(let server):
      login.server = server
      // The user has just asked for this list and waits for it.
      return login.isAwaited && mode == .list ? beginLogin() : []
    case .page(let url, let words):
      editLogin { ($0.url, $0.words, $0.isWaiting, $0.key) = (url, words, false, nil) }
    case .keysWanted(let words):
      editLogin { ($0.url, $0.words, $0.isWaiting, $0.key) = ("", words, false, .id) }
      if loginPage == nil { notice = words }
    case .failed(let words):
      editLogin { ($0.words, $0.isWaiting) = (words, false) }
      if loginPage == nil { notice = words }
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
      notice = "Nothing here waits for a log-in."
      return []
    }
    mode = .loggingIn(LoginScreen(server: server))
    login.isAwaited = false
    return [.logIn]
  }

  mutating func logIn(_ key: Key, _ page: LoginScreen) -> [Effect] {
    var page = page
    switch key {
    case .escape:
      mode = .list
      return []
    case .enter where page.key != nil: return submitKey(page)
    case .enter:
      guard !page.field.trimmed.isEmpty, !page.isWaiting, !page.url.isEmpty else { return [] }
      let code = page.field.trimmed
      (page.isWaiting, page.words, page.field) = (true, "Asking the server…", TextField())
      mode = .loggingIn(page)
      return [.finishLogIn(code)]
    default:
      _ = page.field.handle(key)
      mode = .loggingIn(page)
      return []
    }
  }

  /// Handles a typed key, and asks for the next one.
  private mutating func submitKey(_ page: LoginScreen) -> [Effect] {
    var page = page
    let typed = page.field.trimmed
    guard !typed.isEmpty else { return [] }
    page.field = TextField()
    defer { mode = .loggingIn(page) }
    guard case .secret(let id) = page.key else {
      page.key = .secret(id: typed)
      return []
    }
    (page.key, page.isWaiting, page.words) = (nil, true, "")
    return [.logInWith(LoginKeys(id: id, secret: typed))]
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
