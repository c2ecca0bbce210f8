import Foundation
import Machine
import Posts
import PropertyTesting
import Testing
import Transfer

@Suite struct ICalendarTests {
  private func event(_ lines: String..., zone: TimeZone = .gmt) throws -> CalendarEntry {
    let text = file(["UID:1", "SUMMARY:Walk"] + lines)
    let (readings, _) = try Planner.calendar(text, zone: zone)
    guard readings.count == 1, case .entry(let entry) = readings[0] else {
      throw Unexpected(readings: readings)
    }
    return entry
  }

  private struct Unexpected: Error { let readings: [EntryReading] }

  private func file(_ lines: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR", ""])
      .joined(separator: "\r\n")
  }

  private func moment(_ text: String) -> Date? { UTC.date(text) }

  @Test func `an event's time is read in its zone`() throws {
    #expect(try event("DTSTART:20261124T090000Z").start == moment("2026-11-24T09:00:00Z"))
    #expect(try event("DTSTART;TZID=Europe/Berlin:20261124T090000").start == moment("2026-11-24T08:00:00Z"))
    #expect(try event("DTSTART;TZID=\"America/New_York\":20260704T090000").start == moment("2026-07-04T13:00:00Z"))
    let path = "DTSTART;TZID=/citadel.org/20211207_1/Europe/Berlin:20260704T090000"
    #expect(try event(path).start == moment("2026-07-04T07:00:00Z"))
    #expect(try event("DTSTART;TZID=W. Europe Standard Time:20260704T090000").start == moment("2026-07-04T07:00:00Z"))
    let east = try #require(TimeZone(secondsFromGMT: 7200))
    #expect(try event("DTSTART:20261124T090000", zone: east).start == moment("2026-11-24T07:00:00Z"))
  }

  @Test(arguments: [
    "DTSTART:20261124T090000", "DTSTART;VALUE=DATE:20261124", "DTSTART;TZID=Nowhere/Known:20261124T090000",
  ])
  func `an event without a UID and a zone has one identity, wherever it is read`(line: String) throws {
    let entries = try [-36_000, 0, 43_200].map { offset in
      let zone = try #require(TimeZone(secondsFromGMT: offset))
      let (readings, _) = try Planner.calendar(file(["SUMMARY:Walk", line]), zone: zone)
      guard case .entry(let entry)? = readings.first else { throw Unexpected(readings: readings) }
      return entry
    }
    #expect(Set(entries.map(\.uri)).count == 1)
    #expect(entries.map(\.formerURI) == entries.map { "urn:ical:\(UTC.text($0.start)) Walk" })
  }

  @Test func `an event ends at its end, after its duration, or with its day`() throws {
    let start = "DTSTART;TZID=Europe/Berlin:20260328T120000"
    let end = "DTEND;TZID=Europe/London:20260328T120000"
    #expect(try event(start, end).finish == moment("2026-03-28T12:00:00Z"))
    // The clocks change in the night: a day is then 23 hours.
    #expect(try event(start, "DURATION:P1D").finish == moment("2026-03-29T10:00:00Z"))
    #expect(try event(start, "DURATION:PT24H").finish == moment("2026-03-29T11:00:00Z"))
    #expect(try event(start, "DURATION:P1W").finish == moment("2026-04-04T10:00:00Z"))
    #expect(try event(start).finish == nil)
    let day = try event("DTSTART;VALUE=DATE:20261124")
    #expect(day.start == moment("2026-11-24T00:00:00Z") && day.finish == moment("2026-11-25T00:00:00Z"))
  }

  @Test func `an event's words lose folds and escapes`() throws {
    let entry = try event(
      "DTSTART:20261124T090000Z", "DESCRIPTION;LANGUAGE=en;ALTREP=\"cid:x;y:z\":one\\, two\\;",
      " \\nthree\\\\n", "\t four", "CATEGORIES:Work,two words", "CATEGORIES:work,a\\,b", "LOCATION:Here",
      "X-MADE-UP;A=B:ignored", "URL:https://cats.example/1")
    #expect(entry.text == "one, two;\nthree\\n four\n\nLocation: Here")
    #expect(entry.tags == ["work", "two_words", "a,b"])
    #expect(entry.url == "https://cats.example/1")
    #expect(entry.uri == "urn:ical:1")
  }

