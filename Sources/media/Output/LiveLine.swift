import Synchronization
import Terminal

/// The one line on standard error that is drawn over and over while a person looks on; where nobody does, nothing is
/// ever drawn.
final class LiveLine: Sendable {
  /// Where the line is drawn.
  struct Surface: Sendable {
    /// How many columns there are.
    var columns: @Sendable () -> Int = { TerminalSize.of(2)?.columns ?? 80 }
    /// The time.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Draws a piece of the line.
    var draw: @Sendable (Inert) -> Void
  }

  /// The line is drawn again after this long at the earliest.
  private static let pause = Duration.milliseconds(50)

  /// Whether the line is seen: standard error is a terminal, and nobody asked for quiet.
  let isSeen: Bool
  private let console: Console
  private let surface: Surface
  private struct State {
    var drawn: ContinuousClock.Instant?
    var pace = ProgressPace()
  }

  private let state = Mutex(State())

  /// A line of a console; on a surface of its own it is seen whatever the console is.
  init(_ console: Console, on surface: Surface? = nil) {
    self.console = console
    self.surface = surface ?? Surface(draw: console.live)
    isSeen = surface != nil || (console.messagesAreSeen && !console.isQuiet)
  }

  /// Draws the line, unless it was drawn just now; `always` even then.
  func show(_ bar: ProgressBar, always: Bool = false) {
    guard isSeen else { return }
    state.withLock { state in
      let now = surface.now()
      state.pace.note(share: bar.share, bytes: bar.bytes, at: now)
      if !always, let drawn = state.drawn, now - drawn < Self.pause { return }
      state.drawn = now
      surface.draw("\r\u{1B}[K\(bar.render(width: surface.columns() - 1, pace: state.pace))")
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
      if state.drawn != nil { surface.draw("\r\u{1B}[K") }
      state.drawn = nil
    }
  }

  /// Begins another work, whose pace is its own.
  func begin() { state.withLock { $0.pace = ProgressPace() } }
}
