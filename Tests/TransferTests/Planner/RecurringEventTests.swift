import Foundation
import Machine
import Testing

@testable import Transfer

/// Recurring events, and calendars in other forms than the usual one.
struct RecurringEventTests {
  private func file(_ events: [String]..., before: [String] = []) -> String {
    let parts = events.flatMap { ["BEGIN:VEVENT", "UID:1", "SUMMARY:Walk"] + $0 + ["END:VEVENT"] }
    return (["BEGIN:VCALENDAR"] + before + parts + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private func entries(_ text: String, known: [CalendarEntry] = []) throws -> [CalendarEntry] {
    try Planner.calendar(text, known: known).readings.compactMap {
      if case .entry(let entry) = $0 { entry } else { nil }
    }
  }

  /// The days on which a rule from a Tuesday on is, as `MMDD`, or with the year if it is another.
  private func days(_ rule: String, from start: String = "20261124") throws -> [String] {
    try entries(file(["DTSTART;VALUE=DATE:\(start)", "RRULE:\(rule)"])).map { entry in
      let day = UTC.text(entry.start).prefix(10).replacing("-", with: "")
      return day.hasPrefix(start.prefix(4)) ? String(day.dropFirst(4)) : String(day)
    }
  }

  @Test(arguments: [
    ("FREQ=DAILY;COUNT=3", "1124 1125 1126"), ("FREQ=DAILY;INTERVAL=10;UNTIL=20261220", "1124 1204 1214"),
    ("FREQ=WEEKLY;COUNT=4;BYDAY=TU,TH", "1124 1126 1201 1203"),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=3;WKST=SU;BYDAY=SU,TU", "1124 1206 1208"),
    ("FREQ=MONTHLY;COUNT=3;BYDAY=-1TU", "1124 1229 20270126"),
    ("FREQ=MONTHLY;COUNT=3;BYDAY=4TU", "1124 1222 20270126"),
    ("FREQ=MONTHLY;COUNT=3;BYMONTHDAY=-1", "1124 1130 1231"),
    ("FREQ=MONTHLY;COUNT=3;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "1124 1130 1231"),
    ("FREQ=YEARLY;COUNT=2", "1124 20271124"),
    ("FREQ=YEARLY;COUNT=3;BYMONTH=11;BYDAY=4TH", "1124 1126 20271125"),
    ("FREQ=YEARLY;COUNT=3;BYYEARDAY=1,-1", "1124 1231 20270101"),
    ("FREQ=DAILY;COUNT=3;BYDAY=SA,SU", "1124 1128 1129"),
  ])
  func `a rule names its days`(rule: String, expected: String) throws {
    #expect(try days(rule) == expected.split(separator: " ").map(String.init))
  }

  @Test func `a month without the day is passed over`() throws {
    #expect(try days("FREQ=MONTHLY;COUNT=3", from: "20261231") == ["1231", "20270131", "20270331"])
    #expect(try days("FREQ=YEARLY;COUNT=2", from: "20240229") == ["0229", "20280229"])
  }

  @Test func `an event keeps its time of day when the clocks change, and its length`() throws {
    let found = try entries(
      file([
        "DTSTART;TZID=Europe/Berlin:20260327T100000", "DTEND;TZID=Europe/Berlin:20260327T113000",
        "RRULE:FREQ=DAILY;COUNT=4",
      ]))
    #expect(
      found.map { UTC.text($0.start).dropFirst(8).prefix(8) } == ["27T09:00", "28T09:00", "29T08:00", "30T08:00"])
    #expect(found.allSatisfy { $0.finish?.timeIntervalSince($0.start) == 5400 })
    #expect(found.map(\.uri).prefix(3) == ["urn:ical:1", "urn:ical:1#20260328T090000Z", "urn:ical:1#20260329T080000Z"])
  }

  @Test(arguments: ["America/Los_Angeles", "Asia/Tokyo", "UTC"], [-36_000, 0, 43_200])
  func `days in a rule are those of the event's zone, wherever it is read`(zone: String, offset: Int) throws {
    let here = try #require(TimeZone(secondsFromGMT: offset))
    let lines = [
      "DTSTART;TZID=\(zone):20260102T180000", "RRULE:FREQ=DAILY;UNTIL=20260105", "EXDATE;VALUE=DATE:20260103",
    ]
    let (readings, _) = try Planner.calendar(file(lines), zone: here)
    #expect(readings.count == 3, "\(readings)")
  }

  @Test func `of several versions of an instance the newest counts, in any order`() throws {
    let master = ["DTSTART:20261124T100000Z", "RRULE:FREQ=DAILY;COUNT=2"]
    let changes = [2, 10].map { version in
      ["RECURRENCE-ID:20261125T100000Z", "DTSTART:20261125T\(version + 10)0000Z", "SEQUENCE:\(version)"]
    }
    for text in [file(master, changes[0], changes[1]), file(master, changes[1], changes[0])] {
      #expect(try entries(text).map { UTC.text($0.start).prefix(13) } == ["2026-11-24T10", "2026-11-25T20"])
    }
    // So without the event itself, and where the newest version is cancelled.
    for text in [file(changes[0], changes[1]), file(changes[1], changes[0])] {
      #expect(try entries(text).map { UTC.text($0.start).prefix(13) } == ["2026-11-25T20"])
    }
    #expect(try entries(file(changes[0], changes[1] + ["STATUS:CANCELLED"])).isEmpty)
  }

  @Test func `exceptions, additions and changes count, wherever they stand`() throws {
    let change = [
      "RECURRENCE-ID;TZID=Europe/Berlin:20261126T100000", "DTSTART;TZID=Europe/Berlin:20261126T150000", "LOCATION:Park",
    ]
    let master = [
      "DTSTART;TZID=Europe/Berlin:20261124T100000", "RRULE:FREQ=DAILY;COUNT=5",
      "EXDATE;TZID=Europe/Berlin:20261125T100000", "RDATE;TZID=Europe/Berlin:20261201T100000",
    ]
    let cancelled = ["RECURRENCE-ID:20261127T090000Z", "DTSTART:20261127T090000Z", "STATUS:CANCELLED"]
    let found = try entries(file(change, master, cancelled))
    #expect(
      found.map { UTC.text($0.start).prefix(16) }
        == ["2026-11-24T09:00", "2026-11-26T14:00", "2026-11-28T09:00", "2026-12-01T09:00"])
    #expect(found[1].text == "Location: Park" && found[1].uri == "urn:ical:1#20261126T090000Z")
    #expect(try entries(file(master, cancelled, change)) == found)
  }

  /// Expects that the instances have these identities, and that the same file changes nothing when it comes again.
  private func expect(_ file: String, known: [CalendarEntry], named uris: [String]) throws {
    let found = try entries(file, known: known)
    #expect(found.map(\.uri) == uris)
    let kept = known.filter { !uris.contains($0.uri) }
    #expect(try entries(file, known: found + kept) == found)
  }

  /// Events without a zone, and changes of their instances, with the event and without it.
  private static let floating = [
    [["DTSTART:20261124T090000", "RRULE:FREQ=DAILY;COUNT=3"]],
    [
      ["DTSTART:20261124T233000", "RRULE:FREQ=DAILY;COUNT=3"],
      ["RECURRENCE-ID:20261125T233000", "DTSTART:20261130T100000"],
      ["RECURRENCE-ID:20261220T233000", "DTSTART:20261221T100000"],
    ],
    [["RECURRENCE-ID:20261125T093000", "DTSTART:20261125T100000"]],
    [["DTSTART;TZID=Nowhere/Known:20261124T090000", "RRULE:FREQ=DAILY;COUNT=3"]],
  ]

  @Test(arguments: floating)
  func `an instance without a zone has one identity, wherever the file is read`(events: [[String]]) throws {
    let parts = events.flatMap { ["BEGIN:VEVENT", "UID:1", "SUMMARY:Walk"] + $0 + ["END:VEVENT"] }
    let text = (["BEGIN:VCALENDAR"] + parts + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    func uris(at offset: Int, known: [CalendarEntry] = []) throws -> [CalendarEntry] {
      try Planner.calendar(text, zone: try #require(TimeZone(secondsFromGMT: offset)), known: known).readings.compactMap
      {
        if case .entry(let entry) = $0 { entry } else { nil }
      }
    }
    let here = try uris(at: 0)
    #expect(Set(here.map(\.uri)).count == here.count && !here.isEmpty)
    for offset in [-36_000, 3600, 43_200] {
      let there = try uris(at: offset, known: here)
      #expect(there.map(\.uri) == here.map(\.uri))
      #expect(there.map { $0.start + Double(offset) } == here.map(\.start))
    }
    // Earlier versions gave an identity that depended on the zone.
    let former = here.map { entry in
      var entry = entry
      if entry.uri.contains("#") { entry.uri += "Z" }
      return entry
    }
    let again = try uris(at: 0, known: former)
    #expect(zip(again, former).allSatisfy { $0.uri == $1.uri || $0.formerURI == $1.uri }, "\(again)")
  }

  @Test func `an instance that was moved keeps the identity by which it is known`() throws {
    func weekly(_ start: String, _ more: String...) -> String {
      file(["DTSTART:\(start)", "RRULE:FREQ=WEEKLY;COUNT=4"] + more)
    }
    let known = try entries(weekly("20261124T090000Z"))
    let uris = known.map(\.uri)
    for start in ["20261124T090000Z", "20261124T093000Z", "20261125T090000Z"] {
      try expect(weekly(start), known: known, named: uris)
    }
    // What comes or goes at an end leaves the others where they are.
    let later = uris.dropFirst() + ["urn:ical:1#20261222T090000Z"]
    try expect(weekly("20261201T090000Z"), known: known, named: Array(later))
    let earlier = ["urn:ical:1#20261117T090000Z"] + uris.dropLast()
    try expect(weekly("20261117T090000Z"), known: known, named: earlier)
    try expect(
      weekly("20261124T093000Z", "EXDATE:20261201T093000Z"), known: known, named: [uris[0], uris[2], uris[3]])
  }

  @Test func `an entry that the person moved is still the one of the file`() throws {
    let daily = file(["DTSTART:20261124T090000Z", "RRULE:FREQ=DAILY;COUNT=3"])
    let known = try entries(daily)
    for index in known.indices {
      var moved = known
      moved[index].start += 2.5 * 86_400
      #expect(try entries(daily, known: moved) == known)
    }
  }

  @Test func `an instance that the file moved is known with the event or without it`() throws {
    func moved(_ time: String) -> String {
      file(
        ["DTSTART:20261124T\(time)Z", "RRULE:FREQ=DAILY;COUNT=3"],
        ["RECURRENCE-ID:20261124T\(time)Z", "DTSTART:20261125T150000Z"],
        ["RECURRENCE-ID:20261210T090000Z", "DTSTART:20261126T150000Z"])
    }
    let known = try entries(moved("090000"))
    try expect(moved("090000"), known: known, named: known.map(\.uri))
    try expect(moved("093000"), known: known, named: known.map(\.uri))
  }

  @Test func `instances have a bound, and what is left out is counted`() throws {
    let (daily, left) = try Planner.calendar(file(["DTSTART:20261124T090000Z", "RRULE:FREQ=DAILY;COUNT=1005"]))
    // Two years from the reader's clock, which is in November 2026.
    #expect(daily.count + left.recurrences == 1005 && daily.count > 700 && left.endless == 0)
    let (old, lost) = try Planner.calendar(file(["DTSTART:20200101T090000Z", "RRULE:FREQ=DAILY;UNTIL=20240101"]))
    #expect(old.count == 1000 && lost.recurrences == 462)
    let (endless, more) = try Planner.calendar(file(["DTSTART:20261124T090000Z", "RRULE:FREQ=YEARLY"]))
    #expect(endless.count == 2 && more.endless == 1 && more.recurrences == 0)
    let (odd, unread) = try Planner.calendar(file(["DTSTART:20261124T090000Z", "RRULE:FREQ=SECONDLY"]))
    #expect(odd.count == 1 && unread.rules == 1)
  }

  @Test func `a rule that never comes true, and many of them, come to an end`() throws {
    let never = ["DTSTART:20261124T090000Z", "RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31"]
    let (found, _) = try Planner.calendar(file(never, never, never))
    #expect(found.count == 3)
  }

  @Test func `a zone that the system does not know is the one that the file describes`() throws {
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD", "DTSTART:16010101T030000",
      "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD",
      "BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
      "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE",
    ]
    for (time, expected) in [("20260704T100000", "2026-07-04T08:00"), ("20261124T100000", "2026-11-24T09:00")] {
      let text = file(["DTSTART;TZID=Customized Time Zone:\(time)"], before: zone)
      let (readings, left) = try Planner.calendar(text)
      guard case .entry(let entry)? = readings.first else {
        Issue.record("no entry at \(time)")
        continue
      }
      #expect(UTC.text(entry.start).hasPrefix(expected) && left.zones.isEmpty)
    }
  }

  @Test func `added periods have ends of their own`() throws {
    let found = try entries(
      file([
        "DTSTART:20260101T080000Z", "DTEND:20260101T081500Z", "RDATE:20260102T080000Z",
        "RDATE;VALUE=PERIOD:20260103T090000Z/PT2H,20260105T080000Z/20260105T083000Z",
      ]))
    #expect(found.map { $0.finish?.timeIntervalSince($0.start) } == [900, 900, 7200, 1800])
  }

  @Test func `what a newer calendar cancels is counted, as it stays`() throws {
    let series = ["DTSTART:20261124T090000Z", "RRULE:FREQ=DAILY;COUNT=4"]
    let known = try entries(file(series))
    let cancelled = ["RECURRENCE-ID:20261126T090000Z", "DTSTART:20261126T090000Z", "STATUS:CANCELLED"]
    for (text, count) in [
      (file(series), 0), (file(series, cancelled), 1), (file(cancelled), 1),
      (file(series + ["EXDATE:20261125T090000Z,20261127T090000Z"]), 2), (file(series + ["STATUS:CANCELLED"]), 4),
    ] {
      #expect(try Planner.calendar(text, known: known).leftOut.stale == count)
    }
  }

  @Test func `a calendar in UTF-16, and an event alone, are read`() throws {
    let text = file(["DTSTART:20261124T090000Z", "DESCRIPTION:Жд 🐈"])
    let (readings, _) = try Planner.calendar("\u{FEFF}" + text, utf16: true)
    #expect(readings == (try Planner.calendar(text).readings) && readings.count == 1)
    let bare = "BEGIN:VEVENT\nUID:1\nSUMMARY:Walk\nDTSTART:20261124T090000Z\nEND:VEVENT\n"
    #expect(try entries(bare).map(\.name) == ["Walk"])
    #expect(TransferFormat.recognized(Array(bare.utf8)) == .ics)
    let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(TransferFormat.recognized([0xFF, 0xFE] + wide) == .ics)
  }
}
