import Terminal

/// The progress of a login that the list needs.
public enum LoginProgress: Sendable, Equatable {
  /// The server requires a login, or rejects the stored one.
  case wanted(server: String)
  /// The address of the authorization page, a remark, and whether the person confirms on the page and pastes nothing.
  case page(url: String, message: String, isConfirmed: Bool = false)
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
  var message = ""
  var field = TextField()
  /// Whether the person confirms on the page and pastes nothing.
  var isConfirmed = false
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

  /// What a key asks of the list.
  enum Outcome: Equatable {
    case stay(LoginEffect?)
    case close
  }

  mutating func handle(_ key: Terminal.Key) -> Outcome {
    switch key {
    case .escape: return .close
    case .enter: return .stay(self.key == nil ? submitCode() : submitKey())
    default:
      _ = field.handle(key)
      return .stay(nil)
    }
  }

  private mutating func submitCode() -> LoginEffect? {
    guard isConfirmed || !field.trimmed.isEmpty, !isWaiting, !url.isEmpty else { return nil }
    let code = field.trimmed
    (isWaiting, message, field) = (true, "Asking the server…", TextField())
    return .finish(code)
  }

  /// Handles a typed key of an app, and asks for the next one.
  private mutating func submitKey() -> LoginEffect? {
    let typed = field.trimmed
    guard !typed.isEmpty else { return nil }
    field = TextField()
    guard case .secret(let id) = key else {
      key = .secret(id: typed)
      return nil
    }
    (key, isWaiting, message) = (nil, true, "")
    return .beginWith(LoginKeys(id: id, secret: typed))
  }

  /// The lines of the page at a width.
  func lines(width: Int) -> [PageLine] {
    var lines = [PageLine(text: "Log in at \(server)", style: .bold), PageLine(text: "")]
    if !message.isEmpty {
      lines += PageLine.wrapped(SafeText(message), width: width, style: .accent) + [PageLine(text: "")]
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
    let next: SafeText = isConfirmed ? "Then press Enter." : "Then paste the code that it shows below."
    lines += PageLine.wrapped(next, width: width, style: .faint)
    return lines
  }
}

extension PageLine {
  /// Text broken into lines.
  static func wrapped(_ text: SafeText, width: Int, style: CellStyle) -> [PageLine] {
    text.wrapped(to: width).map { PageLine(text: $0, style: style) }
  }
}
