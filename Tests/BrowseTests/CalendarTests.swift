import Foundation
import Machine
import MediaLibrary
import Posts
import Terminal
import Testing

@testable import Browse

/// The calendar: its days, keys and screens.
struct CalendarTests {
  private static let berlin = TimeZone(identifier: "Europe/Berlin")!

  /// A tester with an open calendar whose month is counted.
  private func tester(_ columns: Int = 80, _ rows: Int = 24, zone: TimeZone = .gmt) throws -> ScreenTester {
    var tester = try ScreenTester(columns, rows, zone: zone)
    _ = tester.done()
    tester.press(.character("c"))
    tester.send(.calendar(try tester.counted()))
    return tester
  }

  /// The same with the selected day open.
  private func opened(_ columns: Int = 80, _ rows: Int = 24) throws -> ScreenTester {
    var tester = try tester(columns, rows)
    tester.press(.enter)
    tester.send(.calendar(try tester.counted()))
    return tester
  }

  // MARK: Days

  @Test(arguments: [
    ("Europe/Berlin", "2026-03-29", 23), ("Europe/Berlin", "2026-10-25", 25), ("Europe/Berlin", "2026-11-21", 24),
    ("Asia/Kolkata", "2026-10-25", 24), ("Australia/Lord_Howe", "2026-04-05", 25),
    ("Australia/Lord_Howe", "2026-10-04", 24), ("UTC", "2028-02-29", 24),
  ])
  func `a day has the hours that a clock shows`(zone: String, day: String, count: Int) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let localCalendar = LocalCalendar(zone: zone)
    let noon = try Date("\(day)T12:00:00Z", strategy: .iso8601)
    let whole = localCalendar.day(of: noon - Double(zone.secondsFromGMT(for: noon)))
    let hours = localCalendar.hours(of: whole)
    #expect(hours.count == count)
    #expect(hours.first?.start == whole.start)
    #expect(hours.last?.end == whole.end)
    for (hour, next) in zip(hours, hours.dropFirst()) { #expect(hour.end == next.start) }
    #expect(localCalendar.time(whole.start) == "00:00")
    // A clock change of half an hour starts an hour there.
    #expect(hours.filter { !localCalendar.time($0.start).hasSuffix(":00") }.count <= 1)
    for hour in hours {
      #expect(localCalendar.time(hour.start).prefix(2) == localCalendar.time(hour.end - 1).prefix(2))
    }
  }

