import Foundation
import MediaLibrary

/// Notes which avatars the list shows, so that they are not the next to go from the cache.
struct AvatarNotes: Sendable {
  private let library: Library
  private let now: @Sendable () -> Date
  private let work = BlockingWork("avatars")
  private let posts: AsyncStream<[Int64]>
  private let continuation: AsyncStream<[Int64]>.Continuation

  init(library: Library, now: @escaping @Sendable () -> Date) {
    (self.library, self.now) = (library, now)
    (posts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
  }

  /// Takes what the list shows.
  func note(_ shown: [ListedPost]) {
    continuation.yield(shown.filter { $0.post.author?.avatar != nil }.map(\.post.id))
  }

  /// Writes down what was noted, each post's avatar once, until the task is cancelled.
  func keep() async {
    var kept: Set<Int64> = []
    for await ids in posts {
      let new = ids.filter { !kept.contains($0) }
      guard !new.isEmpty else { continue }
      do {
        try await work.run { [library, now] in try library.store.useAvatars(ofPosts: new, now: now()) }
        kept.formUnion(new)
      } catch {
        // What cannot be written now is noted when the list shows it again.
        continue
      }
    }
  }
}
