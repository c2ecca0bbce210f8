import Harvest
import Posts
import Storage
import Transfer

/// Pulls a followed page of another site in a harvest.
struct PagePull: FeedPulling {
  let reading: PageReading
  let store: Store

  /// As many posts as the first harvest of a page brings, as it brings one page of other feeds.
  static let first = 40
  /// How many posts a look at a page is taken to show. Programs of others read on until they come to what is known.
  private static let capacity = 100

  func pull(_ page: Feed, _ plan: PullPlan, onEvent: @escaping @Sendable (PullEvent) -> Void) async -> PullReport {
    do {
      var reading = reading
      reading.bounds = PageReading.Bounds(first: Self.first, endsAt: plan.endsAt)
      let read = try await reading.read(
        page, within: FeedPull.harvestPatience, onWait: { onEvent(.waitsForPull) },
        onStep: { onEvent(.picture(done: 0, known: 0, bytes: Int64($0.bytes))) })
      return try report(read, page)
    } catch { return PullReport(failing: error, of: page) }
  }

  private func report(_ read: PageReading.Outcome, _ page: Feed) throws -> PullReport {
    var summary = PullSummary(feed: page.name)
    let imported = read.report.imported
    (summary.posts.new, summary.posts.updated) = (imported.new, imported.updated)
    (summary.posts.unchanged, summary.posts.deleted) = (imported.unchanged + read.known, imported.deleted)
    (summary.posts.unreadable, summary.media.downloaded) = (imported.unreadable, imported.pictures)
    (summary.media.failed, summary.media.leftOut) = (read.report.absent, imported.leftOut)
    let gaps = try store.gaps(of: page) { _ in false }.count
    summary.complete = gaps == 0
    let items = read.report.found + read.known
    return PullReport(
      summary: summary, failure: read.failure,
      pictureFailures: read.report.absentFiles.prefix(20).map { "\($0) was not fetched" }, gaps: gaps,
      head: read.failure != nil && items == 0
        ? nil : FeedHead(arrived: imported.new, items: items, capacity: Self.capacity, isFirst: read.isFirst))
  }
}
