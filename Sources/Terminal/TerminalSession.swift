import Glibc

/// Full-screen use of a terminal: raw keys, the alternate screen, the mouse. The terminal is restored when the program
/// quits, is suspended, is ended by a signal or crashes.
///
/// One thread uses it, and waits here for keys, signals and wakeups. Only `wait` blocks. A terminal that reads slowly gets
/// fewer frames. A process can have one session at a time.
public final class TerminalSession {
  /// An event for the waiting thread.
  public enum Event: Sendable, Hashable {
    case input(InputEvent)
    /// The size changed, or the screen was lost: everything must be redrawn.
    case redraw
    /// A signal requests the end of the program.
    case ended(signal: Int32)
    /// The terminal was closed.
    case hungUp
  }

  /// An escape is a key if nothing follows it for this time, in milliseconds.
  private static let escapeTimeout: Int32 = 40

  private let terminal: Int32
  private let wakeup: WakeupPipe
  private let signals: WakeupPipe
  private var restoreHandlers: () -> Void = {}
  private var parser = KeyParser()
  private var painter: Painter
  private var unsent: ArraySlice<UInt8> = []
  private var isActive = false
  private var pictureOutput: PictureOutput?
  private var question: (reader: AnswerReader, throughTmux: Bool)?
  /// The terminal's answers to `ask` so far.
  public private(set) var answers = TerminalAnswers()

