import Foundation
import HTTP
import Posts
import Storage

/// Fetches pictures of posts that are stored, without a page of any feed.
public struct PicturePull: Sendable {
  private let store: Store
  private let pictures: PictureFetcher
  private let lock: PictureLock
  private let time: Timekeeper
  private let rates: RateGate?
  private let queue = BlockingQueue("pictures")

  /// A pull of pictures from its parts; `lock` keeps those waiting who would take pictures away; what the gate
  /// `rates` has taken is given back at the end.
  public init(
    store: Store, pictures: PictureFetcher, lock: PictureLock, time: Timekeeper, rates: RateGate? = nil
  ) {
    (self.store, self.pictures, self.lock, self.time, self.rates) = (store, pictures, lock, time, rates)
  }

  /// Fetches what is wanted of these posts and not here; failed pictures when their time has come, with `retryFailed` at
  /// once, and with `gone` those that are gone too. What was left out on purpose stays out. Throws what stops the
  /// fetching, such as a full disk; a picture that cannot be had does not. `onEvent` is told of each. With `avatars` those
  /// of the posts' authors come, too.
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

  /// Fetches pictures of the whole library whose time has come, so many at most and none that has not begun by `end`;
  /// throws as `run` does. `onStep` is told how many of how many are done.
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

  /// What came of pictures whose time had come.
  public struct Due: Sendable {
    /// The pictures.
    public var counts = PullSummary.MediaCounts()
    /// Why they could not be had, one line each, the first twenty.
    public var failures: [String] = []
    /// The hosts for which they were put off.
    public var putOff: [PicturesPutOff] = []
  }

  /// nil where there is nothing to fetch.
  private func fetch(
    _ wanted: [PictureTask], until end: Date? = nil, onEvent: @escaping @Sendable (PullEvent) -> Void = { _ in }
  ) async throws -> PictureFetcher.Tally? {
    guard !wanted.isEmpty else { return nil }
    let held = try await lock.share(time: time)
    defer { withExtendedLifetime(held) {} }
    defer { rates?.giveBack() }
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    pictures.expect(wanted)
    for task in wanted { found.yield(task) }
    found.finish()
    return await pictures.run(tasks, until: end, onEvent: onEvent)
  }
}
