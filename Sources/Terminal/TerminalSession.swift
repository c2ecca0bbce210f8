import Glibc

/// A terminal taken over: raw keys, the other screen, the mouse. It is given back as it was found, whether the program
/// quits, is suspended, is ended by a signal or crashes.
///
/// One thread uses it: it waits here for keys, for signals and for whoever rings its bell. Nothing but waiting blocks; a
/// terminal that reads slowly gets fewer frames. There can be one at a time in a process.
public final class TerminalSession {
  /// What happened while it waited.
  public enum Event: Sendable, Hashable {
    case input(InputEvent)
    /// The size is another one, or the screen was lost: everything has to be drawn again.
    case redraw
    /// A signal asks for the end.
    case ended(signal: Int32)
    /// The terminal is gone.
    case hungUp
  }

  /// So long nothing follows an escape that is a key, in milliseconds.
  private static let escapePatience: Int32 = 40

  private let terminal: Int32
  private let bell: Doorbell
  private let signals: Doorbell
  private var unwatch: () -> Void = {}
  private var parser = KeyParser()
  private var painter: Painter
  private var unsent: ArraySlice<UInt8> = []
  private var isOurs = false
  private var pen: PicturePen?
  private var question: (reader: AnswerReader, throughTmux: Bool)?
  /// What the terminal has said of itself since it was asked.
  public private(set) var answers = TerminalAnswers()

