import Foundation
import Terminal
import Testing

@testable import Browse

/// Choosing a tag from recent ones.
struct TagFieldTests {
  private func stage(_ tags: [String] = ["birds@b.example", "cats@a.example", "catbirds"]) throws -> Stage {
    var stage = try Stage()
    _ = stage.done()
    stage.send(.tags(tags))
    stage.type("t")
    #expect(stage.done() == [.tags])
    return stage
  }

  @Test func `the latest are shown above the field, the newest nearest to it`() throws {
    let lines = try stage().lines
    #expect(lines[18].hasPrefix("────"))
    #expect(lines[19...21].map { $0 } == ["  catbirds", "  cats@a.example", "  birds@b.example"])
    #expect(lines[22].hasPrefix(" Show ▸"))
    #expect(lines[22].hasSuffix("↑ birds@b.example"))
  }

  @Test func `up walks to earlier ones, down back to what was typed, and Enter takes`() throws {
    var stage = try stage()
    stage.press(.up, .up)
    #expect(stage.lines[20] == "▌ cats@a.example")
    #expect(stage.lines[22] == " Show ▸ cats@a.example")
    stage.press(.up, .up, .up, .down, .down)
    #expect(stage.lines[22] == " Show ▸ birds@b.example")
    stage.press(.up, .enter)
    #expect(stage.done() == [.choose("cats@a.example")])
  }

  @Test func `typing filters the suggestions, and deleting brings them back`() throws {
    var stage = try stage()
    stage.type("#CA")
    #expect(stage.lines[20...21].map { $0 } == ["  catbirds", "  cats@a.example"])
    stage.press(.up, .down)
    #expect(stage.lines[22] == " Show ▸ #CA")
    stage.type("x")
    #expect(!stage.text.contains("catbirds"))
    stage.press(.up, .enter)
    #expect(stage.done() == [.choose("#CAx")])
  }

  @Test func `many are scrolled, and a pasted one is written as any`() throws {
    var stage = try stage((1...30).map { "tag\($0)" })
    for _ in 0..<12 { stage.press(.up) }
    #expect(stage.lines[22] == " Show ▸ tag12")
    #expect(stage.lines[14] == "▌ tag12")
    stage.send(.input(.paste("dogs\n")))
    stage.press(.enter)
    #expect(stage.done() == [.choose("tag12dogs")])
  }
}
