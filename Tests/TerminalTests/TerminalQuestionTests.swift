import Foundation
import Terminal
import Testing

/// The query of a real pseudo-terminal, with the test at its other end.
@Suite(.timeLimit(.minutes(10))) struct TerminalQuestionTests {
  private final class Pair: Sendable {
    let outer: Int32
    let inner: Int32

    init() throws {
      outer = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var isLocked: Int32 = 0
      // Unlocks it, and opens its peer (TIOCSPTLCK, TIOCGPTPEER).
      try #require(outer >= 0 && ioctl(outer, 0x4004_5431, &isLocked) == 0)
      inner = ioctl(outer, 0x5441, O_RDWR | O_NOCTTY)
      try #require(inner >= 0)
    }

    deinit {
      close(inner)
      close(outer)
    }

    func type(_ text: String) { _ = text.utf8CString.withUnsafeBytes { write(outer, $0.baseAddress, $0.count - 1) } }

    /// The text written to the terminal, up to and including `end`.
    func written(to end: String) -> String {
      var text = ""
      while !text.hasSuffix(end) {
        var byte: UInt8 = 0
        guard read(outer, &byte, 1) == 1 else { break }
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
      return text
    }

    var settings: [tcflag_t] {
      var settings = termios()
      tcgetattr(inner, &settings)
      return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }
  }

  @Test func `answers are read, typed bytes are returned, and the settings are as before`()
    async throws
  {
    let pair = try Pair()
    let before = pair.settings
    let terminal = Task.detached {
      let question = pair.written(to: "\u{1B}[c")
      pair.type("j\u{1B}_Gi=31;OK\u{1B}\\k\u{1B}[6;20;10t\u{1B}[?62;4c")
      return question
    }
    let (answers, typed) = TerminalQuestion.ask(pair.inner, throughTmux: false, limit: .seconds(50), now: { .now })
    #expect(answers.kitty == true)
    #expect(answers.sixel)
    #expect(answers.cell == CellSize(width: 10, height: 20))
    #expect(String(decoding: typed, as: UTF8.self) == "jk")
    #expect(pair.settings == before)
    #expect(await terminal.value == String(decoding: TerminalQuestion.bytes(throughTmux: false), as: UTF8.self))
  }

  @Test func `a terminal that does not answer costs only the time limit`() throws {
    let pair = try Pair()
    let before = pair.settings
    let (answers, typed) = TerminalQuestion.ask(pair.inner, throughTmux: false, limit: .milliseconds(20), now: { .now })
    #expect(answers == TerminalAnswers())
    #expect(typed.isEmpty)
    #expect(pair.settings == before)
  }

  @Test func `a terminal with waiting input is not queried, and keeps the input`() throws {
    let pair = try Pair()
    pair.type("keys\n")
    let (answers, typed) = TerminalQuestion.ask(pair.inner, throughTmux: false, limit: .seconds(50), now: { .now })
    #expect(answers == TerminalAnswers())
    #expect(typed.isEmpty)
    var line = [UInt8](repeating: 0, count: 16)
    let count = read(pair.inner, &line, line.count)
    #expect(String(decoding: line[..<max(0, count)], as: UTF8.self) == "keys\n")
  }

  @Test func `a file that is not a terminal is not queried`() {
    let (answers, typed) = TerminalQuestion.ask(-1, throughTmux: false, limit: .seconds(50), now: { .now })
    #expect(answers == TerminalAnswers())
    #expect(typed.isEmpty)
  }
}