  @Test(arguments: ["Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "America/Santiago", "UTC"])
  func `a month's days follow each other without a hole, and steps go to the next of them`(zone: String) throws {
    let localCalendar = LocalCalendar(zone: try #require(TimeZone(identifier: zone)))
    var day = localCalendar.day(of: Date(timeIntervalSince1970: 1_767_268_800))
    for _ in 0..<14 {
      let days = localCalendar.days(ofMonthOf: day)
      #expect((28...31).contains(days.count))
      #expect(days.map(localCalendar.number) == Array(1...days.count))
      for (one, next) in zip(days, days.dropFirst()) {
        #expect(one.end == next.start)
        #expect(localCalendar.day(1, after: one) == next)
        #expect(localCalendar.day(-1, after: next) == one)
        #expect((localCalendar.weekday(one) + 1) % 7 == localCalendar.weekday(next))
      }
      day = localCalendar.month(1, after: day)
    }
  }

  @Test func `a month on from its last day is the last day of a shorter one`() throws {
    let localCalendar = LocalCalendar(zone: Self.berlin)
    let last = localCalendar.day(of: try Date("2026-01-31T12:00:00Z", strategy: .iso8601))
    #expect(localCalendar.number(localCalendar.month(1, after: last)) == 28)
    #expect(localCalendar.month(of: localCalendar.month(-1, after: last)) == "December 2025")
  }

  @Test func `days after a skipped one stand below their weekdays`() throws {
    let localCalendar = LocalCalendar(zone: try #require(TimeZone(identifier: "Pacific/Apia")))
    let page = CalendarScreen(localCalendar, at: try Date("2011-12-20T12:00:00Z", strategy: .iso8601))
    #expect(page.days.map(localCalendar.number) == Array(1...29) + [31])
    let layout = MonthLayout(columns: 80, rows: 20, weekdays: page.weekdays, showing: 0)
    #expect(layout.cells.count == 30)
    for cell in layout.cells { #expect(cell.column == layout.column(localCalendar.weekday(page.days[cell.day]))) }
    // Thursday the 29th and Saturday the 31st share a week, below the four before.
    #expect(layout.cells[28].row == layout.cells[29].row)
    #expect(Set(layout.cells.map(\.row)).count == 5)
  }

  // MARK: Keys

  @Test func `the calendar asks for the days of the month of the selected post`() throws {
    var tester = try ScreenTester()
    _ = tester.done()
    tester.press(.end, .character("c"))
    guard case .calendar(let ask)? = tester.done().last else {
      Issue.record("nothing is asked")
      return
    }
    #expect(ask.days.count == 30)
    #expect(ask.days.allSatisfy { $0.duration == 86_400 })
    #expect(ask.hours.count == 24)
    tester.send(.calendar(try tester.counted()))
    tester.press(.right)
    guard case .calendar(let next)? = tester.done().last else {
      Issue.record("the day is not asked for")
      return
    }
    // The month is known.
    #expect(next.days == [])
    #expect(next.hours.first?.start == ask.hours.last?.end)
    tester.press(.pageDown)
    #expect(tester.done().count == 1)
    #expect(tester.text.contains("December 2026"))
    tester.press(.character("t"))
    #expect(tester.text.contains("November 2026"))
    tester.press(.escape)
    #expect(tester.screen.mode == .list)
    #expect(tester.screen.list.selected == 1)
  }

  @Test func `arrows go by days and weeks, into other months too`() throws {
    var tester = try tester()
    let localCalendar = tester.screen.localCalendar
    let day = { (tester: ScreenTester) in tester.screen.calendar.map { localCalendar.number($0.day) } }
    tester.press(.left)
    #expect(day(tester) == 19)
    tester.press(.down)
    #expect(day(tester) == 26)
    _ = tester.done()
    tester.press(.down)
    #expect(day(tester) == 3)
    #expect(tester.screen.calendar?.request.days.count == 31)
    tester.press(.up, .home)
    #expect(day(tester) == 1)
    tester.press(.up)
    #expect(day(tester) == 25)
    #expect(tester.text.contains("October 2026"))
  }

  @Test func `a day, its posts and the way back`() throws {
    var tester = try opened()
    #expect(tester.text.contains("▌"))
    #expect(tester.text.contains("10:00–11:00"))
    tester.press(.down, .enter)
    #expect(tester.screen.mode == .post(0))
    let first = tester.screen.selectedPost?.id
    #expect(tester.text.contains("Post \(first ?? 0) of the cats"))
    tester.press(.right)
    #expect(tester.screen.selectedPost?.id == first.map { $0 + 1 })
    tester.press(.character("d"))
    #expect(tester.done().last == first.map { .delete([$0 + 1]) })
    tester.press(.escape)
    #expect(tester.screen.mode == .calendar)
    #expect(tester.screen.calendar?.opened?.row?.id == first.map { $0 + 1 })
    tester.press(.escape)
    #expect(tester.screen.calendar?.isInDay == false)
    tester.press(.escape)
    #expect(tester.screen.mode == .list)
    #expect(tester.screen.list.selected == 12)
  }

  @Test func `changed days are read again, and the selection stays or moves to the nearest`() throws {
    var tester = try opened()
    tester.press(.down)
    let before = try tester.counted()
    let selected = try #require(tester.screen.calendar?.opened?.selected)
    _ = tester.done()
    tester.send(.changed)
    let screen = try #require(tester.screen.calendar)
    #expect(
      tester.done() == [.calendar(CalendarRequest(days: screen.days, hours: before.hours.map(\.interval), rows: 200))])
    var after = before
    for hour in after.hours.indices where after.hours[hour].rows.contains(where: { $0.id == selected }) {
      after.hours[hour] = CalendarReading(after.hours[hour].interval, count: .exactly(0))
    }
    tester.send(.calendar(after))
    #expect(tester.screen.calendar?.opened?.selected == selected + 1)
    tester.press(.enter)
    let none = before.hours.map { CalendarReading($0.interval, count: .exactly(0)) }
    tester.send(.calendar(CalendarAnswer(days: [], hours: none)))
    #expect(tester.screen.mode == .calendar)
    tester.press(.down, .up, .enter, .pageDown, .end)
    #expect(tester.screen.mode == .calendar)
  }

  @Test func `an answer to what was asked before is let go`() throws {
    var tester = try tester()
    let old = try tester.counted()
    tester.press(.pageDown)
    tester.send(.calendar(old))
    #expect(tester.screen.calendar?.total == nil)
    #expect(tester.screen.calendar?.table.isRead == false)
  }

  @Test func `days and posts are clicked`() throws {
    var tester = try tester()
    let click = { (row: Int, column: Int) in ScreenEvent.input(.mouse(Mouse(.press, row: row, column: column))) }
    tester.send(click(4, 26))
    #expect(tester.screen.calendar.map { tester.screen.localCalendar.number($0.day) } == 1)
    tester.send(click(4, 26))
    #expect(tester.screen.calendar?.isInDay == true)
    tester.send(.input(.mouse(Mouse(.wheelUp, row: 4, column: 7))))
    #expect(tester.screen.calendar?.isInDay == false)
    #expect(tester.text.contains("October 2026"))
    tester = try opened()
    tester.send(click(5, 50))
    #expect(tester.screen.calendar?.table.selected == 5)
    tester.send(click(5, 50))
    #expect(tester.screen.mode == .post(0))
    for row in 0..<24 { tester.send(click(row, row * 3)) }
  }

  // MARK: Screens

  @Test func `a month stands beside the hours of its day`() throws {
    let text = try tester(80, 24).text
    #expect(
      text == """
         #cats  mastodon.social  12 posts                                   refreshing…
        ────────────────────────────────────────────────────────────────────────────────
         November 2026 · 12 posts     │ Today                                  10 posts
         Mon Tue Wed Thu Fri Sat Sun  │ 00:00–01:00 00:00  Birds & Be…  Post 3 of the …
                                  1   │ 01:00–02:00 01:00  Birds & Be…  Post 4 of the …
                                      │ 02:00–03:00 02:00  Birds & Be…  Post 5 of the …
                                      │ 03:00–04:00 03:00  Birds & Be…  Post 6 of the …
          2   3   4   5   6   7   8   │ 04:00–05:00 04:00  Birds & Be…  Post 7 of the …
                                      │ 05:00–06:00 05:00  Birds & Be…  Post 8 of the …
                                      │ 06:00–07:00 06:00  Birds & Be…  Post 9 of the …
          9  10  11  12  13  14  15   │ 07:00–08:00 07:00  Birds & Be…  Post 10 of the…
                                      │ 08:00–09:00 08:00  Birds & Be…  Post 11 of the…
                                      │ 09:00–10:00 09:00  Birds & Be…  Post 12 of the…
         16  17  18  19  20  21  22   │ 10:00–11:00
                     2   10           │ 11:00–12:00
                                      │ 12:00–13:00
         23  24  25  26  27  28  29   │ 13:00–14:00
                                      │ 14:00–15:00
                                      │ 15:00–16:00
         30                           │ 16:00–17:00
                                      │ 17:00–18:00
                                      │ 18:00–19:00

         Enter day  ← ↑ ↓ → choose  PgUp PgDn month  t today  Esc back  a plan
        """)
  }

  @Test func `a month stands above the hours of its day on a screen that is tall and narrow`() throws {
    let text = try tester(50, 26).text
    #expect(
      text == """
         #cats  mastodon.social  12 posts     refreshing…
        ──────────────────────────────────────────────────
         November 2026 · 12 posts
         Mon    Tue    Wed    Thu    Fri    Sat    Sun
                                                    1
          2      3      4      5      6      7      8
          9     10     11     12     13     14     15
         16     17     18     19  2  20  10 21     22
         23     24     25     26     27     28     29
         30
        ──────────────────────────────────────────────────
         Today                                   10 posts
         00:00–01:00 00:00  Birds & Bees  Post 3 of the …
         01:00–02:00 01:00  Birds & Bees  Post 4 of the …
         02:00–03:00 02:00  Birds & Bees  Post 5 of the …
         03:00–04:00 03:00  Birds & Bees  Post 6 of the …
         04:00–05:00 04:00  Birds & Bees  Post 7 of the …
         05:00–06:00 05:00  Birds & Bees  Post 8 of the …
         06:00–07:00 06:00  Birds & Bees  Post 9 of the …
         07:00–08:00 07:00  Birds & Bees  Post 10 of the…
         08:00–09:00 08:00  Birds & Bees  Post 11 of the…
         09:00–10:00 09:00  Birds & Bees  Post 12 of the…
         10:00–11:00
         11:00–12:00

         Enter day  ← ↑ ↓ → choose  PgUp PgDn month
        """)
  }

  @Test func `a month on a narrow screen`() throws {
    #expect(
      try tester(40, 12).text == """
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
      try tester(20, 5).text == """
         #cats  refreshing…
         Nov     Fri 20: 10
         9 10 11 12 13 14 15
        16 17 18 19 20 21 22
         Enter day
        """)
  }

  @Test func `a day of hours`() throws {
    let text = try opened(60, 20).text
    #expect(
      text == """
         #cats  mastodon.social  12 posts               refreshing…
        ────────────────────────────────────────────────────────────
         Today                                             10 posts
         00:00–01:00▌00:00  Birds & Bees     Post 3 of the cats in…
         01:00–02:00 01:00  Birds & Bees     Post 4 of the cats in…
         02:00–03:00 02:00  Birds & Bees     Post 5 of the cats in…
         03:00–04:00 03:00  Birds & Bees     Post 6 of the cats in…
         04:00–05:00 04:00  Birds & Bees     Post 7 of the cats in…
         05:00–06:00 05:00  Birds & Bees     Post 8 of the cats in…
         06:00–07:00 06:00  Birds & Bees     Post 9 of the cats in…
         07:00–08:00 07:00  Birds & Bees     Post 10 of the cats i…
         08:00–09:00 08:00  Birds & Bees     Post 11 of the cats i…
         09:00–10:00 09:00  Birds & Bees     Post 12 of the cats i…
         10:00–11:00
         11:00–12:00
         12:00–13:00
         13:00–14:00
         14:00–15:00

         Enter whole  ↑ ↓ hours  ← → days  t today  Esc month
        """)
  }

  @Test func `the clock that is set back shows an hour twice`() throws {
    var tester = try ScreenTester(80, 40, posts: [], zone: Self.berlin)
    tester.send(.time(try Date("2026-10-25T12:00:00Z", strategy: .iso8601)))
    tester.press(.character("c"), .enter, .home)
    let hours = tester.lines[3...7].map { $0.components(separatedBy: "│").last?.trimmingCharacters(in: .whitespaces) }
    #expect(
      hours == ["00:00–01:00      ▌", "01:00–02:00", "02:00–03:00 UTC+2", "02:00–03:00 UTC+1", "03:00–04:00"])
  }

  @Test func `more posts of an hour than are shown are counted`() throws {
    var tester = try opened(80, 40)
    var readings = try tester.counted()
    let hour = try #require(readings.hours.firstIndex { !$0.rows.isEmpty })
    readings.hours[hour].count = .exactly(1234)
    tester.send(.calendar(readings))
    #expect(tester.text.contains("1,233 posts before these"))
    readings.hours[hour].count = .moreThan(10_000)
    tester.send(.calendar(readings))
    #expect(tester.text.contains("more than 9999 posts before these"))
  }

  @Test(arguments: [(5, "5"), (999, "999"), (1234, "1.2k"), (9999, "9.9k"), (10_000, "10k")])
  func `large numbers are shortened`(count: Int, text: String) {
    #expect(Total.exactly(count).brief == text)
    #expect(Total.moreThan(count).brief == "\(text)+")
  }
}

extension ScreenTester {
  /// The answer that the open calendar would get for the tester's posts.
  func counted(_ posts: [ListRow] = ScreenTester.posts) throws -> CalendarAnswer {
    let ask = try #require(screen.calendar?.request)
    let reading = { (interval: DateInterval, limit: Int) in
      let rows = posts.filter { $0.createdAt >= interval.start && $0.createdAt < interval.end }
        .sorted { $0.createdAt > $1.createdAt }
      let continued = posts.filter { $0.createdAt < interval.start && $0.end > interval.start }
        .sorted { $0.createdAt < $1.createdAt }
      return CalendarReading(
        interval, count: .exactly(rows.count + continued.count), continuedCount: continued.count,
        rows: Array(rows.prefix(limit)),
        continued: Array(continued.prefix(limit)))
    }
    return CalendarAnswer(days: ask.days.map { reading($0, 0) }, hours: ask.hours.map { reading($0, ask.rows) })
  }
}
