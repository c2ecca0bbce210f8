import Terminal
import Testing

/// Recorded answers of terminals.
private struct Recording: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: String
  let answers: TerminalAnswers

  var testDescription: String { name }

  init(
    _ name: String, _ bytes: String, kitty: Bool? = nil, _ attributes: [Int]?, version: String? = nil,
    cell: CellSize? = nil
  ) {
    (self.name, self.bytes) = (name, bytes)
    var answers = TerminalAnswers()
    (answers.kitty, answers.attributes, answers.version, answers.cell) = (kitty, attributes, version, cell)
    self.answers = answers
  }

  static let all = [
    Recording(
      "kitty", "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;52;c", kitty: true,
      [62, 52], version: "kitty(0.35.2)", cell: CellSize(width: 10, height: 20)),
    Recording(
      "Konsole", "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|Konsole 23.08.5\u{1B}\\\u{1B}[6;19;9t\u{1B}[?62;1;4c", kitty: true,
      [62, 1, 4], version: "Konsole 23.08.5", cell: CellSize(width: 9, height: 19)),
    Recording(
      "refusing", "\u{1B}_Gi=31;ENOTSUP:graphics are off\u{1B}\\\u{1B}[?62c", kitty: false, [62]),
    Recording(
      "xterm", "\u{1B}P>|XTerm(390)\u{1B}\\\u{1B}[6;13;6t\u{1B}[?63;1;2;4;6;9;15;16;22;28;29c",
      [63, 1, 2, 4, 6, 9, 15, 16, 22, 28, 29], version: "XTerm(390)", cell: CellSize(width: 6, height: 13)),
    Recording(
      "iTerm2", "\u{1B}P>|iTerm2 3.5.0\u{1B}\\\u{1B}[6;18;8t\u{1B}[?64;1;2;4;6;17;18;21;22c",
      [64, 1, 2, 4, 6, 17, 18, 21, 22], version: "iTerm2 3.5.0", cell: CellSize(width: 8, height: 18)),
    Recording("tmux", "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c", [1, 2], version: "tmux 3.3a"),
    Recording("plain", "\u{1B}[?6c", [6]),
    Recording("no cell that is one", "\u{1B}[6;0;0t\u{1B}[?1;2c", [1, 2]),
    Recording("silent", "", nil),
  ]
}

struct AnswerReaderTests {
  @Test(arguments: Recording.all)
  private func `answers are the same wherever they are split in two`(recording: Recording) {
    let bytes = Array(recording.bytes.utf8)
    for cut in 0...bytes.count {
      var reader = AnswerReader()
      reader.read(bytes[..<cut])
      reader.read(bytes[cut...])
      #expect(reader.answers == recording.answers, "cut at \(cut)")
      reader.finish()
      #expect(reader.typed.isEmpty, "cut at \(cut)")
    }
  }

  @Test(arguments: Recording.all)
  private func `an answer that is cut off never becomes keys`(recording: Recording) {
    let bytes = Array(recording.bytes.utf8)
    for end in 0...bytes.count {
      var reader = AnswerReader()
      reader.read(bytes[..<end])
      reader.finish()
      // A beginning this short may be a key, so it counts as typed rather than being lost.
      #expect(reader.typed.count <= 3, "\(reader.typed)")
    }
  }

  /// Letters, Escape, Alt and a letter, arrows, Page Down with Shift, a function key, the mouse, a paste, an emoji.
  private static let keys = [
    "j", "\u{1B}", "\u{1B}x", "\u{1B}_", "\u{1B}P", "\u{1B}[A", "\u{1B}OP", "\u{1B}[6~", "\u{1B}[6;2~", "\u{1B}[15~",
    "\u{1B}[<0;10;5M", "\u{1B}[200~text\u{1B}[201~", "🐈", "\r",
  ]

  @Test(arguments: keys, Recording.all)
  private func `a key that is typed between answers is not lost`(key: String, recording: Recording) {
    let answers = recording.bytes.split(separator: "\u{1B}", omittingEmptySubsequences: true)
      .reduce(into: [String]()) { parts, part in
        if part == "\\" { parts[parts.count - 1] += "\u{1B}\\" } else { parts.append("\u{1B}\(part)") }
      }
    for index in 0...answers.count {
      let all = (answers[..<index] + [key] + answers[index...]).joined()
      var reader = AnswerReader()
      for byte in all.utf8 { reader.read([byte]) }
      reader.finish()
      #expect(String(decoding: reader.typed, as: UTF8.self) == key, "before answer \(index)")
      #expect(reader.answers == recording.answers, "before answer \(index)")
    }
  }

  @Test func `an endless sequence takes no memory and counts as typed`() {
    var reader = AnswerReader()
    let flood = Array("\u{1B}_G".utf8) + Array(repeating: UInt8(ascii: "a"), count: 5_000)
    reader.read(flood)
    #expect(reader.typed.count >= flood.count - 1_024)
    reader.read(Array("\u{1B}[?6c".utf8))
    #expect(reader.answers.attributes == [6])
  }

  @Test func `all terminals answer the last part of the query`() {
    let plain = String(decoding: TerminalQuestion.bytes(throughTmux: false), as: UTF8.self)
    #expect(plain == "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[16t\u{1B}[c")
    let wrapped = String(decoding: TerminalQuestion.bytes(throughTmux: true), as: UTF8.self)
    #expect(wrapped.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\u{1B}\\\u{1B}\\\u{1B}["))
    var answers = TerminalAnswers()
    #expect(!TerminalQuestion.isAnswered(answers, throughTmux: false))
    answers.attributes = [1]
    #expect(TerminalQuestion.isAnswered(answers, throughTmux: false))
    #expect(!TerminalQuestion.isAnswered(answers, throughTmux: true))
    answers.kitty = true
    #expect(TerminalQuestion.isAnswered(answers, throughTmux: true))
  }

  @Test func `each sequence is wrapped for tmux separately`() {
    let two = Array("\u{1B}_Ga;A\u{1B}\\\u{1B}_Gb;B\u{1B}\\".utf8)
    let wrapped =
      "\u{1B}Ptmux;\u{1B}\u{1B}_Ga;A\u{1B}\u{1B}\\\u{1B}\\\u{1B}Ptmux;\u{1B}\u{1B}_Gb;B\u{1B}\u{1B}\\\u{1B}\\"
    #expect(String(decoding: Passthrough.tmux(two), as: UTF8.self) == wrapped)
    #expect(Passthrough.tmux([]).isEmpty)
    let file = Passthrough.tmux(Array("\u{1B}]1337;File=:AA\u{7}".utf8))
    #expect(String(decoding: file, as: UTF8.self) == "\u{1B}Ptmux;\u{1B}\u{1B}]1337;File=:AA\u{7}\u{1B}\\")
  }
}
