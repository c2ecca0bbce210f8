import FoundationEssentials
import Glibc
import Harvest
import Login
import MediaLibrary
import Posts
import Services
import Storage
import Wording

/// Runs a command's pulls one after another: progress, a summary each, and one exit code for all. If a server requires a
/// login and a user is present, asks for it after all other pulls, then continues those of that server.
struct PullRunner: Sendable {
  let console: Console
  let library: LibraryOpener
  let settings: LibrarySettings
  let transports: TransportFactory
  let logins: AccountChooser
  let pulls: PullFactory
  let cache: AvatarCache
  let environment: [String: String]
  let account: String?
  let plan: PullPlan
  let json: Bool
  var api: String?
  /// The maximum cost of each feed's pages.
  var budget: Price?

  /// Pulls every feed, even after failures. `reasons` are the errors of names that gave no feed.
  func run(_ feeds: [Feed], without reasons: [any Error] = []) async throws {
    if feeds.isEmpty { return try end(reasons, of: reasons.count) }
    transports.prepare()
    let store = try library.openStore()
    defer { store.close() }
    async let _ = LateSteps.words.run(in: store, library.time.sleep)
    var plan = plan
    if try !settings.read(in: store).avatars { plan.avatars = false }
    if plan.pictures || plan.avatars { _ = try library.blobs.removeLeftovers() }
    var failures = reasons
    var limits: [Server: any Error] = [:]
    var barred: [Feed] = []
    for feed in feeds {
      // A host's requested delay applies to all of its feeds.
      if let limit = limits[feed.server] {
        record(PullReport(failing: limit, of: feed), of: feed, from: library.time.now(), in: store)
        failures.append(limit)
        continue
      }
      let start = library.time.now()
      let (report, progress): (PullReport, Progress)
      do {
        (report, progress) = try await pullDiscovering(feed, plan, into: store)
      } catch let refused as LoginError {
        record(PullReport(failing: refused, of: feed), of: feed, from: start, in: store)
        failures.append(refused)
        continue
      }
      progress.line.clear()
      if mayAsk, let failure = report.failure as? SourceError, failure.wantsLogin, !Interruption.happened {
        barred.append(progress.feed)
        continue
      }
      record(report, of: progress.feed, from: start, in: store)
      try say(report)
      if let failure = report.failure as? SourceError, case .budgetSpent = failure {
        console.message("media: \(failure)")
      } else if let failure = report.failure {
        let pulled = progress.feed
        failures.append(logins.advised(failure, of: pulled, by: try spokenAPI(pulled, store), as: account))
        if case SourceError.rateLimited = failure { limits[feed.server] = failure }
      }
      if Interruption.happened { break }
      if let code = report.pictureCode { failures.append(ExitHandling.Quiet(code: code)) }
    }
    failures += try await pullBehindLogins(barred, plan, into: store)
    do { try cache.trim(store) } catch { failures.append(error) }
    try end(failures, of: feeds.count + reasons.count)
  }

  /// Whether a user sees messages and can answer.
  private var mayAsk: Bool {
    account == nil && !console.isQuiet && console.inputIsTerminal && console.messagesAreSeen
  }

  /// Asks for a login at each server once, and pulls the feeds that waited for it.
  private func pullBehindLogins(_ feeds: [Feed], _ plan: PullPlan, into store: Store) async throws -> [any Error] {
    var failures: [any Error] = []
    var refusals: [Server: any Error] = [:]
    var open: Set<Server> = []
    for feed in feeds where !Interruption.happened {
      if refusals[feed.server] == nil, !open.contains(feed.server) {
        do {
          try await logIn(for: feed, by: try spokenAPI(feed, store))
          open.insert(feed.server)
        } catch { refusals[feed.server] = error }
      }
      if let refusal = refusals[feed.server] {
        record(PullReport(failing: refusal, of: feed), of: feed, from: library.time.now(), in: store)
        failures.append(refusal)
        continue
      }
      let start = library.time.now()
      let (report, progress) = try await pull(feed, plan, into: store)
      progress.line.clear()
      record(report, of: feed, from: start, in: store)
      try say(report)
      if let failure = report.failure {
        failures.append(logins.advised(failure, of: feed, by: try spokenAPI(feed, store), as: account))
      }
      if let code = report.pictureCode { failures.append(ExitHandling.Quiet(code: code)) }
    }
    return failures
  }

  private func logIn(for feed: Feed, by api: String?) async throws {
    let needed = SourceError.needsLogin(feed.server)
    let flow = logins.flow()
    if let wanted = Catalogue.entry(feed.source)?.api(api, at: feed.server)?.login?.password {
      console.message("\(needed.summary).")
      let dialog = PasswordDialog(console: console, flow: flow, wanted: wanted)
      return say(try await dialog.ask(at: feed.server, of: feed.source))
    }
    let begun: Authorization
    do { begun = try await flow.begin(feed.server, source: feed.source) } catch let error as LoginError {
      switch error {
      case .needsKeys, .needsKey: throw LoginAdvice(needed, for: feed, by: api) ?? needed
      default: throw error
      }
    }
    console.message("\(needed.summary).")
    let talk = LoginDialog(console: console, environment: environment, flow: flow, opensBrowser: true) {
      [console] authorization in
      console.message("\(authorization.url)")
    }
    guard let account = try await talk.ask(begun) else {
      throw LoginPending(server: feed.server, isConfirmed: begun.isConfirmed)
    }
    say(account)
  }

