import Foundation
import Posts
import Testing

struct SourceNameTests {
  @Test(arguments: ["mastodon", "manual", "vimeo", "a source of a newer version"])
  func `a name is written as its text, whether or not a source has it`(text: String) throws {
    let bytes = try JSONEncoder().encode(["source": SourceName(rawValue: text)])
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"source":"\#(text)"}"#)
    #expect(try JSONDecoder().decode([String: SourceName].self, from: bytes)["source"]?.rawValue == text)
  }

  @Test func `stored names stay what they are`() {
    #expect((SourceName.manual.rawValue, SourceName.usual.rawValue) == ("manual", "mastodon"))
  }
}