  @Test func `an event's files are links and bytes`() throws {
    let entry = try event(
      "DTSTART:20261124T090000Z", "ATTACH;FMTTYPE=image/png:https://cats.example/1.png", "ATTACH:cid:1@cats.example",
      "ATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=\"a^'b.txt\":Y2F0cw==")
    #expect(
      entry.files == [
        .link("https://cats.example/1.png", mediaType: "image/png"),
        .bytes(Array("cats".utf8), mediaType: nil, name: "a\"b.txt"),
      ])
  }

  @Test func `what is no single event is counted`() throws {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:Europe/Berlin
      BEGIN:STANDARD
      DTSTART:16010101T030000
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VTODO
      SUMMARY:Buy milk
      END:VTODO
      BEGIN:VEVENT
      UID:a
      DTSTART;TZID=Middle-earth/Shire:20261124T090000
      RRULE:FREQ=WEEKLY
      BEGIN:VALARM
      DESCRIPTION:Not the event's
      END:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:a
      RECURRENCE-ID:20261201T090000Z
      DTSTART:20261201T100000Z
      END:VEVENT
      BEGIN:VEVENT
      UID:b
      STATUS:CANCELLED
      DTSTART:20261201T100000Z
      END:VEVENT
      BEGIN:VEVENT
      UID:c
      END:VEVENT
      END:VCALENDAR
      """
    let (readings, leftOut) = try Planner.calendar(text)
    // The event that cannot be read comes at once, and the instances of a recurring one at the end.
    let entries = readings.dropFirst()
    #expect(entries.allSatisfy { if case .entry = $0 { true } else { false } })
    let first = CalendarEntry(uri: "urn:ical:a", start: try #require(moment("2026-11-24T09:00:00Z")), name: "Untitled")
    #expect(entries.first == .entry(first))
    let changed = CalendarEntry(
      uri: "urn:ical:a#20261201T090000", start: try #require(moment("2026-12-01T10:00:00Z")), name: "Untitled")
    #expect(entries.dropFirst().first == .entry(changed))
    var expected = ICalendarReader.LeftOut()
    (expected.endless, expected.tasks, expected.alarms, expected.cancelled) = (1, 1, 1, 1)
    expected.zones = ["Middle-earth/Shire"]
    #expect(leftOut == expected)
  }

  @Test func `a zone may be described after the events that name it`() throws {
    let zone = ["STANDARD", "TZOFFSETFROM:+0530", "TZOFFSETTO:+0530", "DTSTART:19700101T000000"]
    let described =
      ["BEGIN:VTIMEZONE", "TZID:Ours", "BEGIN:\(zone[0])"] + zone[1...] + ["END:\(zone[0])", "END:VTIMEZONE"]
    let one = ["BEGIN:VEVENT", "UID:1", "SUMMARY:Walk", "DTSTART;TZID=Ours:20261124T090000", "END:VEVENT"]
    let other = ["BEGIN:VEVENT", "UID:2", "SUMMARY:Run", "DTSTART;TZID=Theirs:20261124T090000", "END:VEVENT"]
    let text = (["BEGIN:VCALENDAR"] + one + other + described + ["END:VCALENDAR", ""]).joined(separator: "\n")
    let (readings, leftOut) = try Planner.calendar(text)
    let starts = readings.compactMap { reading -> Substring? in
      if case .entry(let entry) = reading { UTC.text(entry.start).prefix(16) } else { nil }
    }
    #expect(starts == ["2026-11-24T03:30", "2026-11-24T09:00"])
    #expect(leftOut.zones == ["Theirs"])
  }

  @Test(arguments: [
    ("", ICalendarError.empty), ("[1]", .notACalendar), ("BEGIN:VCARD\nEND:VCARD", .notACalendar),
    ("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", .truncated), ("BEGIN:VCALENDAR\nEND:VEVENT\n", .misplacedEnd("VEVENT")),
  ])
  func `what is no calendar is refused`(text: String, error: ICalendarError) {
    #expect(throws: error) { try Planner.calendar(text) }
  }

  @Test func `a line is folded at 75 octets, between characters`() {
    let entry = CalendarEntry(
      uri: "urn:ical:1", start: Date(timeIntervalSince1970: 0), name: String(repeating: "猫🐈é", count: 30))
    let bytes = ICalendarWriter(zone: .gmt, version: "1").write(entry, changed: Date(timeIntervalSince1970: 0))
    let lines = bytes.split(separator: 0x0A)
    #expect(lines.allSatisfy { $0.count <= 76 && $0.last == 0x0D })
    #expect(lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
  }

  @Test(arguments: PropertyTest.seeds(sample: 30, whole: 3000))
  func `any calendar is read back as it was written`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let zone = try #require(TimeZone(secondsFromGMT: dice.below(25) * 3600 - 43_200))
    let entries = (0..<dice.below(12)).map { index in
      var entry = Planner.entry(uri: ["urn:ical:\(index)", "urn:diary:\(index)"][index % 2], &dice)
      // Carriage returns and white space around a name are not kept by any calendar.
      entry.name = "n\(entry.name)n"
      entry.tags = (0..<dice.below(3)).map { "tag\($0)" }
      if dice.below(4) == 0 {
        let midnight = (entry.start.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
        entry.start = Date(timeIntervalSince1970: midnight - Double(zone.secondsFromGMT()))
        entry.finish = entry.start.addingTimeInterval(86_400)
      }
      if dice.below(4) == 0 {
        entry.files = [
          .bytes((0...dice.below(300)).map { UInt8($0 & 255) }, mediaType: "image/png", name: "^a;b:\"c.png"),
          .link("https://cats.example/\(index),x;y", mediaType: nil),
        ]
      }
      return entry
    }
    let writer = ICalendarWriter(zone: zone, version: "1")
    let bytes = writer.begin() + entries.flatMap { writer.write($0, changed: $0.start) } + writer.end()
    let (readings, leftOut) = try Planner.calendar(String(decoding: bytes, as: UTF8.self), zone: zone)
    #expect(readings == entries.map { .entry($0) }, "seed \(seed)")
    #expect(leftOut == ICalendarReader.LeftOut(), "seed \(seed)")
  }
}
