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

  /// A stage with an open calendar that has these entries, in which keys go to the hours.
  private func stage(_ columns: Int = 80, _ rows: Int = 40, _ entries: [ListRow] = day) throws -> Stage {
    var stage = try Stage(columns, rows)
    _ = stage.done()
    stage.press(.character("c"), .enter)
    stage.send(.calendar(try stage.counted(entries)))
    return stage
  }

  private func row(_ label: String, _ stage: Stage) -> String {
    stage.lines.first { $0.contains(label) }?.components(separatedBy: "│").last ?? ""
  }

  @Test func `an entry fills every hour that it covers, with its name and times`() throws {
    let stage = try stage()
    #expect(row("00:00–01:00", stage) == " 00:00–01:00 ▸18 Nov 18:00 – 20 Nov 09:30")
    #expect(row("01:00–02:00", stage) == " 01:00–02:00 ▎Trip to the sea")
    for hour in 2...9 { #expect(row("0\(hour):00–", stage).hasSuffix("▎")) }
    #expect(row("10:00–11:00", stage) == " 10:00–11:00")
    #expect(row("14:00–15:00", stage) == " 14:00–15:00 ▎14:30–16:10      ▎14:45–15:15 Call")
    #expect(row("15:00–16:00", stage) == " 15:00–16:00 ▎Dentist          ▎")
    #expect(row("16:00–17:00", stage) == " 16:00–17:00 ▎")
    #expect(row("22:00–23:00", stage) == " 22:00–23:00 ▎20 Nov 22:00 – 21 Nov 01:00 Cinema")
    #expect(row("23:00–24:00", stage) == " 23:00–24:00 ▎")
    // An entry without a length stands in its hour as a post does.
    #expect(stage.lines.contains { $0.contains(" 16:30  You ") && $0.hasSuffix(" Tea") })
  }

  @Test func `the month counts an entry on every day that it covers, and the day counts it once`() throws {
    let stage = try stage()
    let calendar = try #require(stage.screen.calendar)
    #expect(calendar.days[17...20].map { calendar.counts[$0.start] } == [1, 1, 5, 1].map(Total.exactly))
    #expect(calendar.table.total == .exactly(5))
    #expect(calendar.total == .exactly(5))
  }

  @Test func `the cursor stops at everything that begins, and at hours in which nothing does`() throws {
    var stage = try stage()
    let stops = { (stage: Stage) in stage.screen.calendar.map { ($0.table.hour, $0.table.selected) } }
    #expect(stops(stage)?.0 == 0 && stops(stage)?.1 == 1)
    stage.press(.down)
    #expect(stops(stage)?.0 == 1 && stops(stage)?.1 == nil)
    for _ in 0..<13 { stage.press(.down) }
    #expect(stops(stage)?.0 == 14 && stops(stage)?.1 == 2)
    stage.press(.down)
    #expect(stops(stage)?.0 == 14 && stops(stage)?.1 == 3)
    stage.press(.down, .enter)
    // Nothing begins at three: the entry that covers the hour is read.
    #expect(stage.screen.mode == .post(0))
    #expect(stage.screen.selectedPost?.id == 2)
  }

  @Test func `the hours go on with those of the next day, and before the first with those of the day before`() throws {
    var stage = try stage()
    stage.press(.end, .end, .down)
    #expect(stage.text.contains("21 November 2026"))
    stage.send(.calendar(try stage.counted(Self.day)))
    #expect(stage.screen.calendar?.table.hour == 0)
    #expect(stage.screen.calendar?.table.selected == 4)
    stage.press(.up)
    stage.send(.calendar(try stage.counted(Self.day)))
    #expect(stage.screen.calendar.map { stage.screen.almanac.number($0.day) } == 20)
    #expect(stage.screen.calendar?.table.hour == 23)
    // A page goes to the end of the day first.
    stage.press(.home, .pageDown)
    #expect(stage.screen.calendar?.table.hour == 23)
    stage.press(.pageDown)
    #expect(stage.screen.calendar?.table.hour == 0)
  }

  @Test func `the table follows the day that is chosen in the month`() throws {
    var stage = try stage()
    stage.press(.escape, .right)
    stage.send(.calendar(try stage.counted(Self.day)))
    #expect(row("00:00–01:00", stage) == " 00:00–01:00 ▎20 Nov 22:00 – 21 Nov 01:00 Cinema")
    #expect(stage.screen.calendar?.isInDay == false)
  }

  @Test func `more entries at once than the screen has room for are continued below`() throws {
    let entries = (1...7).map { Self.entry(Int64($0), "Talk \($0)", 9, 10) }
    let stage = try stage(60, 20, entries)
    let first = try #require(stage.lines.firstIndex { $0.contains("09:00–10:00") })
    let shown = stage.lines[first...(first + 2)].joined()
    #expect(shown.components(separatedBy: "09:00–10:00").count == 9)
    #expect(stage.lines[first + 3].contains("10:00–11:00"))
    #expect(stage.lines.allSatisfy { TextWidth.of($0) <= 60 })
  }

  @Test(arguments: [(20, 6), (30, 12), (44, 20), (50, 26), (71, 19), (72, 12), (80, 24), (200, 50)])
  func `every size shows the selected entry`(columns: Int, rows: Int) throws {
    var stage = try stage(columns, rows)
    for _ in 0..<40 {
      #expect(stage.lines.contains { $0.contains("▸") || $0.contains("▌") }, "\(stage.text)")
      stage.press(.down)
      if stage.screen.calendar?.table.isRead == false { stage.send(.calendar(try stage.counted(Self.day))) }
    }
  }
}
