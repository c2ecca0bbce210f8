import Folders
import Foundation
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
    #expect(hours.filter { $0.posts.count.known > 0 }.map(\.label) == ["03:00–04:00"])
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
    #expect(hours[2...3].map(\.posts.count.known) == [1, 2])
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
    #expect(try #require(page.hours).hours.reduce(0) { $0 + $1.posts.count.known } == 1)
    let text = page.html.markup
    let main = try #require(text.components(separatedBy: "<main").last)
    let links = main.all(from: "href=\"/calendar?", to: "\"") + main.all(from: "href=\"/?", to: "\"")
    #expect(links.count > 30)
    for link in links { #expect(link.contains("tag=cats&amp;q=red%20panda"), "\(link)") }
    #expect(text.contains("href=\"/?tag=cats&amp;q=red%20panda&amp;day=2026-11-03\""))
    #expect(text.contains("<input type=\"hidden\" name=\"q\" value=\"red panda\">"))
  }

  @Test func `the counts of the months are those of the store`() async throws {
    try await KnowingServer.run { server in
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
