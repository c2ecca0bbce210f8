import FoundationEssentials
import HTTP
import Machine
import Posts
import Storage

/// Downloads pictures of stored posts without reading a page of any feed.
public struct PicturePull: Sendable {
  private let store: Store
  private let pictures: PictureFetcher
  private let lock: PictureLock
  private let time: TimeSource
  private let rates: RateGate?
  private let queue = BlockingExecutor("pictures")

  /// Creates a pull of pictures. `lock` makes processes that remove pictures wait. The gate `rates` returns unused requests
  /// at the end.
  public init(store: Store, pictures: PictureFetcher, lock: PictureLock, time: TimeSource, rates: RateGate? = nil) {
    (self.store, self.pictures, self.lock, self.time, self.rates) = (store, pictures, lock, time, rates)
  }

  /// Downloads wanted pictures of these posts that are missing. Failed pictures are retried when due, with `retryFailed` at
  /// once; with `gone` those that are gone, too. Skipped pictures stay skipped. With `avatars` the authors' avatars are
  /// included. `onEvent` receives each result. Throws what stops all downloads, such as a full disk; a failed picture does
  /// not.
  public func run(
    _ posts: [Int64], retryFailed: Bool = false, gone: Bool = false, avatars: Bool = false,
    onEvent: @escaping @Sendable (PullEvent) -> Void = { _ in }
  ) async throws {
    let wanted = try await queue.run { [store, time] in
      let pictures = try store.pictures(
        ofPosts: posts, retryFailed: retryFailed, gone: gone, skipped: false, now: time.now())
      guard avatars else { return pictures }
      return try pictures + store.avatars(ofPosts: posts, retryFailed: retryFailed, now: time.now())
    }
    if let failure = try await fetch(wanted, onEvent: onEvent)?.failure { throw failure }
  }

  /// Downloads pictures of these posts that a person asks for, also those that were skipped, failed or gone. These limits
  /// alone count. Throws as `run` does.
  public func run(
    asked posts: [Int64], within limits: FileLimits, onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async throws {
    let wanted = try await queue.run { [store, time] in
      try store.wantFiles(ofPosts: posts, within: limits, now: time.now())
      return try store.pictures(ofPosts: posts, retryFailed: true, gone: true, skipped: false, now: time.now())
    }
    let tasks = wanted.map { task in
      var task = task
      task.limits = limits
      return task
    }
    if let failure = try await fetch(tasks, onEvent: onEvent)?.failure { throw failure }
  }

  /// Downloads due pictures of the whole library, `limit` at most, none that has not begun by `end`. Throws as `run` does.
  /// `onStep` receives the numbers of finished and of known pictures.
  public func runDue(
    limit: Int, until end: Date? = nil, onStep: @escaping @Sendable (_ done: Int, _ known: Int) -> Void
  ) async throws -> Due {
    let due = try await queue.run { [store, time] in try store.duePictures(limit: limit, now: time.now()) }
    let tally = try await fetch(due, until: end) {
      if case .picture(let done, let known, _) = $0 { onStep(done, known) }
    }
    try Task.checkCancellation()
    if let failure = tally?.failure { throw failure }
    return tally.map { Due(counts: $0.counts, failures: $0.reasons, putOff: $0.putOffs) } ?? Due()
  }

  /// The results of due pictures.
  public struct Due: Sendable {
    /// The pictures.
    public var counts = PullSummary.MediaCounts()
    /// The first twenty reasons for failures, one line each.
    public var failures: [String] = []
    /// The hosts whose pictures were put off.
    public var putOff: [PicturesPutOff] = []
  }

  /// Returns nil if there is nothing to download.
  private func fetch(
    _ wanted: [PictureTask], until end: Date? = nil, onEvent: @escaping @Sendable (PullEvent) -> Void = { _ in }
  ) async throws -> PictureFetcher.Tally? {
    guard !wanted.isEmpty else { return nil }
    let held = try await lock.share(time: time)
    defer { withExtendedLifetime(held) {} }
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    pictures.expect(wanted)
    for task in wanted { found.yield(task) }
    found.finish()
    let tally = await pictures.run(tasks, until: end, onEvent: onEvent)
    await rates?.giveBack()
    return tally
  }
}
