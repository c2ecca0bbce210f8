import Harvest
import Synchronization
import Terminal

/// Says how a pull goes: a live line where a person looks at standard error, a plain line a page elsewhere.
final class Progress: Sendable {
  private struct State {
    var bar: ProgressBar
    var posts = 0
  }

  /// Where it is said; lines amid the live one are said there, too.
  let line: LiveLine
  private let console: Console
  private let state: Mutex<State>

  /// Progress of a pull of so many pages at most, on a line of the console or on another one.
  init(_ console: Console, feed: String, pages: Int?, on line: LiveLine? = nil) {
    self.console = console
    self.line = line ?? LiveLine(console)
    state = Mutex(State(bar: ProgressBar(title: "\(feed)", total: pages, unit: "pages")))
  }

  /// Takes what happened.
  func note(_ event: PullEvent) {
    state.withLock { state in
      switch event {
      case .page(let number, let posts):
        state.bar.done = number
        state.posts += posts
        tell(state, plain: plain(state, posts))
      case .misdated(let posts):
        let which = posts == 1 ? "the date of 1 post" : "the dates of \(posts) posts"
        line.say("\(state.bar.title): \(which) cannot be read: each stands beside the post before it, or as new")
      case .waitsForPull:
        state.bar.note = "waits for another command"
        tell(state, plain: "\(state.bar.title): waits for another command")
      case .picture(let done, let known, let bytes):
        state.bar.part = ProgressBar.Part(done: done, known: known, unit: "pictures")
        state.bar.note = ""
        state.bar.bytes = max(state.bar.bytes, Int(bytes))
        line.show(state.bar)
      }
    }
  }

  private func tell(_ state: State, plain: Inert) {
    if line.isSeen { line.show(state.bar, always: true) } else { console.message(plain) }
  }

  private func plain(_ state: State, _ posts: Int) -> Inert {
    "\(state.bar.title): page \(state.bar.done)\(state.bar.total.map { " of \($0)" } ?? ""), \(Words.count(posts, "post"))"
  }
}
