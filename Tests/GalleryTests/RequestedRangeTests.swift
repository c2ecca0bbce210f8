import Testing

@testable import Gallery

struct RequestedRangeTests {
  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-3", .part(0..<4)), ("bytes=4-", .part(4..<10)), ("bytes=-3", .part(7..<10)),
      ("bytes=-30", .part(0..<10)), ("bytes=9-9", .part(9..<10)), ("bytes=0-99", .part(0..<10)),
      ("BYTES = 2-3", .part(2..<4)),
      ("bytes=2-99999999999999999999", .part(2..<10)), ("bytes=10-", .unsatisfiable),
      ("bytes=99999999999999999999-", .unsatisfiable),
      ("bytes=-0", .unsatisfiable), ("bytes=0-1,4-5", .whole), ("bytes=5-2", .whole), ("bytes=", .whole),
      ("bytes=-", .whole),
      ("bytes=a-b", .whole), ("bytes=1-2-3", .whole), ("bytes=+1-2", .whole), ("items=0-3", .whole),
      ("bytes 0-3", .whole),
      ("", .whole), ("bytes=1", .whole), ("bytes=٣-", .whole),
    ] as [(String?, RequestedRange)])
  func `a range of ten bytes is what the header says`(header: String?, range: RequestedRange) {
    #expect(RequestedRange(header, of: 10) == range)
  }

  @Test(arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
  func `an empty file has no ranges`(header: String) {
    #expect(RequestedRange(header, of: 0) == .unsatisfiable)
    #expect(RequestedRange(nil, of: 0) == .whole)
  }

  @Test func `an entity tag matches itself, in a list, as a weak one, and by the star`() {
    for header in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*"] { #expect(EntityTags.list(header, contains: "\"a\"")) }
    for header in [nil, "\"b\"", "a", ""] { #expect(!EntityTags.list(header, contains: "\"a\"")) }
    #expect(EntityTags.allowRange(nil, "\"a\"") && EntityTags.allowRange("\"a\"", "\"a\""))
    for header in ["\"b\"", "W/\"a\"", "Sat, 21 Nov 2026 12:00:00 GMT"] {
      #expect(!EntityTags.allowRange(header, "\"a\""))
    }
  }
}
