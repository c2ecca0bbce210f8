import Folders
import Foundation
import Machine
import MediaLibrary
import Posts
import Storage
import Testing
import Web

@testable import Gallery

struct MonthPageTests {
  private static let berlin = TimeZone(identifier: "Europe/Berlin")!

  /// The calendar of a library in Berlin.
  private func page(_ query: String, _ posts: [Post]) throws -> MonthPage {
    let scratch = try Scratch()
    let library = try Library(in: scratch.path) { servedAt }
    defer { library.close() }
    try library.save(posts.sorted { $0.createdAt > $1.createdAt }, of: kittens)
    let request = try CalendarRequest(Fields(form: query), now: servedAt, zone: Self.berlin)
    let months = try library.store.months(of: request.list.list(in: library), in: Self.berlin)
    return try MonthPage(request, months: months, in: library)
  }

  private func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  @Test func `the hours of a day on which clocks go forward are 23, without the one that is skipped`() throws {
    let page = try page("day=2026-03-29", [shot(1, at: try moment("2026-03-29T01:30:00Z"))])
    let hours = try #require(page.hours).hours
    #expect(hours.count == 23)
    #expect(hours.prefix(3).map(\.label) == ["00:00–01:00", "01:00–02:00", "03:00–04:00"])
    #expect(hours.last?.label == "23:00–24:00")
    #expect(hours.filter { !$0.posts.isEmpty }.map(\.label) == ["03:00–04:00"])
  }

  @Test func `a hidden post is not counted, as in the list that its day leads to`() throws {
    let scratch = try Scratch()
    let library = try Library(in: scratch.path) { servedAt }
    defer { library.close() }
    let noon = try moment("2026-10-25T12:00:00Z")
    try library.save([shot(2, at: noon + 60), shot(1, at: noon)], of: kittens)
    let person = Marker(machine: "desk", program: .command)
    try library.store.hide([try #require(try library.store.posts().first).id], by: person, now: servedAt)
    for (query, count) in [("day=2026-10-25", 1), ("day=2026-10-25&q=is:hidden", 1), ("day=2026-10-25&q=tag:none", 0)] {
      let request = try CalendarRequest(Fields(form: query), now: servedAt, zone: Self.berlin)
      let months = try library.store.months(of: request.counted(in: library), in: Self.berlin)
      let page = try MonthPage(request, months: months, in: library)
      #expect(
        page.days.map(\.count.known).reduce(0, +) == count && months.map(\.count).reduce(0, +) == count, "\(query)")
      #expect(page.hours?.hours.map(\.posts.count).reduce(0, +) == count, "\(query)")
    }
  }

  @Test func `the hours of a day on which clocks go back are 25, and the two that look alike are told apart`() throws {
    let page = try page(
      "day=2026-10-25",
      [
        shot(1, at: try moment("2026-10-25T00:10:00Z")), shot(2, at: try moment("2026-10-25T01:10:00Z")),
        shot(3, at: try moment("2026-10-25T01:20:00Z")),
      ])
    let hours = try #require(page.hours).hours
    #expect(hours.count == 25)
    #expect(hours[2...4].map(\.label) == ["02:00–03:00 UTC+2", "02:00–03:00 UTC+1", "03:00–04:00"])
    #expect(hours[2...3].map(\.posts.count) == [1, 2])
    let text = page.html.markup
    #expect(text.all(from: "class=\"shot text\" href=\"/post/", to: "\"").count == 3)
  }

  @Test func `a month shows the posts of each day, in the weeks of the terminal's calendar`() throws {
    let page = try page(
      "month=2026-11",
      [
        shot(1, at: try moment("2026-11-01T12:00:00Z")), shot(2, at: try moment("2026-11-30T22:59:59Z")),
        shot(3, at: try moment("2026-11-30T23:00:00Z")), shot(4, at: try moment("2025-07-01T12:00:00Z")),
      ])
    #expect(page.days.count == 30)
    #expect(page.days.filter { $0.count.known > 0 }.map(\.count) == [.exactly(1), .exactly(1)])
    let text = page.html.markup
    // 1 November 2026 is a Sunday: the last day of its week.
    let first = try #require(text.all(from: "<tbody><tr>", to: "</tr>").first)
    #expect(first.all(from: "<td class=\"none\">", to: "<").count == 6)
    #expect(first.contains("<b>1</b> <span title=\"1 post\">1"))
    #expect(text.contains(">2 posts"))
    #expect(text.contains("href=\"/calendar?month=2026-10\""))
    #expect(text.contains("href=\"/calendar?month=2026-12\""))
    // Every month with posts can be reached.
    #expect(
      text.all(from: "<ul class=\"months\">", to: "</ul>").joined().all(from: "month=", to: "\"") == [
        "2026-11", "2026-12", "2025-07",
      ])
  }

