import Posts
import Testing

@testable import Services

struct FeedDateTests {
  @Test(arguments: [
    ("Fri, 20 Nov 2026 09:00:00 GMT", "2026-11-20T09:00:00.000Z"),
    ("20 Nov 2026 09:00:00 +0130", "2026-11-20T07:30:00.000Z"),
    ("Mon, 20 November 2026 09:00 EST", "2026-11-20T14:00:00.000Z"),
    ("Fri, 20 Nov 26 09:00:00 PDT", "2026-11-20T16:00:00.000Z"),
    ("Fri, 20 Nov 98 09:00:00 UT", "1998-11-20T09:00:00.000Z"),
    ("Fri,20 Nov 2026 9:00:00 XYZ", "2026-11-20T09:00:00.000Z"),
    ("Fri, 20 Nov 2026 09:00:00", "2026-11-20T09:00:00.000Z"),
    ("Nov 20, 2026 09:00:00 GMT", "2026-11-20T09:00:00.000Z"),
    ("Fri, 20 Nov 2026 09:00:00 -5:00", "2026-11-20T14:00:00.000Z"),
    ("Fri, 20 Nov 2026 09:00:00 GMT+2", "2026-11-20T07:00:00.000Z"),
    ("2026-11-20T09:00:00+01:00", "2026-11-20T08:00:00.000Z"), ("2026-11-20T09:00Z", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20", "2026-11-20T00:00:00.000Z"), ("2026-11", "2026-11-01T00:00:00.000Z"),
    (" 2026 ", "2026-01-01T00:00:00.000Z"),
  ])
  func `dates are read as they are written`(text: String, moment: String) {
    #expect(FeedDate.read(text).map(UTC.text) == moment)
  }

  @Test(arguments: [
    "", "today", "Fri, 40 Nov 2026 09:00:00 GMT", "20 Nov 2026", "Fri, 20 Foo 2026 09:00:00 GMT", "::::",
    "Nov Nov Nov 1:2",
    "20 Nov -5 09:00:00", "99999999999999999999 Nov 2026 09:00", "20 Nov 2026 25:00:00 GMT", "2026-13-01", "1:2 Nov",
  ])
  func `what is no date is none`(text: String) {
    #expect(FeedDate.read(text) == nil)
  }
}