  /// Takes the terminal of standard input over; `bell` is heard while it waits.
  public init(bell: Doorbell, colours: Painter.Colours) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .none }
    // A description of our own: what others have of the terminal keeps its ways.
    let flags = O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let own = open("/dev/tty", flags)
    terminal = own >= 0 ? own : open("/proc/self/fd/0", flags)
    guard terminal >= 0 else { throw .system("open", errno) }
    guard tcgetattr(terminal, TerminalGuard.modes) == 0 else {
      let number = errno
      close(terminal)
      throw .system("tcgetattr", number)
    }
    self.bell = bell
    signals = try Doorbell()
    painter = Painter(colours: colours)
    unwatch = TerminalGuard.watch(ringing: signals.writing)
    enter()
  }

  /// The size at this moment.
  public var size: (columns: Int, rows: Int) {
    let size = TerminalSize.of(terminal)
    return (size?.columns ?? 80, size?.rows ?? 24)
  }

  /// Whether a frame is not yet out: another one would only be late.
  public var isBusy: Bool { !unsent.isEmpty }

  /// Waits until something happens, the bell rings, or so many milliseconds have passed; nil waits without end.
  public func wait(milliseconds: Int?) -> [Event] {
    let patience = parser.isWaiting ? Self.escapePatience : milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let wanted = Int16(POLLIN) | (unsent.isEmpty ? 0 : Int16(POLLOUT))
    var polled = [
      pollfd(fd: terminal, events: wanted, revents: 0), pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, 3, patience)
    if count == 0, parser.isWaiting { return parser.flush().map(Event.input) }
    guard count > 0 else { return [] }
    if polled[1].revents != 0 { _ = bell.heard() }
    var events = polled[2].revents == 0 ? [] : signals.heard().flatMap(event)
    if polled[0].revents & Int16(POLLOUT) != 0 { send() }
    if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { events += received() }
    return events
  }

  /// Shows a canvas; its pictures are those of pixels, as `pixels` has them.
  public func show(_ canvas: Canvas, pixels: (PicturePlace) -> [UInt8] = { _ in [] }) {
    write(painter.frame(canvas).bytes(pen, pixels: pixels))
  }

  /// Shows the next canvas whole: something else may have written on the screen.
  public func redraw() { painter.forget() }

  /// Has the terminal copy a text, where it does that.
  public func copy(_ text: Inert, throughTmux: Bool) { write(Clipboard.bytes(copying: text, throughTmux: throughTmux)) }

  /// Writes after the last frame, in sequences of the terminal's own.
  private func write(_ bytes: some Sequence<UInt8>) {
    unsent += bytes
    send()
  }

  /// Draws pictures of pixels so from the next frame on; nil where there are none.
  public func draw(with pen: PicturePen?) {
    if let old = self.pen { write(old.clear) }
    self.pen = pen
  }

  /// The size of a cell; nil where the terminal does not count pixels.
  public var cell: CellSize? { TerminalSize.cell(of: terminal) }

  // MARK: What it can do

  /// Asks the terminal what it can do. What it says is in `answers` as it comes, and is never taken for keys.
  public func ask(throughTmux: Bool) {
    question = (AnswerReader(), throughTmux)
    write(TerminalQuestion.bytes(throughTmux: throughTmux))
  }

  /// Whether it was asked and may still have something to say.
  public var isAsked: Bool { question != nil }

  /// No longer listens to what it says of itself.
  public func endQuestion() { question = nil }

  private func listen(_ bytes: some Sequence<UInt8>) {
    guard let throughTmux = question?.throughTmux else { return }
    question?.reader.read(bytes)
    answers = question?.reader.answers ?? answers
    if TerminalQuestion.isAnswered(answers, throughTmux: throughTmux) { question = nil }
  }

  /// Lets the terminal end its answer, which would else be read by the shell.
  private func hearOut() {
    var tries = 10
    while question != nil, tries > 0 {
      var polled = [pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)]
      if poll(&polled, 1, 20) > 0, received().contains(.hungUp) { return }
      tries -= 1
    }
  }

  /// Stops the process, the terminal given back meanwhile; returns when it goes on.
  public func suspend() {
    leave()
    // To this thread, so that it is stopped when the call returns: as a process's own, the signal may stop another one
    // first, and this one would take the terminal back before the shell has it.
    pthread_kill(pthread_self(), SIGSTOP)
    enter()
  }

  /// Gives the terminal back.
  public func end() {
    leave()
    unwatch()
    unwatch = {}
  }

  deinit {
    end()
    close(terminal)
  }

  // MARK: Coming and going

  /// Takes the terminal; where it `isBack`, the other screen is still there, and to ask for it again would lose the place
  /// on the first one.
  private func enter(isBack: Bool = false) {
    var raw = TerminalGuard.modes.pointee
    cfmakeraw(&raw)
    TerminalGuard.terminal.store(terminal, ordering: .sequentiallyConsistent)
    tcsetattr(terminal, TCSANOW, &raw)
    isOurs = true
    painter.forget()
    write((isBack ? TerminalGuard.modesOn : TerminalGuard.screenOn + TerminalGuard.modesOn).utf8)
  }

  private func leave() {
    guard isOurs else { return }
    isOurs = false
    hearOut()
    // What is cut off in the middle of a sequence is cancelled first.
    unsent = ((unsent.isEmpty ? [] : [0x18]) + (pen?.clear ?? []) + Array(TerminalGuard.farewell.utf8))[...]
    var tries = 20
    while !unsent.isEmpty, tries > 0 {
      send()
      var polled = [pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)]
      if !unsent.isEmpty { _ = poll(&polled, 1, 50) }
      tries -= 1
    }
    unsent = []
    // Whatever was typed or told too late is not the shell's business.
    tcflush(terminal, TCIFLUSH)
    tcsetattr(terminal, TCSANOW, TerminalGuard.modes)
    TerminalGuard.terminal.store(-1, ordering: .sequentiallyConsistent)
  }

  private func event(_ signal: UInt8) -> [Event] {
    switch Int32(signal) {
    case SIGWINCH:
      painter.forget()
      return [.redraw]
    case SIGTSTP:
      suspend()
      return [.redraw]
    case SIGCONT:
      enter(isBack: isOurs)
      return [.redraw]
    default: return [.ended(signal: Int32(signal))]
    }
  }

  // MARK: Bytes

  private func received() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal, &bytes, bytes.count)
    if count > 0 {
      listen(bytes.prefix(count))
      return parser.feed(bytes.prefix(count)).map(Event.input)
    }
    return count == 0 || (errno != EAGAIN && errno != EINTR) ? [.hungUp] : []
  }

  private func send() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // A terminal that is gone takes nothing more; that is found out by reading.
        if errno != EAGAIN { unsent = [] }
        return
      }
      unsent = unsent.dropFirst(count)
    }
  }
}
