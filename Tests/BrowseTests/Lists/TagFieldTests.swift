import Foundation
import Terminal
import Testing

@testable import Browse

/// Choosing a tag from recent ones.
struct TagFieldTests {
  private func tester(_ tags: [String] = ["birds@b.example", "cats@a.example", "catbirds"]) throws -> ScreenTester {
    var tester = try ScreenTester()
    _ = tester.done()
    tester.send(.tags(tags))
    tester.type("t")
    #expect(tester.done() == [.tags])
    return tester
  }

  @Test func `the latest are shown above the field, the newest nearest to it`() throws {
    let lines = try tester().lines
    #expect(lines[18].hasPrefix("────"))
    #expect(lines[19...21].map { $0 } == ["  catbirds", "  cats@a.example", "  birds@b.example"])
    #expect(lines[22].hasPrefix(" Show ▸"))
    #expect(lines[22].hasSuffix("↑ birds@b.example"))
  }

  @Test func `up walks to earlier ones, down back to what was typed, and Enter takes`() throws {
    var tester = try tester()
    tester.press(.up, .up)
    #expect(tester.lines[20] == "▌ cats@a.example")
    #expect(tester.lines[22] == " Show ▸ cats@a.example")
    tester.press(.up, .up, .up, .down, .down)
    #expect(tester.lines[22] == " Show ▸ birds@b.example")
    tester.press(.up, .enter)
    #expect(tester.done() == [.choose("cats@a.example")])
  }

  @Test func `typing filters the suggestions, and deleting brings them back`() throws {
    var tester = try tester()
    tester.type("#CA")
    #expect(tester.lines[20...21].map { $0 } == ["  catbirds", "  cats@a.example"])
    tester.press(.up, .down)
    #expect(tester.lines[22] == " Show ▸ #CA")
    tester.type("x")
    #expect(!tester.text.contains("catbirds"))
    tester.press(.up, .enter)
    #expect(tester.done() == [.choose("#CAx")])
  }

  @Test func `many are scrolled, and a pasted one is written as any`() throws {
    var tester = try tester((1...30).map { "tag\($0)" })
    for _ in 0..<12 { tester.press(.up) }
    #expect(tester.lines[22] == " Show ▸ tag12")
    #expect(tester.lines[14] == "▌ tag12")
    tester.send(.input(.paste("dogs\n")))
    tester.press(.enter)
    #expect(tester.done() == [.choose("tag12dogs")])
  }
}
