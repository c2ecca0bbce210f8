import Foundation
import Harvest
import Synchronization
import Terminal

/// Says how a pull goes: a live line where a person looks at standard error, a plain line a page elsewhere.
final class Progress: Sendable {
  private struct State {
    var bar: ProgressBar
    var posts = 0
    var drawn: ContinuousClock.Instant?
  }

  /// A live line is drawn again after this long at the earliest.
  private static let pause = Duration.milliseconds(50)

  private let console: Console
  private let isLive: Bool
  private let state: Mutex<State>

  init(_ console: Console, feed: String, pages: Int?) {
    self.console = console
    isLive = console.messagesAreSeen && !console.isQuiet
    state = Mutex(State(bar: ProgressBar(title: feed, total: pages, unit: "pages")))
  }

  /// Takes what happened.
  func note(_ event: PullEvent) {
    let line = state.withLock { state in
      switch event {
      case .page(let number, let posts):
        state.bar.done = number
        state.posts += posts
        return isLive ? draw(&state, always: true) : plain(state, posts)
      case .waitsForPull:
        state.bar.note = "waits for another command"
        return isLive ? draw(&state, always: true) : "\(state.bar.title): waits for another command"
      case .picture(let done, let known, let bytes):
        state.bar.note = "\(done)/\(known) pictures"
        state.bar.bytes = max(state.bar.bytes, Int(bytes))
        return isLive ? draw(&state, always: false) : nil
      }
    }
    guard let line else { return }
    if isLive { console.live(line) } else { console.message(line) }
  }

  /// A line of its own amid the live one: a wait, a failure.
  func say(_ line: String) {
    clear()
    console.message(line)
  }

  /// Takes the live line away.
  func clear() {
    let wasDrawn = state.withLock { state in
      defer { state.drawn = nil }
      return state.drawn != nil
    }
    if wasDrawn { console.live("\r\u{1B}[K") }
  }

  private func plain(_ state: State, _ posts: Int) -> String {
    "\(state.bar.title): page \(state.bar.done)\(state.bar.total.map { " of \($0)" } ?? ""), \(Words.count(posts, "post"))"
  }

  private func draw(_ state: inout State, always: Bool) -> String? {
    let now = ContinuousClock.now
    if !always, let drawn = state.drawn, now - drawn < Self.pause { return nil }
    state.drawn = now
    let width = TerminalSize.of(2)?.columns ?? 80
    return "\r\u{1B}[K" + state.bar.render(width: width - 1)
  }
}
