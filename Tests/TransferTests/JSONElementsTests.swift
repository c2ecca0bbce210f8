import PropertyTesting
import Testing

@testable import Transfer

@Suite struct JSONElementsTests {
  private func elements(
    _ text: String, member: String? = nil, hasPages: Bool = false, longest: Int = 1000, piece: Int = 1
  ) throws -> [String] {
    var reader = JSONElements(member: member, hasPages: hasPages, longest: longest)
    var found: [String] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try reader.read(Array(bytes[start..<min(start + piece, bytes.count)])) {
        switch $0 {
        case .element(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
        case .tooLong(let count): found.append("too long: \(count)")
        }
      }
    }
    try reader.finish()
    return found
  }

  @Test(arguments: 1...20) func `elements are found wherever the text is divided`(piece: Int) throws {
    let text = #"window.YTD.x.part0 = [ {"a":["]",{"b":"\\\"}"}]} , "s,\"]" ,12,[1,[2]] , null]"#
    #expect(
      try elements(text, piece: piece).map { $0.split(separator: " ").joined() }
        == [#"{"a":["]",{"b":"\\\"}"}]}"#, #""s,\"]""#, "12", "[1,[2]]", "null"])
  }

  @Test func `the member's elements are found, and no others`() throws {
    let text = #"{"items":[0],"o":{"orderedItems":[1]},"k":"orderedItems","orderedItems":[{"a":1},2],"z":[3]}"#
    #expect(try elements(text, member: "orderedItems") == [#"{"a":1}"#, "2"])
    #expect(throws: JSONElements.Fault.absent) { try elements(text, member: "none") }
  }

  @Test(arguments: [
    #"{"first":{"orderedItems":[1,{"first":{"items":[9]}}],"totalItems":7},"totalItems":2}"#,
    #"{"first":{"partOf":{"items":[9]},"items":[1],"next":{"orderedItems":[{"first":{"items":[9]}}]}},"totalItems":2}"#,
    #"{"orderedItems":[1],"first":{"a":{},"items":[{"first":{"items":[9]}}]},"last":{"items":[9]},"totalItems":2}"#,
  ])
  func `a collection's elements stand in it and in its pages`(text: String) throws {
    for piece in [1, 7, 1000] {
      let found = try elements(text, member: "orderedItems", hasPages: true, piece: piece)
      #expect(found == ["1", #"{"first":{"items":[9]}}"#])
    }
    var reader = JSONElements(member: "orderedItems", total: "totalItems", hasPages: true, longest: 1000)
    try reader.read(Array(text.utf8)) { _ in }
    #expect(reader.declared == 2)
    #expect(throws: JSONElements.Fault.absent) {
      try elements(#"{"first":"https://a.example/1","items":9}"#, member: "orderedItems", hasPages: true)
    }
  }

  @Test func `an element that is too long is counted and not kept`() throws {
    let long = String(repeating: "x", count: 50)
    #expect(try elements("[1,\"\(long)\",2]", longest: 10, piece: 7) == ["1", "too long: 52", "2"])
  }

  @Test func `what ends too early, and what is no JSON, is told apart`() {
    #expect(throws: JSONElements.Fault.truncated) { try elements("[1,{\"a\"") }
    #expect(throws: JSONElements.Fault.truncated) { try elements("[\"a") }
    #expect(throws: JSONElements.Fault.absent) { try elements("nothing") }
    #expect(throws: JSONElements.Fault.malformed(at: 3)) { try elements("[1]]") }
  }

  @Test(arguments: PropertyTest.seeds(sample: 200, whole: 5000))
  func `any bytes come to an end, and memory stays bounded`(seed: UInt64) {
    var chance = Dice(state: seed)
    let letters = Array("[]{}\",:\\ a1\n".utf8)
    let text = (0..<200).map { _ in letters.randomElement(using: &chance)! }
    let piece = Int.random(in: 1...9, using: &chance)
    _ = try? elements(String(decoding: text, as: UTF8.self), longest: 20, piece: piece)
    _ = try? elements(String(decoding: text, as: UTF8.self), member: "a", hasPages: true, longest: 20, piece: piece)
  }
}
