import Browse
import FoundationEssentials
import HTTP
import Terminal

/// The thread of the list's screen: waits for keys, signals and events, passes them to the screen, and draws. It delegates
/// slow work.
struct ScreenLoop: Sendable {
  /// Why it ended.
  enum End: Sendable { case quit, interrupted, signalled(Int32), hungUp }

  let eventQueue: ScreenEventQueue
  let colours: Painter.Colours
  let pictureEnvironment: ListPictures.PictureEnvironment
  let now: @Sendable () -> Date
  let performers: ListPerformers

  /// Runs on its own thread until the user quits, or the terminal or a signal ends it.
  func run(_ screen: ListScreen) async throws -> End {
    try await withCheckedThrowingContinuation { continuation in
      let isStarted = DetachedThread.start("screen") { continuation.resume(with: Result { try turn(screen) }) }
      if !isStarted { continuation.resume(throwing: POSIXError(.EAGAIN)) }
    }
  }

  private func turn(_ whole: ListScreen) throws -> End {
    var screen = whole
    let session = try TerminalSession(wakeup: eventQueue.bell, colours: colours)
    defer { session.end() }
    let pictures = ListPictures(pictureEnvironment, eventQueue: eventQueue)
    let first = [.time(now()), size(of: session)] + eventQueue.drain()
    if let end = handle(first, &screen, session, pictures) { return end }
    while true {
      draw(&screen, pictures, on: session)
      let next = [screen.nextTime, pictures.nextTime].compactMap(\.self).min()
      let pause = next.map { Int(($0.timeIntervalSince(now()) * 1000).rounded(.up)) }
      let sessionEvents = session.wait(milliseconds: session.isBusy ? nil : pause)
      if let end = end(sessionEvents) { return end }
      let inputs = sessionEvents.compactMap { if case .input(let input) = $0 { ScreenEvent.input(input) } else { nil } }
      screen.isHurried = inputs.count > 1
      let events = [.time(now()), size(of: session)] + eventQueue.drain() + inputs
      if let end = handle(events, &screen, session, pictures) { return end }
    }
  }

  private func draw(_ screen: inout ListScreen, _ pictures: ListPictures, on session: TerminalSession) {
    guard !session.isBusy else { return }
    if let change = pictures.settle(session, now: now()) { _ = screen.handle(change) }
    let size = session.size
    var canvas = Canvas(columns: size.columns, rows: size.rows)
    screen.draw(into: &canvas)
    pictures.show(canvas, soon: { screen.soon }, on: session)
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

  private func handle(
    _ events: [ScreenEvent], _ screen: inout ListScreen, _ session: TerminalSession, _ pictures: ListPictures
  ) -> End? {
    for event in events {
      if case .settings(let rows, _) = event { pictures.apply(rows) }
      for effect in screen.handle(event) {
        switch effect {
        case .terminal(let effect): if let end = perform(effect, session, pictures) { return end }
        case .read(let effect): performers.reads.give(effect)
        case .write(let effect): performers.writes.give(effect)
        case .pull(let kind): performers.pulls.give(kind)
        case .fetch(let request): performers.fetches.give(request)
        case .login(let effect): performers.logins.give(effect)
        case .open(let effect): performers.openings.give(effect)
        case .preview(let text): performers.previewer.ask(text)
        case .calendar(let ask): performers.calendar.ask(ask)
        case .side: performers.side.ask()
        }
      }
    }
    return nil
  }

  private func perform(_ effect: TerminalEffect, _ session: TerminalSession, _ pictures: ListPictures) -> End? {
    switch effect {
    case .quit: return .quit
    case .interrupt: return .interrupted
    case .redraw: session.redraw()
    case .suspend: session.suspend()
    case .copy(let text): session.copy(text, throughTmux: pictures.isTmux)
    }
    return nil
  }
}