  @Test func `every link keeps the list's parameters`() throws {
    let page = try page(
      "month=2026-11&tag=cats&q=red%20panda&day=2026-11-03",
      [shot(1, at: try moment("2026-11-03T12:00:00Z"), caption: "red panda", tags: ["cats"]), shot(2, tags: ["dogs"])])
    #expect(try #require(page.hours).hours.reduce(0) { $0 + $1.posts.count } == 1)
    let text = page.html.markup
    let main = try #require(text.components(separatedBy: "<main").last)
    let links = main.all(from: "href=\"/calendar?", to: "\"") + main.all(from: "href=\"/?", to: "\"")
    #expect(links.count > 30)
    for link in links { #expect(link.contains("tag=cats&amp;q=red%20panda"), "\(link)") }
    #expect(text.contains("href=\"/?tag=cats&amp;q=red%20panda&amp;day=2026-11-03\""))
    #expect(text.contains("<input type=\"hidden\" name=\"q\" value=\"red panda\">"))
  }

  /// An entry of a calendar.
  private func entry(_ number: Int, _ title: String, _ start: String, _ end: String) throws -> Post {
    var entry = shot(number, at: try moment(start), caption: "what there is to do")
    (entry.title, entry.endsAt) = (title, try moment(end))
    return entry
  }

  @Test func `an entry fills its hours with one named block, and is counted on every day that it covers`() throws {
    let page = try page(
      "day=2026-11-21",
      [
        entry(1, "Trip & sea", "2026-11-19T17:00:00Z", "2026-11-21T08:30:00Z"),
        entry(2, "Dentist", "2026-11-21T13:30:00Z", "2026-11-21T15:10:00Z"),
        entry(3, "Call", "2026-11-21T13:45:00Z", "2026-11-21T14:15:00Z"),
        shot(4, at: try moment("2026-11-21T13:50:00Z")),
      ])
    #expect(page.days[18...21].map(\.count) == [1, 1, 4, 0].map(ListTotal.exactly))
    let hours = try #require(page.hours)
    #expect(hours.begun == 3)
    #expect(hours.hours.indices.filter { !hours.hours[$0].lines.isEmpty } == Array(0...9) + [14, 15, 16])
    #expect(hours.hours[14].lines.map(\.cells) == [[1, 2]])
    #expect(hours.hours[15].lines.map(\.cells) == [[1, 2]])
    #expect(hours.hours[16].lines.map(\.cells) == [[1, nil]])
    #expect(hours.hours[14].posts.count == 1)
    let text = page.html.markup
    #expect(text.contains("<p class=\"soft\">4 posts"))
    #expect(text.contains("<b>14:30–16:10</b> <bdi>Dentist</bdi></a>"))
    #expect(text.contains("<b>19 Nov 18:00 – 21 Nov 09:30</b> <bdi>Trip &amp; sea</bdi></a>"))
    #expect(text.all(from: "class=\"entry first\"", to: "</div>").count == 3)
    #expect(text.all(from: "<bdi>Trip &amp; sea</bdi> goes", to: "</span>").count == 9)
    // Each block has one link for keys; the others are for pointers.
    #expect(text.all(from: "tabindex=\"-1\" aria-hidden=\"true\"", to: ">").count == 9 + 2 + 1)
  }

  @Test func `empty hours after one another are one row, which opens to add an entry in one of them`() throws {
    let page = try page(
      "day=2026-11-21",
      [
        shot(1, at: try moment("2026-11-21T03:30:00Z")), shot(2, at: try moment("2026-11-21T06:30:00Z")),
        shot(3, at: try moment("2026-11-21T21:30:00Z")),
      ])
    let text = page.html.markup
    #expect(text.all(from: "<summary class=\"range\">", to: "</summary>") == ["00:00–04:00", "08:00–22:00"])
    // Two hours take less room than a row that has to be opened.
    #expect(text.contains("aria-label=\"05:00–06:00, add an entry\""))
    #expect(text.all(from: "aria-label=\"", to: ", add an entry").filter { $0.count == 11 }.count == 24)
    let day = DayPart(hours: try #require(page.hours), request: page.request, canAdd: false).html.markup
    #expect(day.contains("<li class=\"none\"><div class=\"range\">08:00–22:00</div></li>"))
  }

  @Test func `an hour leads to a form with its moments, unless the gallery is read-only`() throws {
    let text = try page("day=2026-10-25", []).html.markup
    // The second of the two hours that look alike.
    #expect(text.contains("href=\"/add?start=2026-10-25T01:00:00.000Z&amp;finish=2026-10-25T02:00:00.000Z\""))
    let fields = Fields(form: "start=2026-10-25T01:00:00.000Z&finish=%22%3E")
    let form = AddPage(fields: fields, isReadOnly: false, now: servedAt).html.markup
    #expect(form.contains("data-moment=\"2026-10-25T01:00:00.000Z\""))
    #expect(form.all(from: "data-moment", to: " ").count == 1)
    let scratch = try Scratch()
    let library = try Library(in: scratch.path) { servedAt }
    defer { library.close() }
    let request = try CalendarRequest(Fields(form: "day=2026-10-25"), now: servedAt, zone: Self.berlin)
    let guarded = try MonthPage(request, months: [], canAdd: false, in: library).html.markup
    #expect(!guarded.contains("/add?"))
  }

  @Test func `a calendar opens today, and a month that is named opens no day`() throws {
    let today = LocalCalendar(zone: Self.berlin).day(of: servedAt)
    #expect(try page("", []).hours?.day == today)
    #expect(try page("month=2026-10", []).hours == nil)
  }

  @Test func `the counts of the months are those of the store`() async throws {
    try await InsightServer.run { server in
      try server.library.save((0..<40).map { shot($0, at: servedAt - Double($0) * 20 * 86_400) }, of: kittens)
      let page = try await server.page("/calendar")
      let months = try server.library.store.months(of: PostListQuery(), in: .autoupdatingCurrent)
      #expect(months.count > 20)
      for month in months {
        #expect(page.contains("\(LocalCalendar.months[month.month - 1].prefix(3)) <span>\(month.count)</span></a>"))
      }
    }
  }
}