  /// Starts a session on the terminal of standard input.
  ///
  /// - Parameters:
  ///   - wakeup: Wakes `wait`.
  ///   - colours: The colours of the terminal.
  /// - Throws: `TerminalError` if there is no terminal, or a system call fails.
  public init(wakeup: WakeupPipe, colours: Painter.Colours) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .none }
    // Open the terminal again: O_NONBLOCK must not affect other processes that share the file description.
    let flags = O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let own = open("/dev/tty", flags)
    terminal = own >= 0 ? own : open("/proc/self/fd/0", flags)
    guard terminal >= 0 else { throw .system("open", errno) }
    guard tcgetattr(terminal, TerminalGuard.modes) == 0 else {
      let number = errno
      close(terminal)
      throw .system("tcgetattr", number)
    }
    self.wakeup = wakeup
    signals = try WakeupPipe()
    painter = Painter(colours: colours)
    restoreHandlers = TerminalGuard.watch(notifying: signals.writing)
    enter()
  }

  /// The current size.
  public var size: (columns: Int, rows: Int) {
    let size = TerminalSize.of(terminal)
    return (size?.columns ?? 80, size?.rows ?? 24)
  }

  /// Whether a frame is not completely written yet. Another frame would be delayed.
  public var isBusy: Bool { !unsent.isEmpty }

  /// Waits for an event, a wakeup or a timeout.
  ///
  /// - Parameter milliseconds: The timeout; nil waits without limit.
  /// - Returns: The events; empty after a wakeup or a timeout.
  public func wait(milliseconds: Int?) -> [Event] {
    let timeout = parser.isWaiting ? Self.escapeTimeout : milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let wanted = Int16(POLLIN) | (unsent.isEmpty ? 0 : Int16(POLLOUT))
    var polled = [
      pollfd(fd: terminal, events: wanted, revents: 0), pollfd(fd: wakeup.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, 3, timeout)
    if count == 0, parser.isWaiting { return parser.flush().map(Event.input) }
    guard count > 0 else { return [] }
    if polled[1].revents != 0 { _ = wakeup.drain() }
    var events = polled[2].revents == 0 ? [] : signals.drain().flatMap(event)
    if polled[0].revents & Int16(POLLOUT) != 0 { send() }
    if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { events += received() }
    return events
  }

  /// Shows a canvas.
  ///
  /// - Parameters:
  ///   - canvas: The canvas.
  ///   - pixels: Returns the bytes of a picture of pixels.
  public func show(_ canvas: Canvas, pixels: (CellRect) -> [UInt8] = { _ in [] }) {
    write(painter.frame(canvas).bytes(pictureOutput, pixels: pixels))
  }

  /// Redraws everything with the next canvas. Call it if something else may have written to the screen.
  public func redraw() { painter.forget() }

  /// Has the terminal copy a text, if it supports that.
  public func copy(_ text: SafeText, throughTmux: Bool) {
    write(Clipboard.bytes(copying: text, throughTmux: throughTmux))
  }

  /// Appends sequences after the last frame.
  private func write(_ bytes: some Sequence<UInt8>) {
    unsent += bytes
    send()
  }

  /// Sets the output for pictures of pixels from the next frame on; nil for no pictures of pixels.
  public func draw(with output: PictureOutput?) {
    if let old = pictureOutput { write(old.clear) }
    pictureOutput = output
  }

  /// The size of a cell; nil if the terminal does not report pixels.
  public var cell: CellSize? { TerminalSize.cell(of: terminal) }

  // MARK: Features

  /// Queries the terminal's features. Its answers appear in `answers` as they arrive, and never become keys.
  public func ask(throughTmux: Bool) {
    question = (AnswerReader(), throughTmux)
    write(TerminalQuestion.bytes(throughTmux: throughTmux))
  }

  /// Whether answers may still arrive.
  public var isQueryPending: Bool { question != nil }

  /// Ignores further answers.
  public func endQuery() { question = nil }

  private func readAnswers(_ bytes: some Sequence<UInt8>) {
    guard let throughTmux = question?.throughTmux else { return }
    question?.reader.read(bytes)
    answers = question?.reader.answers ?? answers
    if TerminalQuestion.isAnswered(answers, throughTmux: throughTmux) { question = nil }
  }

  /// Waits for the rest of the terminal's answer, which the shell would otherwise read.
  private func drainAnswers() {
    var tries = 10
    while question != nil, tries > 0 {
      var polled = [pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)]
      if poll(&polled, 1, 20) > 0, received().contains(.hungUp) { return }
      tries -= 1
    }
  }

  /// Restores the terminal and stops the process. Returns when the process continues.
  public func suspend() {
    leave()
    // Signal this thread, so that it is stopped when the call returns. A signal to the process may stop another thread
    // first, and this one would take the terminal back before the shell has it.
    pthread_kill(pthread_self(), SIGSTOP)
    enter()
  }

  /// Restores the terminal.
  public func end() {
    leave()
    restoreHandlers()
    restoreHandlers = {}
  }

  deinit {
    end()
    close(terminal)
  }

  // MARK: Entering and leaving

  /// Takes over the terminal. With `isBack`, the alternate screen is still active, and switching to it again would lose
  /// the cursor position of the main screen.
  private func enter(isBack: Bool = false) {
    var raw = TerminalGuard.modes.pointee
    cfmakeraw(&raw)
    TerminalGuard.terminal.store(terminal, ordering: .sequentiallyConsistent)
    tcsetattr(terminal, TCSANOW, &raw)
    isActive = true
    painter.forget()
    write((isBack ? TerminalGuard.modesOn : TerminalGuard.screenOn + TerminalGuard.modesOn).utf8)
  }

  private func leave() {
    guard isActive else { return }
    isActive = false
    drainAnswers()
    // Cancel a sequence that was cut off.
    unsent = ((unsent.isEmpty ? [] : [0x18]) + (pictureOutput?.clear ?? []) + Array(TerminalGuard.farewell.utf8))[...]
    var tries = 20
    while !unsent.isEmpty, tries > 0 {
      send()
      var polled = [pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)]
      if !unsent.isEmpty { _ = poll(&polled, 1, 50) }
      tries -= 1
    }
    unsent = []
    // Discard late keys and answers, which the shell would otherwise read.
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
      enter(isBack: isActive)
      return [.redraw]
    default: return [.ended(signal: Int32(signal))]
    }
  }

  // MARK: Bytes

  private func received() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal, &bytes, bytes.count)
    if count > 0 {
      readAnswers(bytes.prefix(count))
      return parser.feed(bytes.prefix(count)).map(Event.input)
    }
    return count == 0 || (errno != EAGAIN && errno != EINTR) ? [.hungUp] : []
  }

  private func send() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // A closed terminal accepts nothing. Reading will report it.
        if errno != EAGAIN { unsent = [] }
        return
      }
      unsent = unsent.dropFirst(count)
    }
  }
}
