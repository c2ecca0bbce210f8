import Foundation
import Testing

@testable import Gallery

@Suite struct SentTextTests {
  private func sent(_ text: String) -> String { String(decoding: SentText.bytes(of: Array(text.utf8)), as: UTF8.self) }

  @Test func `comments and leading blanks are not sent, and all code is`() {
    #expect(
      sent("// One.\n/** Two. */\nlet a = 1; // Three\n\n  /*\n   * Four.\n   */\n  f(\"//\"); /* Five */\n")
        == "let a = 1; // Three\nf(\"//\"); /* Five */\n")
    #expect(sent("/* A\n  B */\nx {\n  color: red;\n}") == "x {color: red;}\n")
    // A line goes on only where it ends for nothing.
    #expect(sent("f(\n1,\n2)\ng(); // x;\nh();\ni()\n") == "f(1,2)\ng(); // x;\nh();i()\n")
    // What looks like the end of a comment that it begins is none.
    #expect(sent("/*/\nx\n*/\ny") == "y\n")
  }

  /// Lines that go are found without reading the code: that is only right while each text ends in its line.
  @Test(arguments: ["js", "css"]) func `nothing in scripts and styles depends on comments and blanks`(ending: String)
    throws
  {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Gallery/Assets/files").standardized
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == ending }
    #expect(!files.isEmpty)
    for file in files {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespaces)
        let what = "\(file.lastPathComponent): \(text)"
        #expect(ending == "css" || text.filter { $0 == "`" }.count.isMultiple(of: 2), "a text over lines in \(what)")
        #expect(!text.hasSuffix("\\"), "a text over lines in \(what)")
        if text.hasPrefix("/*") {
          #expect(!text.dropLast(2).contains("*/"), "code behind a comment in \(what)")
        } else {
          #expect(!text.contains("/*") || text.contains("*/"), "a comment that begins behind code in \(what)")
        }
      }
    }
  }
}
