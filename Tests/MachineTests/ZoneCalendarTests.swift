import Foundation
import Testing

@testable import Machine

/// Foundation's calendar with ICU is the oracle: the programs have none for zones whose clocks change.
struct ZoneCalendarTests {
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Sydney", "Australia/Lord_Howe",
    "Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca", "America/Asuncion", "Pacific/Auckland", "America/St_Johns",
  ]

  private func calendars(_ name: String) throws -> (ours: ZoneCalendar, foundations: Calendar) {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return (ZoneCalendar(zone), calendar)
  }

  /// Every 37 hours of some years, and each quarter of an hour around each clock change in them.
  private func moments(_ zone: TimeZone) throws -> [Date] {
    let (start, end) = (try #require(UTC.date("2009-12-01T00:00:00Z")), try #require(UTC.date("2028-01-01T00:00:00Z")))
    var moments = Array(stride(from: start, to: end, by: 37 * 3600 + 11))
    var change = zone.nextDaylightSavingTimeTransition(after: start)
    while let moment = change, moment < end {
      moments += stride(from: moment.addingTimeInterval(-93_600), to: moment.addingTimeInterval(93_600), by: 900)
      change = zone.nextDaylightSavingTimeTransition(after: moment)
    }
    return moments
  }

  @Test(arguments: zones) func `calendar and clock show what Foundation's show`(name: String) throws {
    let (ours, foundations) = try calendars(name)
    for moment in try moments(foundations.timeZone) {
      let parts = foundations.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday], from: moment)
      let reading = ours.reading(of: moment)
      let isSame =
        parts.year == reading.year && parts.month == reading.month && parts.day == reading.day
        && parts.hour == reading.hour && parts.minute == reading.minute && parts.second == reading.second
        && parts.weekday == reading.weekday
      if !isSame { Issue.record("\(UTC.text(moment)): \(reading), not \(parts)") }
    }
  }

  @Test(arguments: zones) func `days and months begin and end where Foundation's do`(name: String) throws {
    let (ours, foundations) = try calendars(name)
    for moment in try moments(foundations.timeZone) {
      for (interval, unit) in [(ours.day(of: moment), Calendar.Component.day), (ours.month(of: moment), .month)] {
        let known = foundations.dateInterval(of: unit, for: moment)
        if interval != known {
          Issue.record("\(unit) of \(UTC.text(moment)): \(interval), not \(String(describing: known))")
        }
      }
    }
  }

  @Test(arguments: zones) func `days and months later are as Foundation counts them`(name: String) throws {
    let (ours, foundations) = try calendars(name)
    for moment in try moments(foundations.timeZone).filter({ ours.reading(of: $0).hour == 12 }) {
      for (count, unit) in [
        (1, Calendar.Component.day), (-1, .day), (1, .month), (-1, .month), (7, .day), (12, .month),
      ] {
        // Foundation counts a week over the day that Apia skipped as seven times 24 hours.
        if name == "Pacific/Apia", count == 7, UTC.text(moment).hasPrefix("2011-12-2") { continue }
        let known = foundations.date(byAdding: unit, value: count, to: moment)
        if ours.moment(count, unit, after: moment) != known {
          Issue.record("\(count) \(unit) after \(UTC.text(moment))")
        }
      }
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29", 23.0), ("Europe/Berlin", "2026-10-25", 25), ("Europe/Berlin", "2026-11-21", 24),
    ("Australia/Sydney", "2026-10-04", 23), ("Australia/Sydney", "2026-04-05", 25),
    ("Australia/Lord_Howe", "2026-10-04", 23.5), ("America/Santiago", "2026-09-06", 23), ("UTC", "2026-03-29", 24),
  ])
  func `a day is as long as its clock says`(name: String, day: String, hours: Double) throws {
    let calendar = try calendars(name).ours
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let noon = try #require(calendar.moment(year: parts[0], month: parts[1], day: parts[2], hour: 12))
    #expect(calendar.day(of: noon).duration == hours * 3600)
  }

  @Test func `a time that comes twice is the first, and a skipped one is as much later`() throws {
    let berlin = try calendars("Europe/Berlin").ours
    func text(_ month: Int, _ day: Int) -> String? {
      berlin.moment(year: 2026, month: month, day: day, hour: 2, minute: 30).map(UTC.text)
    }
    #expect(text(10, 25) == "2026-10-25T00:30:00.000Z")
    #expect(text(3, 29) == "2026-03-29T01:30:00.000Z")
  }

  @Test(arguments: [
    (2026, 2, 29, 0), (2026, 4, 31, 0), (2026, 13, 1, 0), (2026, 1, 1, 24), (0, 1, 1, 0), (10_000, 1, 1, 0),
  ])
  func `a day or a time that does not exist gives no date`(year: Int, month: Int, day: Int, hour: Int) {
    #expect(ZoneCalendar(.gmt).moment(year: year, month: month, day: day, hour: hour) == nil)
  }

  @Test func `a day that a zone skips is none`() throws {
    let apia = try calendars("Pacific/Apia").ours
    #expect(apia.moment(year: 2011, month: 12, day: 30) == nil)
    #expect(apia.moment(year: 2011, month: 12, day: 31).map(UTC.text) == "2011-12-30T10:00:00.000Z")
  }

  @Test func `the machine's zone is the one that glibc and Foundation find`() {
    let ours = ZoneCalendar()
    for seconds in stride(from: 1_262_304_000.0, to: 1_830_297_600, by: 1_000_003) {
      let moment = Date(timeIntervalSince1970: seconds)
      #expect(ours.offset(at: moment) == TimeZone.current.secondsFromGMT(for: moment))
    }
    #expect(ours.offset(at: Date(timeIntervalSince1970: 1e300)) == 0)
  }
}
