import Synchronization
import Terminal

/// The one line on standard error that is drawn over and over while a person looks on; where nobody does, nothing is
/// ever drawn.
final class LiveLine: Sendable {
  /// The line is drawn again after this long at the earliest.
  private static let pause = Duration.milliseconds(50)

  /// Whether the line is seen: standard error is a terminal, and nobody asked for quiet.
  let isSeen: Bool
  private let console: Console
  private struct State {
    var drawn: ContinuousClock.Instant?
    var pace = ProgressPace()
  }

  private let state = Mutex(State())

  init(_ console: Console) {
    self.console = console
    isSeen = console.messagesAreSeen && !console.isQuiet
  }

  /// Draws the line, unless it was drawn just now; `always` even then.
  func show(_ bar: ProgressBar, always: Bool = false) {
    guard isSeen else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      state.pace.note(share: bar.share, bytes: bar.bytes, at: now)
      if !always, let drawn = state.drawn, now - drawn < Self.pause { return }
      state.drawn = now
      console.live("\r\u{1B}[K\(bar.render(width: (TerminalSize.of(2)?.columns ?? 80) - 1, pace: state.pace))")
    }
  }

  /// Writes a line of its own in the live one's place: a wait, a failure.
  func say(_ line: Inert) {
    clear()
    console.message(line)
  }

  /// Takes the live line away.
  func clear() {
    state.withLock { state in
      if state.drawn != nil { console.live("\r\u{1B}[K") }
      state.drawn = nil
    }
  }

  /// Begins another work, whose pace is its own.
  func begin() { state.withLock { $0.pace = ProgressPace() } }
}
