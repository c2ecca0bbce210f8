import FoundationEssentials
import Machine
import MediaLibrary

/// Records which avatars the list shows, so that the cache does not evict them next.
struct AvatarNotes: Sendable {
  private let library: Library
  private let now: @Sendable () -> Date
  private let work = BlockingExecutor("avatars")
  private let posts: AsyncStream<[Int64]>
  private let continuation: AsyncStream<[Int64]>.Continuation

  init(library: Library, now: @escaping @Sendable () -> Date) {
    (self.library, self.now) = (library, now)
    (posts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
  }

  /// Handles the list's content.
  func note(_ shown: [ListedPost]) {
    continuation.yield(shown.filter { $0.post.author?.avatar != nil }.map(\.post.id))
  }

  /// Writes the recorded avatars, each post's once, until the task is cancelled.
  func keep() async {
    var noted: Set<Int64> = []
    for await ids in posts {
      let new = ids.filter { !noted.contains($0) }
      guard !new.isEmpty else { continue }
      do {
        try await work.run { [library, now] in try library.store.useAvatars(ofPosts: new, now: now()) }
        noted.formUnion(new)
      } catch {
        // A failed write is repeated when the list shows the avatar again.
        continue
      }
    }
  }
}
