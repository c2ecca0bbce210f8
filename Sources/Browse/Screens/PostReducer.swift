import Terminal

/// What keys do while a whole post is read.
struct PostReducer {
  /// What a key asks of the list.
  enum Outcome: Equatable {
    case scroll(Int)
    case close
    /// Shows the post this many positions later.
    case turn(Int)
    case turnPicture(Int)
    /// Opens the attachment of this number, from 1.
    case openFile(Int)
    case fetchAgain
    case help
    case act(Action)
    case none
  }

  /// The first visible line, and the largest possible one.
  let line, last: Int
  /// The rows of the screen.
  let height: Int

  /// What the list's keys do on the screen of a whole post.
  static let actions: [Action] = [
    .openPicture, .openPage, .openFile, .copyLink, .edit, .delete, .undo, .favourite, .ownTag, .album, .note, .hide,
    .alike,
  ]

  /// The action of the list that a key has on the screen of a whole post.
  static func action(_ key: Key) -> Action? { KeyMap.action(key).flatMap { actions.contains($0) ? $0 : nil } }

  func outcome(of key: Key) -> Outcome {
    if let next = LineScroll.line(after: key, from: line, last: last, height: height) { return .scroll(next) }
    switch key {
    case .escape, .enter, .character("q"), .backspace: return .close
    case .character("n"), .right: return .turn(1)
    case .character("p"), .left: return .turn(-1)
    case .tab: return .turnPicture(1)
    case .backTab: return .turnPicture(-1)
    case .character("r"): return .fetchAgain
    case .character("?"): return .help
    case .character(let digit) where ("1"..."9").contains(digit): return .openFile(digit.wholeNumberValue ?? 1)
    default: return Self.action(key).map { .act($0) } ?? .none
    }
  }
}
