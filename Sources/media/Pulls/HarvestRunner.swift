import Derivatives
import FoundationEssentials
import Glibc
import HTTP
import Harvest
import Machine
import MediaLibrary
import Posts
import Storage

/// Runs a harvest for a command: progress, failures, one summary line, one exit code, and the run's record.
struct HarvestRunner: Sendable {
  let console: Console
  let library: LibraryOpener
  let settings: LibrarySettings
  let logins: AccountChooser
  let pulls: PullFactory
  let pages: PageReading
  let rechecks: RecheckFactory
  let pictures: PictureFactory
  let cache: AvatarCache
  let inspector: Inspector
  let environment: [String: String]
  let model: @Sendable (Settings) -> ModelProgram?
  let reporter: NoticeReporter
  let time: TimeSource
  let store: Store
  let manager: ServiceManager
  let json: Bool
  var part = Part.whole

  /// What of a harvest is run.
  enum Part {
    /// All of it, for a person or for cron.
    case whole
    /// The feeds alone, beside other workers.
    case feeds
    /// What belongs to no feed: pictures that are due, and posts to be looked up again.
    case care
  }

  /// Pulls the feeds. The caller holds the lock of harvests, or a lease of each feed.
  func run(_ errands: [HarvestTask], plan: PullPlan) async throws {
    var plan = plan
    if try !settings.read(in: store).avatars { plan.avatars = false }
    if part != .feeds, plan.pictures || plan.avatars { _ = try library.blobs.removeLeftovers() }
    let run = try store.beginRun(of: errands.count, process: getpid(), now: time.now())
    // Other machines see by it that this harvest has not ended.
    let lease =
      if let leases = store.leases { try await HeldLease.take("run \(run)", of: leases, time: time) } else {
        nil as HeldLease?
      }
    defer { withExtendedLifetime(lease) {} }
    let events = RunEvents { [console] in console.event($0) }
    let (meter, progress) = (
      TrafficMeter(events: events),
      part == .whole
        ? HarvestProgress(console, feeds: errands.count, telling: manager)
        : HarvestProgress(Console(isQuiet: true), feeds: errands.count)
    )
    let report = try await harvest(errands, plan, as: run, meter, events, progress)
    progress.line.clear()
    var failure = report.failure
    // What a stream did not bring is no failure of the feeds, and keeps no post from being looked up again.
    if part != .feeds, failure == nil, !Interruption.happened {
      do { try await looks(try settings.read(in: store)).run(pictures: plan.pictures) } catch {
        events.add(LogLine(failing: error, at: time.now()))
        if !Interruption.happened { _ = ExitHandling.say(error) }
      }
    }
    let rechecks = HarvestRechecks(
      console: console, logins: logins, rechecks: self.rechecks, fetches: pictures, time: time, store: store, run: run,
      events: events, pictures: plan.pictures)
    var counts = HarvestRun.RecheckCounts()
    if part != .feeds, failure == nil, !Interruption.happened {
      do { counts = try await rechecks.run(after: report, meter) } catch { failure = error }
    }
    if part != .feeds { do { try cache.trim(store) } catch { failure = failure ?? error } }
    let code = Interruption.happened ? Interruption.code : failure.map(Self.code) ?? report.code(Self.code)
    if let failure { events.add(LogLine(failing: failure, at: time.now())) }
    try end(run, code, meter, events)
    try say(report, failure, meter.traffic, counts)
    if !Interruption.happened { await reporter.post(after: run) }
    if part != .feeds { await inspect() }
    if code != .done { throw ExitHandling.Quiet(code: code) }
  }

