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
  /// once. What was left out on purpose stays out. Throws what stops the fetching, such as a full disk; a picture that
  /// cannot be had does not.
  public func run(_ posts: [Int64], retryFailed: Bool = false) async throws {
    let wanted = try await queue.run { [store, time] in
      try store.pictures(ofPosts: posts, retryFailed: retryFailed, skipped: false, now: time.now())
    }
    guard !wanted.isEmpty else { return }
    let held = try await lock.share(time: time)
    defer { withExtendedLifetime(held) {} }
    defer { rates?.giveBack() }
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    for task in wanted { found.yield(task) }
    found.finish()
    if let failure = await pictures.run(tasks, onEvent: { _ in }).failure { throw failure }
  }
}
