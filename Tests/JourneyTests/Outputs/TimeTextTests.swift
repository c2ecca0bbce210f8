import Foundation
import Machine
import Testing

@testable import media

@Suite struct `how times are read and written` {
  private let utc = TimeText(TimeZone(identifier: "UTC")!)
  private let berlin = TimeText(TimeZone(identifier: "Europe/Berlin")!)

  @Test func `a time without a zone is local, one with a zone is exact`() throws {
    for (text, moment) in [
      ("2026-11-21", "2026-11-20T23:00:00.000Z"), ("2026-11-21 14:05", "2026-11-21T13:05:00.000Z"),
      ("2026-07-21T14:05:30", "2026-07-21T12:05:30.000Z"), ("2026-07-21 14:05:30", "2026-07-21T12:05:30.000Z"),
      ("2026-11-21T14:05:30Z", "2026-11-21T14:05:30.000Z"),
      ("2026-11-21T14:05:30+05:30", "2026-11-21T08:35:30.000Z"),
    ] {
      #expect(UTC.text(try berlin.moment(text, for: "--at")) == moment, "\(text)")
    }
  }

  @Test(arguments: [
    "", "soon", "2026", "2026-13-01", "2026-02-29", "2026-04-31", "2026-11-21 24:00", "2026-11-21 14:60", "26-11-21",
    "2026-1-1", "2026/11/21", "2026-11-21 14", "2026-11-21 14:05:61", "0000-01-01", "٢٠٢٦-١١-٢١", "2026-11-21 14:05 x",
    "-2026-11-21", "2026-11-21T", "１2026-11-21",
  ])
  func `text that is not a time is refused`(text: String) {
    let error = #expect(throws: UsageError.self) { try utc.moment(text, for: "--since") }
    #expect(error?.summary == "--since \(text) is not a time")
    #expect(throws: UsageError.self) { try utc.day(text, for: "--day") }
  }

  @Test func `days are as long as their clocks make them`() throws {
    for (day, hours) in [("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-21", 24)] {
      #expect(try berlin.day(day, for: "--day").duration == Double(hours) * 3600)
      #expect(try utc.day(day, for: "--day").duration == 86_400)
    }
    // Clocks there go forward at midnight: the day begins at one.
    let santiago = TimeText(try #require(TimeZone(identifier: "America/Santiago")))
    let first = try santiago.day("2026-09-06", for: "--day")
    #expect((UTC.text(first.start), first.duration) == ("2026-09-06T04:00:00.000Z", 23 * 3600))
  }

  @Test func `a time the clocks jumped over is taken as one beside it`() throws {
    let moment = try berlin.moment("2026-03-29 02:30", for: "--at")
    #expect(["2026-03-29T00:30:00.000Z", "2026-03-29T01:30:00.000Z"].contains(UTC.text(moment)))
  }

  @Test func `a day is given without a time`() {
    #expect(throws: UsageError.self) { try utc.day("2026-11-21 14:05", for: "--day") }
    #expect(throws: UsageError.self) { try utc.day("2026-11-21T00:00:00Z", for: "--day") }
  }
}