  /// Looks at files that are new, the last ones first. What is left, the next harvest does.
  func inspect() async {
    do {
      let settings = try settings.read(in: store)
      guard !Interruption.happened, settings.inspection else { return }
      let readsText = settings.readableLanguages(environment) != nil
      let run = InspectionRun(store, inspector, model: model(settings), time: time, languages: settings.textLanguages)
      let report = try await Interruption.guarding {
        var report = try await run.run(for: InspectionKind.ofFiles, within: .harvest)
        let byModel = try await run.run(for: [.model], within: .harvest)
        (report.modelUnavailable, report.hasOtherModel) = (byModel.modelUnavailable, byModel.hasOtherModel)
        if readsText, report.unavailable == nil { _ = try await run.run(for: [.text], within: .harvestedText) }
        return report
      }
      if report.hasOtherModel { console.warning("media: the model looks at no new files: \(InspectionRun.otherModel)") }
      if let reason = report.modelUnavailable {
        console.warning("media: the model looks at no new files: \(reason): \"media settings look\" shows its command")
      }
      if let reason = report.unavailable {
        console.warning("media: new files are not looked at: \(reason): \"media doctor\" says what is missing")
      }
    } catch {
      // The harvest itself is done and told.
      if !Interruption.happened { _ = ExitHandling.say(error) }
    }
  }

  private func harvest(
    _ errands: [HarvestTask], _ plan: PullPlan, as run: Int64, _ meter: TrafficMeter, _ events: RunEvents,
    _ progress: HarvestProgress
  ) async throws -> HarvestReport {
    let harvester = Harvester(
      store: store,
      pictures: pictures.pull(into: store, rank: .background, metered: meter) { progress.line.say($0) },
      time: time, accountsChangedAt: logins.changedAt, events: events
    ) { [logins, pulls, pages, store] feed in
      if feed.page != nil { return PagePull(reading: pages, store: store) }
      let login = try await logins.login(for: feed)
      return try pulls.pull(of: feed, as: login, rank: .background, into: store, metered: meter) {
        progress.line.say($0)
      }
    }
    return try await Interruption.guarding { [plan, store, time] in
      // What is left of it when the harvest ends, the next one does.
      async let _ = part == .feeds ? () : LateSteps.visibilities().run(in: store, time.sleep)
      return await harvester.run(errands, plan: plan, retriesPictures: part != .feeds, as: run) { progress.note($0) }
    }
  }

  private func looks(_ settings: Settings) -> StreamLooks {
    StreamLooks(
      console: console, settings: settings, logins: logins, pulls: pulls, pictures: pictures, time: time, store: store)
  }

  private func end(_ run: Int64, _ code: ExitCode, _ meter: TrafficMeter, _ events: RunEvents) throws {
    let traffic = meter.traffic
    try store.finishRun(
      run, as: Interruption.happened ? .interrupted : .done, code: code.rawValue, requests: traffic.requests,
      bytes: traffic.bytes, waited: traffic.waited, events: events.take(), now: time.now())
  }

  private func say(
    _ report: HarvestReport, _ failure: (any Error)?, _ traffic: TrafficMeter.Traffic,
    _ counts: HarvestRun.RecheckCounts
  ) throws {
    let text = HarvestText(report: report, traffic: traffic, logins: logins, rechecks: counts)
    for line in text.failures { console.error("media: \(line)") }
    if let failure { _ = ExitHandling.say(failure) }
    if Interruption.happened, part == .whole {
      console.error("media: interrupted: what came is stored, the next harvest goes on from there")
    }
    for entry in report.entries {
      if let waiting = LimitText.waiting(entry.summary, most: nil) { console.message("media: \(waiting)") }
    }
    if json {
      let lines = report.entries.map { HarvestLine($0) } + report.putOff.map { HarvestLine(putOff: $0) }
      for line in lines { try console.result(try JSONText.line(line)) }
    } else if !console.isQuiet, part != .care {
      try console.result(text.line)
    }
  }

  /// The exit code of an error, without reporting it.
  private static func code(_ error: any Error) -> ExitCode {
    (error as? any ExplainedError)?.exitCode ?? (error is CancellationError ? Interruption.code : .storage)
  }
}
