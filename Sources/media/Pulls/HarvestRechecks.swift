import HTTP
import Harvest
import Posts
import Services
import Storage
import Terminal

/// Rechecks posts in a harvest. Failures are reported and fail no harvest.
struct HarvestRechecks: Sendable {
  let console: Console
  let logins: AccountChooser
  let rechecks: RecheckFactory
  let fetches: PictureFactory
  let time: TimeSource
  let store: Store
  let run: Int64
  let events: RunEvents
  let pictures: Bool

  /// Rechecks what is due, except at servers that failed or have no requests to spare. Posts whose reads cost money are
  /// rechecked only by hand. Throws only if the library fails.
  func run(after report: HarvestReport, _ meter: TrafficMeter) async throws -> HarvestRun.RecheckCounts {
    guard try store.hasDuePosts(now: time.now()) else { return HarvestRun.RecheckCounts() }
    let feeds = try store.feeds().filter { feed in
      let recheck = try rechecks.ability(of: feed, in: store)
      return recheck.isPossible && recheck.prices == nil
    }
    let troubled = Set(report.entries.filter(Self.isOfServer).map(\.feed.server))
    let say: @Sendable (SafeText) -> Void = { [console] in console.message($0) }
    let round = RecheckRound(store: store, time: time) { [logins, rechecks, store, pictures] feed in
      let login = try await logins.login(for: feed)
      return try rechecks.recheck(
        of: feed, as: login, in: store, pictures: pictures, rank: .background, metered: meter, onWait: say)
    }
    let reports = try await Interruption.guarding { [fetches, store, pictures] in
      let reports = try await round.run(among: feeds, except: troubled)
      let edited = reports.flatMap(\.edited)
      if pictures, !edited.isEmpty, !Task.isCancelled {
        try await fetches.pull(into: store, rank: .background, metered: meter, onWait: say).run(edited)
      }
      return reports
    }
    return try note(reports)
  }

  private func note(_ reports: [RecheckReport]) throws -> HarvestRun.RecheckCounts {
    var counts = HarvestRun.RecheckCounts()
    for report in reports {
      counts.lookedUp += report.summary.lookedUp
      counts.edited += report.summary.edited
      counts.gone += report.summary.gone
      guard let failure = report.failure, !Interruption.happened else { continue }
      let reason = (failure as? any ExplainedError)?.description ?? "\(failure)"
      console.warning("media: \(Feed.spoken(report.summary.feed)): its posts were not looked up again: \(reason)")
      events.add(LogLine(failing: failure, toLookUp: report.summary.feed, at: time.now()))
    }
    try store.add(counts, to: run)
    return counts
  }

  /// Whether a feed failed for a reason that all feeds of its server share.
  private static func isOfServer(_ entry: HarvestEntry) -> Bool {
    switch entry.failure {
    case SourceError.unreachable?, SourceError.noTLS?, SourceError.untrusted?, SourceError.blocked?,
      SourceError.serverFailed?, SourceError.rateLimited?:
      true
    default: false
    }
  }
}
