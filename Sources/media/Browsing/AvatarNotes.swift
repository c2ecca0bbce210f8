import Foundation
import MediaLibrary

/// Notes which avatars the list shows, so that they are not the next to go from the cache.
actor AvatarNotes {
  private let library: Library
  private let now: @Sendable () -> Date
  private let work = BlockingWork("avatars")
  private var noted: Set<Int64> = []

  init(library: Library, now: @escaping @Sendable () -> Date) { (self.library, self.now) = (library, now) }

  func note(_ posts: [ListedPost]) async {
    let new = posts.filter { $0.post.author?.avatar != nil && !noted.contains($0.post.id) }.map(\.post.id)
    guard !new.isEmpty else { return }
    noted.formUnion(new)
    // What cannot be noted now is noted another time.
    try? await work.run { [library, now] in try library.store.useAvatars(ofPosts: new, now: now()) }
  }
}
