import Testing
import Transfer

@Suite struct TransferFormatTests {
  @Test func `a format is found by the name that people type`() {
    #expect(TransferFormat(rawValue: "json-feed") == .jsonFeed)
    #expect(TransferFormat(rawValue: "JSON") == nil)
    #expect(Set(TransferFormat.allCases.map(\.rawValue)).count == TransferFormat.allCases.count)
  }
}
