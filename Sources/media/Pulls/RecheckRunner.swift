import FoundationEssentials
import Harvest
import Posts
import Services
import Storage
import Terminal

/// Rechecks the posts of feeds one after another: a summary each, and one exit code for all.
struct RecheckRunner: Sendable {
  let console: Console
  let logins: AccountChooser
  let rechecks: RecheckFactory
  let fetches: PictureFactory
  let account: String?
  let since: Date?
  let pictures: Bool
  let json: Bool
  /// The maximum cost of each feed's posts.
  var budget: Price?

  /// Rechecks the posts of every feed, even after failures; posts of several feeds at the one that brought them first.
  func run(_ feeds: [Feed], in store: Store) async throws {
    var failures: [any Error] = []
    var limits: [Server: any Error] = [:]
    for feed in feeds where !Interruption.happened {
      // A host's requested delay applies to all of its feeds.
      if let limit = limits[feed.server] {
        failures.append(limit)
        continue
      }
      do {
        let report = try await recheck(feed, leaving: feeds, store)
        try say(report.summary)
        guard let failure = report.failure else { continue }
        if let failure = failure as? SourceError, case .lookUpsSpent = failure {
          console.message("media: \(failure)")
          continue
        }
        if case SourceError.rateLimited = failure { limits[feed.server] = failure }
        failures.append(logins.advised(failure, of: feed, by: try spokenAPI(feed, store), as: account))
      } catch let refused as any ExplainedError { failures.append(refused) }
    }
    try end(failures, of: feeds.count)
  }

  private func recheck(_ feed: Feed, leaving others: [Feed], _ store: Store) async throws -> RecheckReport {
    let live = LiveLine(console)
    defer { live.clear() }
    return try await Interruption.guarding {
      let login = try await logins.login(for: feed, named: account)
      if let prices = try SourceAPI.chosen(for: feed, as: login, in: store).prices, login != nil {
        live.say("\(feed.spoken): \(prices.lookupEstimate)")
      }
      let recheck = try rechecks.recheck(of: feed, as: login, budget: budget, in: store, pictures: pictures) {
        live.say($0)
      }
      // Nobody waits for a number that nobody sees.
      let known = live.isSeen ? try store.countOfKnownPosts(of: feed, leaving: others, since: since) : nil
      let report = await recheck.run(feed, .all(since: since, leaving: others)) { count in
        live.show(Self.bar(of: feed, lookedUp: count, of: known))
      }
      if pictures {
        live.begin()
        let pull = fetches.pull(into: store) { live.say($0) }
        try await pull.run(report.edited) { if let bar = Self.bar(of: feed, fetching: $0) { live.show(bar) } }
      }
      return report
    }
  }

  /// The progress of a feed's recheck.
  static func bar(of feed: Feed, lookedUp count: Int, of known: Int?) -> ProgressBar {
    ProgressBar(title: "\(feed.spoken)", done: count, total: known, unit: "posts looked up")
  }

  /// The progress of downloading pictures of edited posts; nil for other events.
  static func bar(of feed: Feed, fetching event: PullEvent) -> ProgressBar? {
    guard case .picture(let done, let known, let bytes) = event else { return nil }
    return ProgressBar(
      title: "\(feed.spoken)", done: done, total: known, unit: "pictures of edited posts", bytes: Int(bytes))
  }

  private func spokenAPI(_ feed: Feed, _ store: Store) throws -> String? {
    try store.api(of: feed) ?? logins.account(for: feed, named: account)?.api
  }

  private func say(_ summary: RecheckSummary) throws {
    if json { return try console.result(try JSONText.line(summary)) }
    if !console.isQuiet { try console.result(RecheckText.line(summary)) }
  }

  private func end(_ failures: [any Error], of feeds: Int) throws {
    if Interruption.happened {
      console.error("media: interrupted: what was looked up is stored")
      throw ExitHandling.Quiet(code: Interruption.code)
    }
    try ExitHandling.end(failures, of: feeds)
  }
}
