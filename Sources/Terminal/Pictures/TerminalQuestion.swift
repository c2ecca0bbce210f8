import Glibc

/// The query for a terminal's features. It is sent once. A terminal that does not answer costs the time limit.
public enum TerminalQuestion {
  /// The bytes of the query. DA1 is last: all terminals answer it, and they answer in order, so its answer is the last.
  public static func bytes(throughTmux: Bool) -> [UInt8] {
    let kitty = Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)
    let others = Array("\u{1B}[>q\u{1B}[16t\u{1B}[c".utf8)
    return (throughTmux ? Passthrough.tmux(kitty) : kitty) + others
  }

  /// Whether all answers have arrived. tmux answers DA1 itself, before the outer terminal can answer.
  public static func isAnswered(_ answers: TerminalAnswers, throughTmux: Bool) -> Bool {
    answers.attributes != nil && (!throughTmux || answers.kitty != nil)
  }

  /// Queries a terminal. Afterwards its settings are as before. It is not queried if input is already waiting, or if
  /// another program is in the foreground.
  ///
  /// - Parameters:
  ///   - terminal: The file descriptor of the terminal.
  ///   - throughTmux: Whether the query goes through tmux to the outer terminal.
  ///   - limit: The time limit.
  ///   - now: The clock.
  /// - Returns: The answers, and the bytes that were typed meanwhile.
  public static func ask(
    _ terminal: Int32, throughTmux: Bool, limit: Duration, now: () -> ContinuousClock.Instant
  ) -> (answers: TerminalAnswers, typed: [UInt8]) {
    guard !isInBackground(terminal) else { return (TerminalAnswers(), []) }
    let raw: (inout termios) -> Void = { $0.c_lflag &= ~tcflag_t(ICANON | ECHO) }
    return ChangedModes.with(terminal, TCSADRAIN, raw) {
      askRaw(terminal, throughTmux: throughTmux, limit: limit, now: now)
    } ?? (TerminalAnswers(), [])
  }

  private static func askRaw(
    _ terminal: Int32, throughTmux: Bool, limit: Duration, now: () -> ContinuousClock.Instant
  ) -> (answers: TerminalAnswers, typed: [UInt8]) {
    guard !hasInput(terminal, for: 0) else { return (TerminalAnswers(), []) }
    let deadline = now() + limit
    write(bytes(throughTmux: throughTmux), to: terminal)
    var reader = AnswerReader()
    while !isAnswered(reader.answers, throughTmux: throughTmux) {
      let left = now().duration(to: deadline).components
      guard left.seconds >= 0, left.attoseconds > 0 || left.seconds > 0 else { break }
      let wait = Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1)
      guard hasInput(terminal, for: wait) else { continue }
      guard let bytes = read(terminal) else { break }
      reader.read(bytes)
    }
    reader.finish()
    return (reader.answers, reader.typed)
  }

  /// Returns typed bytes to the terminal, for the next reader. They are lost if the kernel does not allow it.
  public static func pushBack(_ typed: [UInt8], to terminal: Int32) {
    for byte in typed {
      var byte = byte
      guard ioctl(terminal, UInt(TIOCSTI), &byte) == 0 else { return }
    }
  }

  private static func isInBackground(_ terminal: Int32) -> Bool {
    let group = tcgetpgrp(terminal)
    return group >= 0 && group != getpgrp()
  }

  private static func hasInput(_ terminal: Int32, for milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) > 0
  }

  private static func read(_ terminal: Int32) -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(terminal, &buffer, buffer.count)
    return count > 0 ? buffer[..<count] : nil
  }

  private static func write(_ bytes: [UInt8], to terminal: Int32) {
    _ = bytes.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
  }
}
