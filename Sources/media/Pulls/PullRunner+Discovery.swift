import Harvest
import Posts
import Services
import Storage

extension PullRunner {
  /// The pull of a feed. If nothing is known of it, and its server does not answer as servers of its source do, the server
  /// is asked where its accounts live and what it runs.
  func pullDiscovering(
    _ feed: Feed, _ plan: PullPlan, into store: any PullStore & BudgetRecords
  ) async throws -> (PullReport, Progress) {
    let (first, progress) = try await pull(feed, plan, into: store)
    var report = first
    guard let entry = Catalogue.entry(feed.source), entry.isDiscovered, account == nil, report.summary.pages == 0,
      (report.failure as? SourceError)?.isOfWrongServer == true, try !store.isKnown(feed),
      try logins.account(for: feed, named: nil) == nil
    else { return (report, progress) }
    let discovery = ServerDiscovery(transport: transports.transport { progress.line.say($0) })
    switch try await Interruption.guarding({ await discovery.find(feed) }) {
    case .elsewhere(let server):
      progress.line.clear()
      console.message("media: \(feed.server) leaves its accounts to \(server)")
      _ = try store.forgetEmpty(feed)
      return try await pull(
        Feed(source: feed.source, kind: feed.kind, value: feed.value, server: server), plan, into: store)
    case .software(let name) where !entry.isSpoken(by: name):
      _ = try store.forgetEmpty(feed)
      report.failure = SourceError.otherSoftware(feed.server, name: name)
      return (report, progress)
    case .software, nil: return (report, progress)
    }
  }
}

extension SourceError {
  /// Whether a server answered, and not as servers of its source do: another may speak for its accounts.
  fileprivate var isOfWrongServer: Bool {
    switch self {
    case .notFound, .gone, .unreadable: true
    default: false
    }
  }
}
