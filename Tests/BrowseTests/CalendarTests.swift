import Foundation
import MediaLibrary
import Posts
import Terminal
import Testing

@testable import Browse

/// The calendar: its days, keys and screens.
struct CalendarTests {
  private static let berlin = TimeZone(identifier: "Europe/Berlin")!

  /// A stage with an open calendar whose month is counted.
  private func stage(_ columns: Int = 80, _ rows: Int = 24, zone: TimeZone = .gmt) throws -> Stage {
    var stage = try Stage(columns, rows, zone: zone)
    _ = stage.done()
    stage.press(.character("c"))
    stage.send(.calendar(try stage.counted()))
    return stage
  }

  /// The same with the selected day open.
  private func opened(_ columns: Int = 80, _ rows: Int = 24) throws -> Stage {
    var stage = try stage(columns, rows)
    stage.press(.enter)
    stage.send(.calendar(try stage.counted()))
    return stage
  }

  // MARK: Days

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29", 23), ("Europe/Berlin", "2026-10-25", 25), ("Europe/Berlin", "2026-11-21", 24),
    ("Asia/Kolkata", "2026-10-25", 24), ("Australia/Lord_Howe", "2026-04-05", 25),
    ("Australia/Lord_Howe", "2026-10-04", 24), ("UTC", "2028-02-29", 24),
  ])
  func `a day has the hours that a clock shows`(zone: String, day: String, count: Int) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let almanac = LocalCalendar(zone: zone)
    let noon = try Date("\(day)T12:00:00Z", strategy: .iso8601)
    let whole = almanac.day(of: noon - Double(zone.secondsFromGMT(for: noon)))
    let hours = almanac.hours(of: whole)
    #expect(hours.count == count)
    #expect(hours.first?.start == whole.start)
    #expect(hours.last?.end == whole.end)
    for (hour, next) in zip(hours, hours.dropFirst()) { #expect(hour.end == next.start) }
    #expect(almanac.time(whole.start) == "00:00")
    // A clock change of half an hour starts an hour there.
    #expect(hours.filter { !almanac.time($0.start).hasSuffix(":00") }.count <= 1)
    for hour in hours { #expect(almanac.time(hour.start).prefix(2) == almanac.time(hour.end - 1).prefix(2)) }
  }

  @Test(arguments: ["Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "America/Santiago", "UTC"])
  func `a month's days follow each other without a hole, and steps go to the next of them`(zone: String) throws {
    let almanac = LocalCalendar(zone: try #require(TimeZone(identifier: zone)))
    var day = almanac.day(of: Date(timeIntervalSince1970: 1_767_268_800))
    for _ in 0..<14 {
      let days = almanac.days(ofMonthOf: day)
      #expect((28...31).contains(days.count))
      #expect(days.map(almanac.number) == Array(1...days.count))
      for (one, next) in zip(days, days.dropFirst()) {
        #expect(one.end == next.start)
        #expect(almanac.day(1, after: one) == next)
        #expect(almanac.day(-1, after: next) == one)
        #expect((almanac.weekday(one) + 1) % 7 == almanac.weekday(next))
      }
      day = almanac.month(1, after: day)
    }
  }

  @Test func `a month on from its last day is the last day of a shorter one`() throws {
    let almanac = LocalCalendar(zone: Self.berlin)
    let last = almanac.day(of: try Date("2026-01-31T12:00:00Z", strategy: .iso8601))
    #expect(almanac.number(almanac.month(1, after: last)) == 28)
    #expect(almanac.month(of: almanac.month(-1, after: last)) == "December 2025")
  }

  @Test func `days after a skipped one stand below their weekdays`() throws {
    let almanac = LocalCalendar(zone: try #require(TimeZone(identifier: "Pacific/Apia")))
    let page = CalendarScreen(almanac, at: try Date("2011-12-20T12:00:00Z", strategy: .iso8601))
    #expect(page.days.map(almanac.number) == Array(1...29) + [31])
    let layout = MonthLayout(columns: 80, rows: 20, weekdays: page.weekdays, showing: 0)
    #expect(layout.cells.count == 30)
    for cell in layout.cells { #expect(cell.column == layout.column(almanac.weekday(page.days[cell.day]))) }
    // Thursday the 29th and Saturday the 31st share a week, below the four before.
    #expect(layout.cells[28].row == layout.cells[29].row)
    #expect(Set(layout.cells.map(\.row)).count == 5)
  }

  // MARK: Keys

  @Test func `the calendar asks for the days of the month of the selected post`() throws {
    var stage = try Stage()
    _ = stage.done()
    stage.press(.end, .character("c"))
    guard case .calendar(let ask)? = stage.done().last else {
      Issue.record("nothing is asked")
      return
    }
    #expect(ask.intervals.count == 30)
    #expect(ask.rows == 0)
    #expect(ask.intervals.allSatisfy { $0.duration == 86_400 })
    stage.press(.right)
    #expect(stage.done() == [])
    stage.press(.pageDown)
    #expect(stage.done().count == 1)
    #expect(stage.text.contains("December 2026"))
    stage.press(.character("t"))
    #expect(stage.text.contains("November 2026"))
    stage.press(.escape)
    #expect(stage.screen.mode == .list)
    #expect(stage.screen.list.selected == 1)
  }

  @Test func `arrows go by days and weeks, into other months too`() throws {
    var stage = try stage()
    let almanac = stage.screen.almanac
    let day = { (stage: Stage) in stage.screen.calendar.map { almanac.number($0.day) } }
    stage.press(.left)
    #expect(day(stage) == 19)
    stage.press(.down)
    #expect(day(stage) == 26)
    _ = stage.done()
    stage.press(.down)
    #expect(day(stage) == 3)
    #expect(stage.done().count == 1)
    stage.press(.up, .home)
    #expect(day(stage) == 1)
    stage.press(.up)
    #expect(day(stage) == 25)
    #expect(stage.text.contains("October 2026"))
  }

  @Test func `a day, its posts and the way back`() throws {
    var stage = try opened()
    #expect(stage.text.contains("▌"))
    stage.press(.down, .enter)
    #expect(stage.screen.mode == .post(0))
    let first = stage.screen.selectedPost?.id
    #expect(stage.text.contains("Post \(first ?? 0) of the cats"))
    stage.press(.right)
    #expect(stage.screen.selectedPost?.id == first.map { $0 + 1 })
    stage.press(.character("d"))
    #expect(stage.done().last == first.map { .delete([$0 + 1]) })
    stage.press(.escape)
    #expect(stage.screen.mode == .calendar)
    #expect(stage.screen.calendar?.opened?.row?.id == first.map { $0 + 1 })
    stage.press(.escape)
    #expect(stage.text.contains("Monday"))
    stage.press(.escape)
    #expect(stage.screen.mode == .list)
    #expect(stage.screen.list.selected == 12)
  }

  @Test func `changed days are read again, and the selection stays or moves to the nearest`() throws {
    var stage = try opened()
    stage.press(.down)
    let before = try stage.counted()
    let selected = try #require(stage.screen.calendar?.opened?.selected)
    _ = stage.done()
    stage.send(.changed)
    #expect(stage.done() == [.calendar(CalendarRequest(before.map(\.interval), rows: 200))])
    var after = before
    for hour in after.indices where after[hour].rows.contains(where: { $0.id == selected }) {
      after[hour] = CalendarReading(after[hour].interval, count: .exactly(0))
    }
    stage.send(.calendar(after))
    #expect(stage.screen.calendar?.opened?.selected == selected + 1)
    stage.press(.enter)
    stage.send(.calendar(before.map { CalendarReading($0.interval, count: .exactly(0)) }))
    #expect(stage.screen.mode == .calendar)
    stage.press(.down, .up, .enter, .pageDown, .end)
    #expect(stage.screen.mode == .calendar)
  }

  @Test func `an answer to what was asked before is let go`() throws {
    var stage = try stage()
    let old = try stage.counted()
    stage.press(.pageDown)
    stage.send(.calendar(old))
    #expect(stage.screen.calendar?.total == nil)
    stage.press(.enter)
    stage.send(.calendar(old))
    #expect(stage.screen.calendar?.opened?.isRead == false)
  }

  @Test func `days and posts are clicked`() throws {
    var stage = try stage()
    stage.send(.input(.mouse(Mouse(.press, row: 4, column: 70))))
    #expect(stage.screen.calendar.map { stage.screen.almanac.number($0.day) } == 1)
    stage.send(.input(.mouse(Mouse(.press, row: 4, column: 70))))
    #expect(stage.screen.calendar?.opened != nil)
    stage.send(.input(.mouse(Mouse(.press, row: 4, column: 70))), .input(.mouse(Mouse(.wheelDown, row: 4, column: 7))))
    #expect(stage.screen.mode == .calendar)
    for row in 0..<24 { stage.send(.input(.mouse(Mouse(.press, row: row, column: row * 3)))) }
  }

  // MARK: Screens

  @Test func `a month of weeks`() throws {
    #expect(
      try stage(80, 24).text == """
         #cats  mastodon.social  12 posts                                   refreshing…
        ────────────────────────────────────────────────────────────────────────────────
         November 2026 · 12 posts                                  Friday 20 · 10 posts
         Monday     Tuesday    Wednesday  Thursday   Friday     Saturday   Sunday
                                                                            1


          2          3          4          5          6          7          8


          9         10         11         12         13         14         15


         16         17         18         19         20         21         22
                                          2 posts    10 posts

         23         24         25         26         27         28         29


         30



         Enter day  ← ↑ ↓ → choose  PgUp PgDn month  t today  Esc back
        """)
  }

  @Test func `a month on a narrow screen`() throws {
    #expect(
      try stage(40, 12).text == """
         #cats  12 posts            refreshing…
        ────────────────────────────────────────
         November 2026        Fri 20 · 10 posts
         Mon  Tue  Wed  Thu  Fri  Sat  Sun
                                        1
          2    3    4    5    6    7    8
          9   10   11   12   13   14   15
         16   17   18   19▁  20█  21   22
         23   24   25   26   27   28   29
         30

         Enter day  ← ↑ ↓ → choose
        """)
  }

  @Test(arguments: [
    (10, false, [2, 10], ["2 posts", "10 posts"]), (6, false, [2, 10], ["2", "10"]),
    (2, false, [2, 100], ["▁", "█"]), (4, true, [1, 2], ["▃", "█"]), (6, true, [2, 10], ["2", "10"]),
    (6, true, [25, 50, 75, 100], ["▁", "▃", "▅", "█"]), (3, true, [7], ["█"]),
  ])
  func `all days of a month show their posts in one form, in numbers where all of them fit`(
    width: Int, isBeside: Bool, counts: [Int], text: [String]
  ) {
    let totals = counts.map(Total.exactly)
    let marks = DayMarks(totals, width: width, isBeside: isBeside)
    #expect(totals.map(marks.text) == text)
    #expect(text.allSatisfy { marks.column + TextWidth.of($0) <= width })
  }

  @Test func `a month on the smallest screen`() throws {
    #expect(
      try stage(20, 5).text == """
         #cats  refreshing…
         Nov     Fri 20: 10
         9 10 11 12 13 14 15
        16 17 18 19 20 21 22
         Enter day
        """)
  }

  @Test func `a day of hours`() throws {
    #expect(
      try opened(60, 20).text == """
         #cats  mastodon.social  12 posts               refreshing…
        ────────────────────────────────────────────────────────────
         Today                                             10 posts
         00:00 ▌00:00  Birds & Bees       Post 3 of the cats in th…
         01:00  01:00  Birds & Bees       Post 4 of the cats in th…
         02:00  02:00  Birds & Bees       Post 5 of the cats in th…
         03:00  03:00  Birds & Bees       Post 6 of the cats in th…
         04:00  04:00  Birds & Bees       Post 7 of the cats in th…
         05:00  05:00  Birds & Bees       Post 8 of the cats in th…
         06:00  06:00  Birds & Bees       Post 9 of the cats in th…
         07:00  07:00  Birds & Bees       Post 10 of the cats in t…
         08:00  08:00  Birds & Bees       Post 11 of the cats in t…
         09:00  09:00  Birds & Bees       Post 12 of the cats in t…
         10:00
         11:00
         12:00
         13:00
         14:00

         Enter whole  ↑ ↓ choose  ← → days  Esc month
        """)
  }

  @Test func `the clock that is set back shows an hour twice`() throws {
    var stage = try Stage(80, 40, posts: [], zone: Self.berlin)
    stage.send(.time(try Date("2026-10-25T12:00:00Z", strategy: .iso8601)))
    stage.press(.character("c"), .enter)
    #expect(stage.lines[3...7].map { $0 } == [" 00:00", " 01:00", " 02:00", " 02:00*", " 03:00"])
  }

  @Test func `more posts of an hour than are shown are counted`() throws {
    var stage = try opened(80, 40)
    var readings = try stage.counted()
    let hour = try #require(readings.firstIndex { !$0.rows.isEmpty })
    readings[hour].count = .exactly(1234)
    stage.send(.calendar(readings))
    #expect(stage.text.contains("1233 posts before these"))
    readings[hour].count = .moreThan(10_000)
    stage.send(.calendar(readings))
    #expect(stage.text.contains("more than 9999 posts before these"))
  }

  @Test(arguments: [(5, "5"), (999, "999"), (1234, "1.2k"), (9999, "9.9k"), (10_000, "10k")])
  func `large numbers are shortened`(count: Int, text: String) {
    #expect(Total.exactly(count).brief == text)
    #expect(Total.moreThan(count).brief == "\(text)+")
  }
}

extension Stage {
  /// The answer that the open calendar would get for the stage's posts.
  func counted(_ posts: [ListRow] = Stage.posts) throws -> [CalendarReading] {
    let ask = try #require(screen.calendar?.request)
    return ask.intervals.map { interval in
      let rows = posts.filter { $0.createdAt >= interval.start && $0.createdAt < interval.end }
      return CalendarReading(interval, count: .exactly(rows.count), rows: ask.rows > 0 ? rows : [])
    }
  }
}
