import Foundation
import Posts
import Storage
import Testing

@testable import Harvest

struct RhythmTests {
  private let polling = PollingSchedule(every: nil, of: .mastodon)
  private func ago(_ hours: Double) -> Date { noon.addingTimeInterval(-hours * 3600) }

  private func pace(_ arrived: Int, since hours: Double, before: Double? = nil) -> Double? {
    let head = FeedHead(arrived: arrived, items: 40, capacity: 40)
    return polling.pace(after: head, pulledAt: ago(hours), before: before, now: noon)
  }

  @Test func `an interval adapts between a quarter of an hour and a day, and begins at an hour`() {
    #expect(polling.first == .seconds(3600))
    #expect(polling.interval(after: .seconds(3600), pace: 1000, capacity: 40) == .seconds(900))
    #expect(polling.interval(after: .seconds(60_000), pace: 0.001, capacity: 40) == .seconds(86_400))
    #expect(polling.interval(after: .seconds(3600), pace: 5, capacity: 40) == .seconds(7200))
    #expect(polling.interval(after: .seconds(7200), pace: nil, capacity: 0) == .seconds(14_400))
  }

  @Test func `an interval that a person fixed stays fixed`() {
    let fixed = PollingSchedule(every: .seconds(600), of: .feed)
    #expect(fixed.first == .seconds(600))
    #expect(fixed.interval(after: .seconds(600), pace: 1000, capacity: 40) == .seconds(600))
    #expect(PollingSchedule(every: .seconds(30), of: .feed).first == .seconds(60))
    #expect(PollingSchedule(every: .seconds(7 * 86_400), of: .x).first == .seconds(7 * 86_400))
  }

  @Test func `Instagram is never left alone for more than twenty hours`() {
    #expect(PollingSchedule(every: .seconds(3 * 86_400), of: .instagram).first == .seconds(72_000))
    let quiet = PollingSchedule(every: nil, of: .instagram)
    #expect(quiet.interval(after: .seconds(72_000), pace: 0, capacity: 40) == .seconds(72_000))
  }

  @Test func `a feed that would be left alone is, for a day at most, and never for less than its interval`() {
    let feed = PollingSchedule(every: .seconds(900), of: .feed)
    func wait(_ requested: Int?, arrived: Int = 0, pace: Double? = 0.1, isFirst: Bool = false) -> Duration {
      let head = FeedHead(arrived: arrived, items: 20, capacity: 20, isFirst: isFirst)
      return feed.wait(.seconds(900), requested: requested.map { .seconds($0) }, pace: pace, after: head)
    }
    #expect(wait(nil) == .seconds(900))
    #expect(wait(600) == .seconds(900))
    #expect(wait(7200) == .seconds(7200))
    #expect(wait(7200, pace: nil) == .seconds(3600))
    #expect(wait(7 * 86_400, pace: 0) == .seconds(86_400))
    // At five an hour half of the shown items are gone after two hours.
    #expect(wait(36_000, pace: 5) == .seconds(7200))
    #expect(wait(36_000, arrived: 4, pace: 1) == .seconds(36_000))
    #expect(wait(36_000, arrived: 5, pace: 1) == .seconds(900))
    #expect(wait(36_000, arrived: 20, pace: 1, isFirst: true) == .seconds(36_000))
    let rare = PollingSchedule(every: .seconds(7 * 86_400), of: .feed)
    let head = FeedHead(arrived: 0, items: 20, capacity: 20)
    #expect(rare.wait(rare.first, requested: .seconds(60), pace: nil, after: head) == .seconds(7 * 86_400))
  }

  @Test func `a busy hour is remembered through the night`() throws {
    #expect(pace(12, since: 1) == 12)
    let night = try #require(pace(0, since: 8, before: 12))
    #expect(night > 7 && night < 8)
    let document = FeedHead(arrived: 0, items: 20, capacity: 20)
    let feed = PollingSchedule(every: nil, of: .feed).pace(after: document, pulledAt: ago(8), before: 12, now: noon)
    #expect(try #require(feed) > 10)
    #expect(try #require(pace(0, since: 7 * 24, before: 12)) < 0.1)
    #expect(pace(30, since: 1, before: 12) == 30)
    // No interval is short enough for more than forty per hour.
    #expect(pace(400, since: 1, before: 12) == 40)
  }

  @Test func `pulls in quick succession do not make a feed look busy`() {
    #expect(pace(1, since: 0.001) == 1)
  }

  @Test func `at the first pull the posts' dates give the pace`() {
    let head = FeedHead(arrived: 40, items: 40, oldest: ago(20), capacity: 40, isFirst: true)
    #expect(polling.pace(after: head, pulledAt: nil, before: nil, now: noon) == 2)
    let dateless = FeedHead(arrived: 40, items: 40, capacity: 40, isFirst: true)
    #expect(polling.pace(after: dateless, pulledAt: nil, before: nil, now: noon) == nil)
    let datedHere = FeedHead(arrived: 20, items: 20, oldest: noon, capacity: 20, isFirst: true)
    #expect(PollingSchedule(every: nil, of: .feed).pace(after: datedHere, pulledAt: nil, before: nil, now: noon) == nil)
    #expect(polling.pace(after: datedHere, pulledAt: nil, before: nil, now: noon) == 20)
  }

  @Test func `a feed that shows nothing known counts for twice as busy`() {
    let full = FeedHead(arrived: 20, items: 20, capacity: 20)
    #expect(full.isOverflown)
    #expect(polling.pace(after: full, pulledAt: ago(2), before: nil, now: noon) == 20)
    #expect(!FeedHead(arrived: 0, items: 0, capacity: 20).isOverflown)
    #expect(!FeedHead(arrived: 20, items: 20, capacity: 20, isFirst: true).isOverflown)
  }
}