  private func say(_ account: Account) {
    console.message("Logged in as \(account.handle) at \(account.server).")
  }

  /// The pull of a feed, or of the same at the server that speaks for the accounts of its own.
  private func pullDiscovering(
    _ feed: Feed, _ plan: PullPlan, into store: Store
  ) async throws -> (PullReport, Progress) {
    var (report, progress) = try await pull(feed, plan, into: store)
    guard let failure = report.failure, account == nil, report.summary.pages == 0 else { return (report, progress) }
    let discovery = FeedDiscovery(logins: logins, transports: transports)
    do {
      let other = try await Interruption.guarding { [line = progress.line] in
        try await discovery.feed(insteadOf: feed, after: failure, in: store, say: line.say)
      }
      guard let other else { return (report, progress) }
      progress.line.clear()
      _ = try store.forgetEmpty(feed)
      return try await pull(other, plan, into: store)
    } catch let failure as SourceError {
      _ = try store.forgetEmpty(feed)
      report.failure = failure
      return (report, progress)
    }
  }

  private func pull(_ feed: Feed, _ plan: PullPlan, into store: Store) async throws -> (PullReport, Progress) {
    let progress = Progress(console, feed: feed, pages: plan.pages, time: library.time)
    let start = library.time.now()
    let report = try await Interruption.guarding {
      let login = try await logins.login(for: feed, named: account)
      let pull = try pulls.pull(of: feed, as: login, api: api, budget: budget, rank: rank, into: store) {
        progress.line.say($0)
      }
      let spoken = try SourceAPI.chosen(for: feed, as: login, asked: api, in: store)
      if let limit = spoken.limits[feed.kind] { progress.line.say("\(limit)") }
      if let prices = spoken.prices, login != nil {
        progress.line.say("\(feed.spoken): \(prices.estimate(for: feed, pages: plan.pages, size: plan.pageSize))")
      }
      return await pull.run(feed, plan, mayExceed: { _, _ in await mayExceed(progress) }) { progress.note($0) }
    }
    for event in report.events(of: feed, from: start, to: library.time.now()) { console.event(event) }
    return (report, progress)
  }

  /// Keeps a line for `media runs`. The pull is told in any case, so a library that cannot be written is no error of its own.
  private func record(_ report: PullReport, of feed: Feed, from start: Date, in store: Store) {
    let isStopped = Interruption.happened
    let failure = report.failure.map { ($0 as? any ExplainedError)?.exitCode ?? .storage }
    let code = isStopped ? Interruption.code : failure ?? report.pictureCode ?? .done
    let now = library.time.now()
    let (part, events) = report.record(of: feed, from: start, to: now)
    try? store.recordPull(
      part, as: isStopped ? .interrupted : .done, code: code.rawValue, from: start, events: events, now: now)
  }

  /// Asks whether all files of a feed are downloaded, which its progress has just told to be many. False if nobody is asked.
  private func mayExceed(_ progress: Progress) async -> Bool {
    guard progress.line.isSeen, console.inputIsTerminal else { return false }
    progress.line.clear()
    console.live("Download all of them? [y/N] ")
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    // A signal ends the wait.
    while poll(&input, 1, 0) == 0 {
      do { try await library.time.sleep(.milliseconds(100)) } catch { return false }
    }
    return Console.isAgreed
  }

  private func spokenAPI(_ feed: Feed, _ store: Store) throws -> String? {
    try api ?? store.api(of: feed) ?? logins.account(for: feed, named: account)?.api
  }

  /// Not when filling gaps, nor with `--quiet` and no terminal, as in a crontab.
  private var rank: RateRank {
    let isUnseen = console.isQuiet && !console.messagesAreSeen
    return plan.scope == .gaps || isUnseen ? .background : .interactive
  }

  private func say(_ report: PullReport) throws {
    let summary = report.summary
    let times = MomentText()
    for line in report.pictureFailures { console.error("media: could not download picture: \(line)") }
    for putOff in report.picturesPutOff.prefix(Self.mostHosts) {
      console.error("media: \(PutOffText.line(putOff, of: summary.feed, times))")
    }
    if summary.media.failed > 0 {
      let pictures = NumberText.count(summary.media.failed, "picture")
      let untold = summary.media.failed - report.pictureFailures.count
      let others = untold > 0 ? ", \(untold) more than are named" : ""
      let feed = Feed.spoken(summary.feed)
      console.error("media: \(pictures) of \(feed) failed\(others): --retry-failed tries again at once")
    }
    if let waiting = LimitText.waiting(summary, most: plan.limits.maxTotal) { console.message("media: \(waiting)") }
    if json { try console.result(try JSONText.line(summary)) }
    if !json, !console.isQuiet { try console.result(SummaryText(report, times).line) }
  }

  /// Maximum number of hosts listed whose pictures were put off.
  private static let mostHosts = 20

  private func end(_ failures: [any Error], of feeds: Int) throws {
    if Interruption.happened {
      let again = plan.scope == .gaps ? "the same command" : "--resume"
      console.error("media: interrupted: what came is stored, \(again) goes on from there")
      throw ExitHandling.Quiet(code: Interruption.code)
    }
    try ExitHandling.end(failures, of: feeds)
  }
}

extension PullReport {
  /// The exit code from a pull's pictures alone, if some failed or were put off; nil if all were stored, or if more failed.
  fileprivate var pictureCode: Posts.ExitCode? {
    if failure != nil { return nil }
    return summary.media.failed > 0 ? .partial : summary.media.putOff > 0 ? .tryLater : nil
  }
}
