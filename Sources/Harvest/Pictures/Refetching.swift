import HTTP
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

  /// Asks a server whether other bytes than the stored ones are behind a file's address: by their length and by the time of their
  /// last change (RFC 9110, 8.6 and 8.8.2).
  ///
  /// - Returns: nil if it does not answer.
  func isReplaced(_ file: KnownFile) async -> Bool? {
    guard let url = file.task.urls.first(where: { $0.hasPrefix("http") }) else { return false }
    var request = Request(.head, url, redirects: .anywhere)
    (request.isTriedOnce, request.time, request.referrer) = (true, .seconds(10), file.task.server)
    guard let answer = try? await transport.send(request) else { return nil }
    guard (200..<300).contains(answer.status) else { return false }
    let length = answer.headers["Content-Encoding"] == nil ? answer.headers["Content-Length"].flatMap { Int($0) } : nil
    if let length, length != file.byteCount { return true }
    return answer.date("Last-Modified").map { $0 > file.storedAt } ?? false
  }
}
