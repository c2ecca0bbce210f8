import Foundation
import Harvest
import Posts
import Synchronization
import Terminal

/// Says how a harvest goes: a live line where a person looks at standard error, elsewhere a plain line for each feed of
/// which there is something to tell.
final class HarvestProgress: Sendable {
  private struct State {
    var bar: ProgressBar
    var drawn: ContinuousClock.Instant?
  }

  /// A live line is drawn again after this long at the earliest.
  private static let pause = Duration.milliseconds(50)

  private let console: Console
  private let isLive: Bool
  private let state: Mutex<State>

  init(_ console: Console, feeds: Int) {
    self.console = console
    isLive = console.messagesAreSeen && !console.isQuiet
    state = Mutex(State(bar: ProgressBar(title: "harvest", total: feeds, unit: "feeds")))
  }

  /// Takes what happened.
  func note(_ event: HarvestEvent) {
    let line = state.withLock { state -> String? in
      switch event {
      case .asks(let feed): state.bar.note = feed.spoken
      case .pulls(let feed, let step):
        state.bar.note = "\(feed.spoken): \(Self.words(for: step))"
        if !isLive { if case .waitsForPull = step { return state.bar.note } else { return nil } }
      case .pictures(let done, let known): state.bar.note = "\(done)/\(known) pictures tried again"
      case .ended(let entry, let done):
        state.bar.done = done
        state.bar.bytes += Int(entry.summary.media.bytes)
        if !isLive { return plain(entry) }
      }
      return isLive ? draw(&state) : nil
    }
    guard let line else { return }
    if isLive { console.live(line) } else { console.message(line) }
  }

  /// A line of its own amid the live one: a wait.
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

  private static func words(for step: PullEvent) -> String {
    switch step {
    case .page(let number, _): "page \(number)"
    case .waitsForPull: "waits for another command"
    case .picture(let done, let known, _): "\(done)/\(known) pictures"
    }
  }

  private func plain(_ entry: HarvestEntry) -> String? {
    let posts = entry.summary.posts
    guard posts.new + posts.updated > 0 else { return nil }
    let updated = posts.updated > 0 ? ", \(posts.updated) updated" : ""
    return "\(entry.feed.spoken): \(posts.new) new\(updated)"
  }

  private func draw(_ state: inout State) -> String? {
    let now = ContinuousClock.now
    if let drawn = state.drawn, now - drawn < Self.pause { return nil }
    state.drawn = now
    let width = TerminalSize.of(2)?.columns ?? 80
    return "\r\u{1B}[K" + state.bar.render(width: width - 1)
  }
}
