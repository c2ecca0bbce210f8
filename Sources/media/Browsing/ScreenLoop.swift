import Browse
import Foundation
import Terminal

/// The thread of the list's screen: it waits for keys, signals and mail, lets the screen decide, and draws. What takes
/// time is handed to others.
struct ScreenLoop: Sendable {
  /// Why it ended.
  enum End: Sendable { case quit, interrupted, signalled(Int32), hungUp }

  let mailbox: Mailbox
  let colours: Painter.Colours
  let now: @Sendable () -> Date
  let perform: @Sendable (Effect) -> Void

  /// Runs on a thread of its own until the person quits, or the terminal or a signal ends it.
  func run(_ screen: ListScreen) async throws -> End {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try turn(screen) }) }
      thread.name = "screen"
      thread.start()
    }
  }

  private func turn(_ first: ListScreen) throws -> End {
    var screen = first
    let session = try TerminalSession(bell: mailbox.bell, colours: colours)
    defer { session.end() }
    if let end = handle([.time(now()), size(of: session)], &screen, session) { return end }
    while true {
      draw(screen, on: session)
      let pause = screen.nextTime.map { Int(($0.timeIntervalSince(now()) * 1000).rounded(.up)) }
      let told = session.wait(milliseconds: session.isBusy ? nil : pause)
      if let end = end(told) { return end }
      let inputs = told.compactMap { if case .input(let input) = $0 { ScreenEvent.input(input) } else { nil } }
      screen.isHurried = inputs.count > 1
      if let end = handle([.time(now()), size(of: session)] + mailbox.take() + inputs, &screen, session) { return end }
    }
  }

  private func draw(_ screen: ListScreen, on session: TerminalSession) {
    guard !session.isBusy else { return }
    let size = session.size
    var canvas = Canvas(columns: size.columns, rows: size.rows)
    screen.draw(into: &canvas)
    session.show(canvas)
  }

  private func size(of session: TerminalSession) -> ScreenEvent {
    let size = session.size
    return .size(columns: size.columns, rows: size.rows)
  }

  private func end(_ events: [TerminalSession.Event]) -> End? {
    for event in events {
      switch event {
      case .ended(let signal): return .signalled(signal)
      case .hungUp: return .hungUp
      case .input, .redraw: continue
      }
    }
    return nil
  }

  private func handle(_ events: [ScreenEvent], _ screen: inout ListScreen, _ session: TerminalSession) -> End? {
    for event in events {
      for effect in screen.handle(event) {
        switch effect {
        case .quit: return .quit
        case .interrupt: return .interrupted
        case .suspend: session.suspend()
        default: perform(effect)
        }
      }
    }
    return nil
  }
}
