import FoundationEssentials
import HTTP
import Harvest
import Posts
import Synchronization
import Terminal
import Wording

/// Reports the progress of a pull: a live line if standard error is a terminal, otherwise a plain line a page.
final class Progress: Sendable {
  private struct State {
    var bar: ProgressBar
    var posts = 0
    /// When the last page was stored, or the pull began.
    var changedAt: Date
  }

  /// Where it is shown; other lines during progress go through it.
  let line: LiveLine
  private let console: Console
  let feed: Feed
  private let time: TimeSource
  private let state: Mutex<State>

  /// Progress of a pull with a page limit, on the console's live line or another.
  init(_ console: Console, feed: Feed, pages: Int?, time: TimeSource, on line: LiveLine? = nil) {
    (self.console, self.feed, self.time) = (console, feed, time)
    self.line = line ?? LiveLine(console)
    state = Mutex(State(bar: ProgressBar(title: "\(feed.spoken)", total: pages, unit: "pages"), changedAt: time.now()))
  }

  /// Handles an event.
  func note(_ event: PullEvent) {
    state.withLock { state in
      switch event {
      case .page(let number, let posts):
        state.bar.done = number
        state.posts += posts
        let (now, before) = (time.now(), state.changedAt)
        state.changedAt = now
        console.event(
          LogLine(
            .pageStored, .info, at: now, feed: feed, seconds: now.timeIntervalSince(before), count: posts,
            "\(feed.spoken): page \(number) is stored"))
        report(state, plain: plain(state, posts), LogLine.Progress(done: number, total: state.bar.total, unit: "pages"))
      case .misdated(let posts):
        let which = posts == 1 ? "the date of 1 post" : "the dates of \(posts) posts"
        line.say("\(state.bar.title): \(which) cannot be read: each stands beside the post before it, or as new")
      case .shortened(let posts):
        line.say(
          """
          \(state.bar.title): \(LimitText.shortened(posts)), 1,000 files, 1,000 tags, 1 MB of text and 8 MB in all: the rest is left out
          """)
      case .declared(let bytes, let most):
        line.say(LimitText.declared(bytes, most: most, of: state.bar.title))
      case .waitsForPull:
        state.bar.note = "waits for another command"
        report(state, plain: "\(state.bar.title): waits for another command")
      case .picture(let done, let known, let bytes):
        state.bar.part = ProgressBar.Part(done: done, known: known, unit: "pictures")
        state.bar.note = ""
        state.bar.bytes = max(state.bar.bytes, Int(bytes))
        line.show(state.bar)
      }
    }
  }

  private func report(_ state: State, plain: SafeText, _ progress: LogLine.Progress? = nil) {
    if line.isSeen { return line.show(state.bar, always: true) }
    if let progress { console.progress(plain, progress) } else { console.message(plain) }
  }

  private func plain(_ state: State, _ posts: Int) -> SafeText {
    "\(state.bar.title): page \(state.bar.done)\(state.bar.total.map { " of \($0)" } ?? ""), \(NumberText.count(posts, "post"))"
  }
}
