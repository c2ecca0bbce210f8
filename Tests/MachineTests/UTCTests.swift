import Foundation
import Machine
import Testing

struct UTCTests {
  @Test(arguments: [
    ("2026-11-20T09:00:00.000Z", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20T09:00:00Z", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20t09:00:00z", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20 09:00:00+00:00", "2026-11-20T09:00:00.000Z"),
    ("2026-11-20T09:00:00.123456Z", "2026-11-20T09:00:00.123Z"),
    ("2026-11-20T09:00:00.9999999Z", "2026-11-20T09:00:00.999Z"),
    ("2026-11-20T09:00:00.5+0000", "2026-11-20T09:00:00.500Z"),
    ("2026-11-20T09:00:00,25Z", "2026-11-20T09:00:00.250Z"),
    ("2026-11-20T09:00:00+05:30", "2026-11-20T03:30:00.000Z"),
    ("2026-11-20T23:30:00-0800", "2026-11-21T07:30:00.000Z"),
    ("2026-11-20T09:00:00+02", "2026-11-20T07:00:00.000Z"),
    ("2026-11-20T09:00:00", "2026-11-20T09:00:00.000Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
  ])
  func `timestamps are read in many forms and written in one`(input: String, output: String) throws {
    #expect(UTC.text(try #require(UTC.date(input))) == output)
  }

  @Test(arguments: [
    "", "2026", "2026-11-20", "2026-11-20T09:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-20T24:00:00Z",
    "2026-11-20T09:60:00Z", "2026-11-20T09:00:61Z", "2026-11-20T09:00:00.Z", "2026-11-20T09:00:00Zx",
    "2026-11-20T09:00:00+", "2026-11-20T09:00:00+1", "2026-11-20T09:00:00+25:00", "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
    "２０２６-11-20T09:00:00Z", "2026-11-20T09:00:00.\(String(repeating: "1", count: 100))Z",
  ])
  func `a text that is not a timestamp is refused`(input: String) {
    #expect(UTC.date(input) == nil)
  }

  @Test func `texts sort as times do, and reading them back changes nothing`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var state = seed
    var times: [Int64] = []
    for _ in 0..<5_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      times.append(Int64(state >> 16) % 315_537_897_599_999 - 62_135_596_800_000)
    }
    times.sort()
    let texts = times.map { UTC.text(Date(timeIntervalSince1970: Double($0) / 1000)) }
    #expect(texts == texts.sorted(), "seed \(seed)")
    for (millis, text) in zip(times, texts) {
      let back = try #require(UTC.date(text), "seed \(seed)")
      #expect((back.timeIntervalSince1970 * 1000).rounded() == Double(millis), "seed \(seed), \(text)")
      #expect(UTC.text(back) == text, "seed \(seed)")
    }
  }

  @Test func `a date beyond the calendar is written as its nearest end`() {
    #expect(UTC.text(.distantPast.addingTimeInterval(-1e12)) == "0001-01-01T00:00:00.000Z")
    #expect(UTC.text(.distantFuture.addingTimeInterval(1e15)) == "9999-12-31T23:59:59.999Z")
  }
}
