import FoundationEssentials
import HTTP
import Harvest
import Machine
import MediaLibrary
import Posts
import Storage

/// Pulls the followed feeds of a library that machines share, several at once, until it is ended. Any number of machines
/// may do so: a lease of each feed tells the others to leave it alone.
struct HarvestWorkers: Sendable {
  let console: Console
  let store: Store
  let leases: Leases
  let locks: FeedLocks
  let runner: HarvestRunner
  let accountsChangedAt: Date?
  let time: TimeSource
  let clock: LibraryClock
  let plan: PullPlan
  let manager: ServiceManager
  let tally: RequestTally

  /// The wait of a worker that finds nothing to do.
  private static let pause = Duration.seconds(2)
  /// The wait after the library failed.
  private static let longPause = Duration.seconds(10)
  /// The wait between two looks for pictures that are due and posts to be looked up again.
  private static let carePause = Duration.seconds(30)

  /// Works until the task is cancelled.
  ///
  /// - Parameter count: How many feeds are pulled at once.
  /// - Throws: `StorageError.newer` once a newer program has migrated the library.
  func run(_ count: Int) async throws {
    let whatIsDone = "\(count) \(count == 1 ? "worker pulls" : "workers pull") what is due"
    console.message("\(whatIsDone); Ctrl-C ends them.")
    manager.notify(.ready, .status(whatIsDone))
    defer { manager.notify(.stopping) }
    try await Interruption.guarding {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await manager.stayAlive(time.sleep) }
        for _ in 0..<count { group.addTask { try await repeating(Self.pause) { try await pullNext() } } }
        group.addTask { try await repeating(Self.carePause) { try await care() } }
        // The first that fails ends the others.
        for try await _ in group {}
      }
    }
  }

  /// Repeats a step until the task is cancelled; at once while there is something to do.
  private func repeating(_ pause: Duration, _ step: () async throws -> Bool) async throws {
    while !Task.isCancelled {
      var wait: Duration?
      do {
        if try await !step() { wait = pause }
      } catch is CancellationError {
      } catch let failure as StorageError where failure.needsUpdate {
        // Whoever starts this one again may start the newer one.
        throw failure
      } catch let failure as ExitHandling.Quiet {
        // It was said, and is in the run's record. If the disk of this machine is full, the feed is still due.
        wait = failure.code == .storage ? Self.longPause : Self.pause
      } catch {
        _ = ExitHandling.say(error)
        wait = Self.longPause
      }
      // Workers that began together do not look at the same moment.
      if let wait { try? await time.sleep(wait * (0.5 + time.chance())) }
    }
  }

  /// Pulls a feed that is due and that nobody pulls. Returns whether it did.
  private func pullNext() async throws -> Bool {
    let due = try due().filter { !locks.isHeld($0.feed) }
    guard let first = due.first else { return false }
    // Workers that look at once take different feeds.
    let follow = due[min(Int(time.chance() * Double(min(due.count, 16))), due.count - 1)]
    for follow in [follow, first] {
      guard let held = try await hold(follow.feed) else { continue }
      defer { withExtendedLifetime(held) {} }
      // Another worker may have pulled it since.
      guard let now = try self.due().first(where: { $0.feed == follow.feed }) else { continue }
      var runner = runner
      runner.part = .feeds
      var isDone = false
      defer { tally.pulled(isDone: isDone) }
      try await runner.run([HarvestTask(now.feed, follow: now)], plan: plan)
      isDone = true
      return true
    }
    // Others pull them, or no pictures may be stored now.
    return false
  }

  private func hold(_ feed: Feed) async throws -> FeedLocks.Held? {
    do { return try await locks.hold(feed, within: .zero, time: time) {} } catch is FeedInUse { return nil }
  }

  /// The follows that are due by the server's clock, the one that has waited longest first.
  private func due() throws -> [Follow] {
    let plan = FollowPlan(now: try clock.follow(leases), accountsChangedAt: accountsChangedAt)
    return try store.follows().filter(plan.isDue)
      .sorted { ($0.schedule.dueAt ?? .distantPast) < ($1.schedule.dueAt ?? .distantPast) }
  }

  /// Fetches pictures that are due and looks up posts again, unless another machine does. Returns false: the next look can
  /// wait, since a run does all that is due.
  private func care() async throws -> Bool {
    let now = try clock.follow(leases)
    let hasWork = try plan.pictures && !store.duePictures(limit: 1, now: now).isEmpty || store.hasDuePosts(now: now)
    guard hasWork, let held = try await HeldLease.take("care", of: leases, time: time) else { return false }
    defer { withExtendedLifetime(held) {} }
    var runner = runner
    runner.part = .care
    try await runner.run([], plan: plan)
    return false
  }
}
