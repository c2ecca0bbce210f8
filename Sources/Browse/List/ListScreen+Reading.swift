import Terminal

// Keys on the screens that replace the list.

extension ListScreen {
  mutating func read(_ key: Key, _ line: Int) -> [Effect] {
    switch key {
    case .escape, .enter, .character("q"), .backspace: mode = origin
    case .character("j"), .down: mode = .post(min(line + 1, mostScroll))
    case .character("k"), .up: mode = .post(max(0, line - 1))
    case .pageDown, .character(" "): mode = .post(min(line + metrics.height, mostScroll))
    case .pageUp, .character("b"): mode = .post(max(0, line - metrics.height))
    case .character("g"), .home: mode = .post(0)
    case .character("G"), .end: mode = .post(mostScroll)
    case .character("n"), .right: return turn(1)
    case .character("p"), .left: return turn(-1)
    case .tab: turnPicture(1)
    case .backTab: turnPicture(-1)
    case .character("r"): fetchAgain()
    case .character("?"): openHelp()
    default: return actOnPost(key)
    }
    return []
  }

  /// What the list's keys do on the screen of a whole post.
  static let postActions: [Action] = [.openPicture, .openPage, .openFile, .copyLink, .delete, .undo]

  mutating func actOnPost(_ key: Key) -> [Effect] {
    guard let action = KeyMap.action(key), Self.postActions.contains(action) else { return [] }
    return act(action)
  }

  mutating func turn(_ step: Int) -> [Effect] {
    mode = .post(0)
    guard calendar == nil else {
      let height = dayHeight
      calendar?.opened?.move(by: step, height: height)
      return []
    }
    return move(by: step)
  }

  private mutating func turnPicture(_ step: Int) {
    guard let post = whole else { return }
    pictures.turn(step, in: post)
    mode = .post(0)
  }

  private var mostScroll: Int { max(0, (wholePage?.height ?? 0) - metrics.height) }

  mutating func openHelp() { (behindHelp, mode) = (mode, .help(0)) }

  mutating func help(_ key: Key, _ line: Int) {
    let last = max(0, helpLines.count - metrics.height)
    switch key {
    case .character("j"), .down: mode = .help(min(line + 1, last))
    case .character("k"), .up: mode = .help(max(0, line - 1))
    case .pageDown, .character(" "): mode = .help(min(line + metrics.height, last))
    case .pageUp, .character("b"): mode = .help(max(0, line - metrics.height))
    case .character("g"), .home: mode = .help(0)
    case .character("G"), .end: mode = .help(last)
    default: mode = behindHelp
    }
  }
}
