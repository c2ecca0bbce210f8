import Foundation
import MediaLibrary
import Posts
import Terminal
import Testing

@testable import Browse

/// The hours of a day in the calendar: entries as blocks, and the cursor that goes through them.
struct DayTableTests {
  /// An entry on 20 November 2026, its hours counted from midnight.
  private static func entry(_ id: Int64, _ title: String, _ start: Double, _ end: Double) -> ListRow {
    let midnight = Date(timeIntervalSince1970: 1_795_132_800)
    var row = ListRow(id: id, name: "You", createdAt: midnight + start * 3600, caption: "")
    row.title = SafeText(title)
    row.endsAt = midnight + end * 3600
    return row
  }

  private static let day = [
    entry(1, "Trip to the sea", -30, 9.5), entry(2, "Dentist", 14.5, 16 + 1 / 6.0), entry(3, "Call", 14.75, 15.25),
    entry(4, "Cinema", 22, 25), entry(5, "Tea", 16.5, 16.5),
  ]

  /// A tester with an open calendar that has these entries, in which keys go to the hours.
  private func tester(_ columns: Int = 80, _ rows: Int = 40, _ entries: [ListRow] = day) throws -> ScreenTester {
    var tester = try ScreenTester(columns, rows)
    _ = tester.done()
    tester.press(.character("c"), .enter)
    tester.send(.calendar(try tester.counted(entries)))
    return tester
  }

  private func row(_ label: String, _ tester: ScreenTester) -> String {
    tester.lines.first { $0.contains(label) }?.components(separatedBy: "│").last ?? ""
  }

  @Test func `an entry fills every hour that it covers, with its name and times`() throws {
    let tester = try tester()
    #expect(row("00:00–01:00", tester) == " 00:00–01:00 ▸18 Nov 18:00 – 20 Nov 09:30")
    #expect(row("01:00–02:00", tester) == " 01:00–02:00 ▎Trip to the sea")
    for hour in 2...9 { #expect(row("0\(hour):00–", tester).hasSuffix("▎")) }
    #expect(row("10:00–11:00", tester) == " 10:00–11:00")
    #expect(row("14:00–15:00", tester) == " 14:00–15:00 ▎14:30–16:10      ▎14:45–15:15 Call")
    #expect(row("15:00–16:00", tester) == " 15:00–16:00 ▎Dentist          ▎")
    #expect(row("16:00–17:00", tester) == " 16:00–17:00 ▎")
    #expect(row("22:00–23:00", tester) == " 22:00–23:00 ▎20 Nov 22:00 – 21 Nov 01:00 Cinema")
    #expect(row("23:00–24:00", tester) == " 23:00–24:00 ▎")
    // An entry without a length stands in its hour as a post does.
    #expect(tester.lines.contains { $0.contains(" 16:30  You ") && $0.hasSuffix(" Tea") })
  }

  @Test func `the month counts an entry on every day that it covers, and the day counts it once`() throws {
    let tester = try tester()
    let calendar = try #require(tester.screen.calendar)
    #expect(calendar.days[17...20].map { calendar.counts[$0.start] } == [1, 1, 5, 1].map(Total.exactly))
    #expect(calendar.table.total == .exactly(5))
    #expect(calendar.total == .exactly(5))
  }

  @Test func `the cursor stops at everything that begins, and at hours in which nothing does`() throws {
    var tester = try tester()
    let stops = { (tester: ScreenTester) in tester.screen.calendar.map { ($0.table.hour, $0.table.selected) } }
    #expect(stops(tester)?.0 == 0 && stops(tester)?.1 == 1)
    tester.press(.down)
    #expect(stops(tester)?.0 == 1 && stops(tester)?.1 == nil)
    for _ in 0..<13 { tester.press(.down) }
    #expect(stops(tester)?.0 == 14 && stops(tester)?.1 == 2)
    tester.press(.down)
    #expect(stops(tester)?.0 == 14 && stops(tester)?.1 == 3)
    tester.press(.down, .enter)
    // Nothing begins at three: the entry that covers the hour is read.
    #expect(tester.screen.mode == .post(0))
    #expect(tester.screen.selectedPost?.id == 2)
  }

  @Test func `the hours go on with those of the next day, and before the first with those of the day before`() throws {
    var tester = try tester()
    tester.press(.end, .end, .down)
    #expect(tester.text.contains("21 November 2026"))
    tester.send(.calendar(try tester.counted(Self.day)))
    #expect(tester.screen.calendar?.table.hour == 0)
    #expect(tester.screen.calendar?.table.selected == 4)
    tester.press(.up)
    tester.send(.calendar(try tester.counted(Self.day)))
    #expect(tester.screen.calendar.map { tester.screen.localCalendar.number($0.day) } == 20)
    #expect(tester.screen.calendar?.table.hour == 23)
    // A page goes to the end of the day first.
    tester.press(.home, .pageDown)
    #expect(tester.screen.calendar?.table.hour == 23)
    tester.press(.pageDown)
    #expect(tester.screen.calendar?.table.hour == 0)
  }

  @Test func `the table follows the day that is chosen in the month`() throws {
    var tester = try tester()
    tester.press(.escape, .right)
    tester.send(.calendar(try tester.counted(Self.day)))
    #expect(row("00:00–01:00", tester) == " 00:00–01:00 ▎20 Nov 22:00 – 21 Nov 01:00 Cinema")
    #expect(tester.screen.calendar?.isInDay == false)
  }

  @Test func `more entries at once than the screen has room for are continued below`() throws {
    let entries = (1...7).map { Self.entry(Int64($0), "Talk \($0)", 9, 10) }
    let tester = try tester(60, 20, entries)
    let first = try #require(tester.lines.firstIndex { $0.contains("09:00–10:00") })
    let shown = tester.lines[first...(first + 2)].joined()
    #expect(shown.components(separatedBy: "09:00–10:00").count == 9)
    #expect(tester.lines[first + 3].contains("10:00–11:00"))
    #expect(tester.lines.allSatisfy { TextWidth.of($0) <= 60 })
  }

  @Test(arguments: [(20, 6), (30, 12), (44, 20), (50, 26), (71, 19), (72, 12), (80, 24), (200, 50)])
  func `every size shows the selected entry`(columns: Int, rows: Int) throws {
    var tester = try tester(columns, rows)
    for _ in 0..<40 {
      #expect(tester.lines.contains { $0.contains("▸") || $0.contains("▌") }, "\(tester.text)")
      tester.press(.down)
      if tester.screen.calendar?.table.isRead == false { tester.send(.calendar(try tester.counted(Self.day))) }
    }
  }
}
