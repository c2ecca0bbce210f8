import Foundation
import HTTP
import Testing

struct ClockDifferenceTests {
  @Test(
    arguments: [
      (["Date": "Sat, 21 Nov 2026 10:00:00 GMT"], 0), (["Date": "Sat, 21 Nov 2026 10:07:00 GMT"], 420),
      (["Date": "Sat, 21 Nov 2026 09:50:00 GMT"], -600),
      (["Date": "Sat, 21 Nov 2026 09:50:00 GMT", "Age": "600"], 0), (["Date": "yesterday"], nil), ([:], nil),
      (["Date": "Sat, 21 Nov 2026 10:00:00 GMT", "Age": "-5"], 0),
    ] as [(Headers, TimeInterval?)])
  func `a server's clock is compared with ours, and a cached answer's age is added`(
    headers: Headers, expected: TimeInterval?
  ) {
    #expect(Response(status: 200, headers: headers).clockDifference(from: noon) == expected)
  }
}
