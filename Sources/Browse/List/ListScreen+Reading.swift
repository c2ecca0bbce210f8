import Terminal

// Routes keys on the screens that replace the list.

extension ListScreen {
  mutating func read(_ key: Key, _ line: Int) -> [Effect] {
    let last = max(0, (postScreen?.height ?? 0) - metrics.height)
    switch PostReducer(line: line, last: last, height: metrics.height).outcome(of: key) {
    case .scroll(let line): mode = .post(line)
    case .close: mode = origin
    case .turn(let step): return turn(step)
    case .turnPicture(let step): turnPicture(step, showing: .post(0))
    case .openFile(let number): return openFile(numbered: number)
    case .fetchAgain: fetchAgain()
    case .help: openHelp()
    case .act(let action): return act(action)
    case .none: break
    }
    return []
  }

  /// Shows the post this many positions later from its first line.
  mutating func turn(_ step: Int) -> [Effect] {
    mode = .post(0)
    guard calendar == nil else {
      calendar?.table.turn(by: step)
      return []
    }
    return move(by: step)
  }

  mutating func turnPicture(_ step: Int, showing next: Mode) {
    guard let post = selectedPost else { return }
    pictures.turn(step, in: post)
    mode = next
  }

  mutating func openHelp() { (behindHelp, mode) = (mode, .help(0)) }

  mutating func help(_ key: Key, _ line: Int) {
    let last = max(0, helpHeight - metrics.height)
    let next = LineScroll.line(after: key, from: line, last: last, height: metrics.height)
    mode = next.map { .help($0) } ?? behindHelp
  }
}
