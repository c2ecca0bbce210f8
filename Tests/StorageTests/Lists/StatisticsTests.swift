import Blobs
import Foundation
import Machine
import Posts
import Testing

@testable import Storage

private let berlin = TimeZone(identifier: "Europe/Berlin")!

/// Numbers for pictures of a library.
struct StatisticsTests {
  @Test func `posts are counted by source in each period, without deleted ones`() throws {
    let library = try TestLibrary()
    let second = SourceName(rawValue: "second")
    try library.pull(
      (1...6).reversed().map { number in
        var made = post(number)
        made.createdAt = Date(timeIntervalSince1970: 1_700_000_000) + Double(number) * 86_400
        if number % 3 == 0 { made.source = second }
        return made
      })
    let deleted = try library.store.window(PostListQuery()).rows[5].post.id
    try library.store.delete([deleted], now: noon)
    let days = try library.store.statistics(StatisticsQuery(length: .day, zone: berlin)).posts
    #expect(days.map(\.counts) == [[second: 1], [.usual: 1], [.usual: 1], [second: 1], [.usual: 1]])
    let months = try library.store.statistics(StatisticsQuery(length: .month, zone: berlin)).posts
    #expect(months.map(\.counts) == [[.usual: 3, second: 2]])
    let within = DateInterval(start: days[3].period.start, end: days[1].period.end)
    let part = try library.store.statistics(StatisticsQuery(within: within, length: .month, zone: berlin)).posts
    #expect(part.map(\.counts) == [[.usual: 2, second: 1]])
  }

  @Test(arguments: [(20.0, PeriodLength.day), (300, .week), (3_000, .month)])
  func `the length of periods fits the time that the posts span`(days: Double, length: PeriodLength) throws {
    let library = try TestLibrary()
    try library.pull(
      [0, days].reversed().map { day in
        var made = post(Int(day))
        made.createdAt = noon + day * 86_400
        return made
      })
    #expect(try library.store.statistics(StatisticsQuery(zone: .gmt)).length == length)
    let range = DateInterval(start: noon, duration: days * 86_400)
    #expect(try library.store.statistics(StatisticsQuery(within: range, zone: .gmt)).length == length)
  }

  @Test func `growth is the number and the bytes of what was stored in each month`() throws {
    let library = try TestLibrary()
    try library.store.write { db in
      for (number, row) in [
        ("2026-01-31T22:59:59.999Z", 5), ("2026-01-31T23:00:00.000Z", 7), ("2026-02-02T00:00:00.000Z", 11),
      ]
      .enumerated() {
        let name = String(repeating: "\(number)", count: 64)
        try db.run("INSERT INTO blob (sha256, bytes, stored_at) VALUES (?, ?, ?)", [name, row.1, row.0])
      }
    }
    let growth = try library.store.statistics(StatisticsQuery(zone: berlin)).growth
    #expect(growth.map(\.bytes) == [18, 5])
    #expect(growth.map(\.blobs) == [2, 1])
    #expect(growth.map { UTC.text($0.month.start) } == ["2026-01-31T23:00:00.000Z", "2025-12-31T23:00:00.000Z"])
  }

  @Test func `an empty library has empty statistics`() throws {
    let found = try TestLibrary().store.statistics(StatisticsQuery(zone: berlin))
    #expect(found.posts.isEmpty && found.tags.isEmpty && found.authors.isEmpty && found.growth.isEmpty)
  }
}
