import Foundation
import JSONReading
import PropertyTesting
import Testing

@Suite struct JSONStreamTests {
  /// A stream of a text, in pieces of this length.
  private func stream(_ text: String, pieces: Int = 7, most: Int = 1000) -> JSONStream {
    var rest = Array(text.utf8)[...]
    return JSONStream(most: most) {
      defer { rest = rest.dropFirst(pieces) }
      return Array(rest.prefix(pieces))
    }
  }

  private func values(_ stream: JSONStream) throws -> [String] {
    var stream = stream
    var values: [String] = []
    while let element = try stream.next() { values.append(String(decoding: element.bytes, as: UTF8.self)) }
    return values
  }

  @Test(arguments: [
    (#"[{"a":1},{"b":"]}"},3 , "x\",]",[[]]]"#, [#"{"a":1}"#, #"{"b":"]}"}"#, "3", #""x\",]""#, "[[]]"]),
    ("\u{FEFF}[]", []),
    ("{\"a\":[1,\n2]}", ["{\"a\":[1,\n2]}"]),
    ("{}\n{\"a\":1}\r\n\n{}", ["{}", "{\"a\":1}", "{}"]),
  ])
  func `a stream has the values of an array, or of lines`(text: String, expected: [String]) throws {
    for pieces in 1...9 { #expect(try values(stream(text, pieces: pieces)) == expected) }
  }

  @Test(arguments: [
    ("", JSONStream.Fault.empty), ("<html>", .markup), ("[1,,2]", .malformed(at: 3)), ("[1,]", .malformed(at: 3)),
    ("[{\"a\":1}", .truncated(at: 8)), ("[{\"a\":", .truncated(at: 1)), ("{} x", .malformed(at: 3)),
    ("[1] 2", .malformed(at: 4)), ("name", .malformed(at: 0)), ("[}", .malformed(at: 1)),
  ])
  func `a stream that is no JSON says where`(text: String, fault: JSONStream.Fault) {
    for pieces in 1...5 { #expect(throws: fault) { try values(stream(text, pieces: pieces)) } }
  }

  @Test func `a value that is too long is refused before it is read whole`() {
    var read = 0
    let stream = JSONStream(most: 1000) {
      read += 100
      return Array(repeating: UInt8(ascii: read == 100 ? "[" : "["), count: 100)
    }
    #expect(throws: JSONStream.Fault.tooLong(at: 1)) { try values(stream) }
    #expect(read <= 1200)
  }

  @Test func `a long stream is read piece by piece`() throws {
    var count = 0
    var stream = JSONStream(most: 1000) {
      count += 1
      return count > 3000
        ? [] : Array("{\"number\":\(count),\"text\":\"\(String(repeating: "x", count: 900))\"}\n".utf8)
    }
    var last: JSONStream.Element?
    var values = 0
    while let element = try stream.next() {
      last = element
      values += 1
    }
    #expect(values == 3000)
    #expect(try #require(last).offset > 2_700_000)
    #expect(JSONObject(try #require(last).bytes)?.integer("number") == 3000)
  }
}
