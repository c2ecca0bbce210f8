import Foundation
import JSONReading
import PropertyTesting
import Testing

struct JSONSlicesTests {
  private func slices(_ text: String) throws(JSONSlices.Fault) -> [String] {
    let bytes = Array(text.utf8)
    return try JSONSlices.elements(of: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test func `elements are verbatim, including the white space inside them`() throws {
    #expect(
      try slices(#" [ {"a" : [1, {"b":2}] } , 3.5e1,"x, ]\"}" ,null,[ ],{} ] "#)
        == [#"{"a" : [1, {"b":2}] }"#, "3.5e1", #""x, ]\"}""#, "null", "[ ]", "{}"]
    )
  }

  @Test func `an empty array has no elements`() throws {
    #expect(try slices("[]") == [])
    #expect(try slices("\u{FEFF}[ \n ]\t") == [])
  }

  @Test func `strings end at their quote, however long and however escaped`() throws {
    for length in 0..<40 {
      let text = #"""# + String(repeating: "x", count: length) + #"\\\"é]},\u00e9\\""#
      #expect(try slices("[\(text),1]") == [text, "1"])
    }
  }

  @Test(
    arguments: [
      ("", .empty), (" \n", .empty), ("<!DOCTYPE html>", .markup), ("  <html>", .markup), (#"{"error":"no"}"#, .object),
      ("\"x\"", .notAnArray), ("404", .notAnArray), ("[", .truncated), ("[1", .truncated), ("[1,", .truncated),
      (#"["abc"#, .truncated), (#"["abc\"#, .truncated), (#"[{"a":1"#, .truncated), ("[[1]", .truncated),
      ("[1 2]", .malformed(at: 3)), ("[,1]", .malformed(at: 1)), ("[1,]", .malformed(at: 3)),
      ("[1]]", .malformed(at: 3)),
      ("[[1}]", .malformed(at: 3)), (#"[{"a":1]]"#, .malformed(at: 7)), ("[1]{}", .malformed(at: 3)),
      ("[:]", .malformed(at: 1)),
    ] as [(String, JSONSlices.Fault)]
  )
  func `anything but a complete array is refused with its reason`(text: String, fault: JSONSlices.Fault) {
    #expect(throws: fault) { try slices(text) }
  }

  @Test func `an object whose names are all numbers is an array`() throws {
    #expect(try slices(#"{"0":{"a":1},"2":[2], "10" : 3}"#) == [#"{"a":1}"#, "[2]", "3"])
    #expect(throws: JSONSlices.Fault.tooMany(1)) { try JSONSlices.elements(of: Array(#"{"0":1,"1":2}"#.utf8), most: 1) }
    for text in ["{}", #"{"0":1,"error":2}"#, #"{"-1":1}"#, #"{"":1}"#] {
      #expect(throws: JSONSlices.Fault.object) { try slices(text) }
    }
    #expect(throws: JSONSlices.Fault.truncated) { try slices(#"{"0":{"a":1}"#) }
    let bytes = Array(#"{"items":{"7":"x"}}"#.utf8)
    #expect(try JSONSlices.elements(ofMember: "items", in: bytes).map { Array(bytes[$0]) } == [Array("\"x\"".utf8)])
  }

  @Test func `one element too many ends the search, whatever follows`() throws {
    let bytes = Array("[1,2,3".utf8)
    #expect(throws: JSONSlices.Fault.truncated) { try JSONSlices.elements(of: bytes, most: 3) }
    #expect(throws: JSONSlices.Fault.tooMany(2)) { try JSONSlices.elements(of: bytes, most: 2) }
    #expect(try JSONSlices.elements(of: Array("[1,2]".utf8), most: 2).count == 2)
  }

  @Test func `nesting is read to the maximum depth and no further`() throws {
    func nested(_ depth: Int) -> String {
      "[" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "]"
    }
    #expect(try slices(nested(JSONSlices.deepest)).count == 1)
    #expect(throws: JSONSlices.Fault.tooDeep) { try slices(nested(JSONSlices.deepest + 1)) }
    #expect(throws: JSONSlices.Fault.tooDeep) { try slices(String(repeating: "[", count: 1 << 20)) }
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `the elements of any array are what a JSON parser finds in it`(seed: UInt64) throws {
    var random = Dice(state: seed)
    for _ in 0..<20 {
      let values = (0..<Int.random(in: 0..<8, using: &random)).map { _ in value(depth: 4, &random) }
      let space = { [" ", "", "\n"].randomElement(using: &random)! }
      let text = space() + "[" + values.map { space() + $0 + space() }.joined(separator: ",") + "]" + space()
      #expect(try slices(text) == values, "seed \(seed)")
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `any mutation gives slices in order within the bytes, or a reason`(seed: UInt64) {
    var random = Dice(state: seed)
    for _ in 0..<300 {
      let values = (0..<4).map { _ in value(depth: 3, &random) }
      var bytes = Array("[\(values.joined(separator: ","))]".utf8)
      for _ in 0...Int.random(in: 0..<5, using: &random) { bytes.mutate(with: "[]{}\"\\,: 0\n", &random) }
      guard let ranges = try? JSONSlices.elements(of: bytes) else { continue }
      let isSound =
        ranges.allSatisfy { !$0.isEmpty && bytes.indices.contains($0.lowerBound) && $0.upperBound <= bytes.count }
        && zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
      #expect(isSound, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      // If a strict parser accepts the array, every slice must be there.
      if let whole = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [Any] {
        #expect(whole.count == ranges.count, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  private func value(depth: Int, _ random: inout Dice) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: return "\(Int.random(in: -1000...1000, using: &random))"
    case 1: return ["true", "false", "null", "-1.5e3"].randomElement(using: &random)!
    case 2, 3:
      let pieces = ["a", #"\""#, #"\\"#, "é", "[", "]", "{", "}", ",", ":", #"\u0041"#, "cats and birds ", "猫"]
      let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
      return "\"\(text.joined())\""
    case 4:
      return "["
        + (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth - 1, &random) }
        .joined(separator: ", ") + "]"
    default:
      return "{"
        + (0..<Int.random(in: 0..<4, using: &random)).map { "\"k\($0)\": \(value(depth: depth - 1, &random))" }
        .joined(separator: ",") + "}"
    }
  }
}
