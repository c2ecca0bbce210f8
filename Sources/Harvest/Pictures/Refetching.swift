import HTTP
import Posts
import Storage

extension PictureFetcher {
  /// Downloads the posts' wanted pictures that are not stored, a few posts at a time, whenever their next try is due.
  /// `onEvent` receives each result. Returns the library's failure that stopped it; nil if none did.
  public func fetch(
    ofPosts posts: [Int64], from store: Store, time: TimeSource,
    onEvent: @escaping @Sendable (PullEvent) -> Void
  ) async -> (any Error)? {
    var rest = posts[...]
    while !rest.isEmpty, failure == nil, !Task.isCancelled {
      do {
        let tasks = try store.pictures(ofPosts: Array(rest.prefix(Self.postsAtOnce)), now: time.now())
        rest = rest.dropFirst(Self.postsAtOnce)
        let (stream, feed) = AsyncStream.makeStream(of: PictureTask.self)
        expect(tasks)
        for task in tasks { feed.yield(task) }
        feed.finish()
        _ = await run(stream, onEvent: onEvent)
      } catch {
        return error
      }
    }
    return failure ?? (Task.isCancelled ? CancellationError() : nil)
  }

  private static let postsAtOnce = 200
}
