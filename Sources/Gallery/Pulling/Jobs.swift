import HTTPTypes
import Posts

/// Runs `media` commands for the pages, as children of the gallery: errors have the command's own words, and locks, rate
/// budgets and logins are shared as between any two commands.
actor Jobs {
  /// The maximum number of commands at once. More wait.
  private static let mostRunning = 2
  /// The maximum number of commands that wait.
  private static let mostWaiting = 100
  /// The number of ended jobs that are kept.
  static let mostEnded = 50
  /// How long a cancelled command may take to store what came.
  private static let grace = Duration.seconds(5)
  /// The same when the server ends.
  private static let lastGrace = Duration.seconds(1)

  private let program: MediaProgram
  private let publish: @Sendable (Job) async -> Void
  private var records: [JobRecord] = []
  private var count = 0
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var hasEnded = false

  /// - Parameters:
  ///   - program: The program that runs.
  ///   - publish: Receives a job after each change.
  init(_ program: MediaProgram, publish: @escaping @Sendable (Job) async -> Void) {
    (self.program, self.publish) = (program, publish)
  }

  /// The jobs, newest first.
  var all: [Job] { records.reversed().map(\.job) }

  /// Adds a job, or joins one that is to do the same and has not ended.
  ///
  /// - Throws: `PullRefusal.tooMany` if too many wait.
  func add(_ plan: JobPlan) async throws(PullRefusal) -> Job {
    if let same = records.last(where: { $0.plan == plan && $0.job.isActive }) { return same.job }
    guard !hasEnded, records.count(where: { $0.job.state == .waiting }) < Self.mostWaiting else { throw .tooMany }
    count += 1
    let record = JobRecord(id: count, plan: plan)
    records.append(record)
    beginNext()
    await publish(record.job)
    return record.job
  }

  /// Adds the same job again.
  func again(_ id: Int) async throws(PullRefusal) -> Job { try await add(try record(id).plan) }

  /// Ends a job. What it has stored stays.
  func cancel(_ id: Int) async throws(PullRefusal) -> Job {
    let record = try record(id)
    record.cancel(within: Self.grace)
    await publish(record.job)
    return record.job
  }

  /// Ends all jobs and waits for their ends. No more are added.
  func end() async {
    hasEnded = true
    for record in records { record.cancel(within: Self.lastGrace) }
    for task in tasks.values { await task.value }
  }

  private func record(_ id: Int) throws(PullRefusal) -> JobRecord {
    guard let record = records.first(where: { $0.id == id }) else { throw .noJob }
    return record
  }

  private func beginNext() {
    while tasks.count < Self.mostRunning, !hasEnded, let next = records.first(where: { $0.job.state == .waiting }) {
      next.change { $0.state = .running }
      // Kept until it has ended: it ends with its command, which `cancel` and `end` end.
      tasks[next.id] = Task { await perform(next) }
    }
  }

  private func perform(_ record: JobRecord) async {
    let (changes, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // It ends with the stream, which is awaited below.
    let reports = Task { for await _ in changes { await publish(record.job) } }
    if await run(record, { tell.yield() }) { record.finish() }
    tell.finish()
    await reports.value
    tasks[record.id] = nil
    forgetOldest()
    beginNext()
    await publish(record.job)
  }

  /// Runs the commands of a job. Returns whether all succeeded.
  private func run(_ record: JobRecord, _ onProgress: @escaping @Sendable () -> Void) async -> Bool {
    guard await record.run(record.plan.command, by: program, onProgress: onProgress) else { return false }
    guard let follow = record.plan.follow else { return true }
    for feed in record.job.feeds {
      let command = MediaArguments("follow", [feed]).adding("--every", follow.every)
      guard await record.run(command, by: program, onProgress: onProgress) else { return false }
    }
    return true
  }

  private func forgetOldest() {
    let ended = records.filter { !$0.job.isActive }.map(\.id)
    let surplus = Set(ended.dropLast(Self.mostEnded))
    records.removeAll { surplus.contains($0.id) }
  }
}

/// Why a pull is not begun.
enum PullRefusal: Error, Equatable {
  case tooMany
  /// No job has the number, or it ended long ago.
  case noJob
  /// No login under way has the number.
  case noLogin
  /// No feed brings the posts of the list.
  case noFeeds
  /// The program is missing.
  case noProgram
  /// The system does not start it, with its reason.
  case notStarted(String)
}

extension PullRefusal: ExplainedError, HTTPAnswerable {
  var summary: String {
    switch self {
    case .tooMany: "too many pulls are waiting"
    case .noJob: "there is no such pull any more"
    case .noLogin: "this login is not under way any more"
    case .noFeeds: "no feed that was pulled brings this list"
    case .noProgram: "media, which pulls, is neither beside the gallery's program nor on PATH"
    case .notStarted(let reason): "media cannot be started (\(reason))"
    }
  }

  var cure: String? {
    switch self {
    case .tooMany: "try again when some are done"
    case .noJob: nil
    case .noLogin: "begin it again"
    case .noFeeds: "pull a tag, a user or a search first"
    case .noProgram: "install media whole with Scripts/install"
    case .notStarted: "try again later"
    }
  }

  var exitCode: Posts.ExitCode { .unavailable }

  var status: HTTPResponse.Status {
    switch self {
    case .tooMany, .noProgram, .notStarted: .serviceUnavailable
    case .noJob, .noLogin: .notFound
    case .noFeeds: .conflict
    }
  }
}
