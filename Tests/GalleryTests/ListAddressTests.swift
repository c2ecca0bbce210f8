import Testing
import Web

@testable import Gallery

struct ListAddressTests {
  @Test func `an address is read back as it was written`() {
    let queries = [
      "", "tag=cats", "tag=cats&tag=dogs&q=red%20panda", "user=birds@photos.example", "day=2026-11-21&deleted=1",
    ]
    for query in queries { #expect(ListAddress(Fields(form: query)).query == query) }
  }
}
