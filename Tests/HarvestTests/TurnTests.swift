import Foundation
import Posts
import Storage
import Testing

@testable import Harvest

/// The order of a host's feeds.
struct TurnTests {
  private func task(_ name: String, failures: Int = 0, last: TimeInterval, due: TimeInterval) throws -> HarvestTask {
    let server = try #require(Server("https://social.example"))
    let feed = Feed(source: .mastodon, kind: .tag, value: name, server: server)
    var schedule = Follow.Schedule(interval: .seconds(3600), dueAt: noon.addingTimeInterval(-due))
    schedule.failures = failures
    if failures > 0 {
      schedule.failedAt = noon.addingTimeInterval(-last)
    } else {
      schedule.pulledAt = noon.addingTimeInterval(-last)
    }
    return HarvestTask(feed, follow: Follow(feed: feed, every: nil, schedule: schedule))
  }

  private func order(_ tasks: [HarvestTask]) -> [String] {
    tasks.sorted { HarvestPriority($0, now: noon) < HarvestPriority($1, now: noon) }.map(\.feed.value)
  }

  @Test func `feeds that come well go before those that fail, and of each the one that waits longest`() throws {
    let tasks = try [
      task("fails", failures: 1, last: 40_000, due: 36_000), task("new", last: 4000, due: 400),
      task("old", last: 20_000, due: 16_400), task("failed longer ago", failures: 1, last: 50_000, due: 46_400),
    ]
    #expect(order(tasks) == ["old", "new", "failed longer ago", "fails"])
  }

  @Test func `one that failed and was passed over for a day has its turn among the others`() throws {
    let tasks = try [
      task("old", last: 20_000, due: 16_400), task("failed", failures: 1, last: 100_000, due: 90_000),
      task("new", last: 4000, due: 400),
    ]
    #expect(order(tasks) == ["failed", "old", "new"])
  }
}
