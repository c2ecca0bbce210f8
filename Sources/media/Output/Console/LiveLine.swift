import Synchronization
import Terminal

/// The live line of progress on standard error. It is drawn only on a terminal.
final class LiveLine: Sendable {
  /// Where the line is drawn.
  struct Surface: Sendable {
    /// The number of columns.
    var columns: @Sendable () -> Int = { TerminalSize.of(2)?.columns ?? 80 }
    /// The current time.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Writes a part of the line.
    var draw: @Sendable (SafeText) -> Void
  }

  /// The minimum interval between two drawings.
  private static let pause = Duration.milliseconds(50)

  /// Whether the line is shown: standard error is a terminal, and `--quiet` was not given.
  let isSeen: Bool
  private let console: Console
  private let surface: Surface
  private struct State {
    var drawn: ContinuousClock.Instant?
    var pace = ProgressPace()
  }

  private let state = Mutex(State())

  /// A line of a console. On its own surface it is always shown.
  init(_ console: Console, on surface: Surface? = nil) {
    self.console = console
    self.surface = surface ?? Surface(draw: console.live)
    isSeen = surface != nil || (console.messagesAreSeen && !console.isQuiet && console.format == .text)
  }

  /// Draws the line, unless it was just drawn.
  ///
  /// - Parameter always: Draws in any case.
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

  /// Writes a permanent line, such as a delay or a failure, in place of the live one.
  func say(_ line: SafeText) {
    clear()
    console.message(line)
  }

  /// Removes the live line.
  func clear() {
    state.withLock { state in
      if state.drawn != nil { surface.draw("\r\u{1B}[K") }
      state.drawn = nil
    }
  }

  /// Begins another phase, which has its own speed.
  func begin() { state.withLock { $0.pace = ProgressPace() } }
}
