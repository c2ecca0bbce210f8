import Foundation
import Terminal
import Testing

struct LookTests {
  @Test func `text is set off only where a terminal takes it`() {
    #expect(Style(isTerminal: true, environment: [:]).apply(.bold, .accent, to: "x") == "\u{1B}[1;35mx\u{1B}[0m")
    #expect(Style(isTerminal: false, environment: [:]).apply(.bold, to: "x") == "x")
    #expect(Style(isTerminal: true, environment: ["NO_COLOR": "1"]).apply(.bold, to: "x") == "x")
    #expect(Style(isTerminal: true, environment: ["NO_COLOR": ""]).isOn)
    #expect(!Style(isTerminal: true, environment: ["TERM": "dumb"]).isOn)
  }

  @Test func `a pipe is not a terminal and has no size`() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(!Style(for: descriptor, environment: [:]).isOn)
    #expect(TerminalSize.of(descriptor) == nil)
    try pipe.fileHandleForWriting.close()
  }

  @Test(arguments: [
    (["COLUMNS": "40", "LINES": "10"], TerminalSize(columns: 40, rows: 10)),
    (["COLUMNS": "40"], TerminalSize(columns: 40)),
    (["COLUMNS": "40", "LINES": "x"], TerminalSize(columns: 40)), (["COLUMNS": "0"], nil), (["COLUMNS": "-1"], nil),
    (["COLUMNS": "99999999999999999999"], nil), ([:], nil),
  ])
  func `the environment gives a size if it is valid`(environment: [String: String], size: TerminalSize?) {
    #expect(TerminalSize.from(environment) == size)
  }
}
