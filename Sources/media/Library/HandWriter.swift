import FoundationEssentials
import HTTP
import Harvest
import MediaLibrary
import Posts
import Storage
import Terminal

/// Stores and changes posts made by hand for the commands that do, with the files that go with them.
struct HandWriter {
  let library: LibraryOpener
  let console: Console
  let time: TimeSource
  let isJSON: Bool

  /// Stores a post with files.
  ///
  /// - Parameter says: What to tell, with the post's number.
  func add(_ post: Post, attach paths: [String], says: (Int64) -> SafeText) throws {
    try storing(paths) { store, files in
      var post = post
      post.attachments = files.map(\.attachment)
      let id = try store.add(post, id: UUID(), pictures: files.map(\.blob), now: time.now())
      try report(id, in: store, says(id))
    }
  }

  /// Changes a post.
  ///
  /// - Parameters:
  ///   - paths: Files to attach.
  ///   - numbers: The attachments to remove, counted from 1.
  func edit(_ id: Int64, _ edit: PostEdit, attach paths: [String], detach numbers: [Int]) throws {
    try storing(paths) { store, files in
      var edit = edit
      edit.added = files
      edit.removed = try Set(numbers).sorted().map { try Self.attachment($0, of: id, in: store) }
      let isChanged = try store.edit(id, edit, now: time.now())
      try report(id, in: store, isChanged ? "Changed post \(id)." : "Post \(id) was so before: nothing changed.")
    }
  }

  private static func attachment(_ number: Int, of id: Int64, in store: Store) throws -> Int64 {
    guard let post = try store.post(id)?.post else { throw StorageError.unknownPosts([id]) }
    guard post.attachments.indices.contains(number - 1) else { throw StorageError.notEdited(id, .noAttachment) }
    return post.attachments[number - 1].id
  }

  /// Stores files, and runs work with them.
  private func storing(_ paths: [String], _ body: (Store, [PostEdit.File]) throws -> Void) throws {
    // Opened before the library is touched: a missing file must leave nothing behind.
    let files = try paths.map { try AttachedFile($0) }
    try library.withStore { store in
      let lock = try library.pictureLock.acquireSharedBlocking()
      defer { withExtendedLifetime(lock) {} }
      try body(store, try AttachedFile.store(files, in: library.blobs))
    }
  }

  private func report(_ id: Int64, in store: Store, _ words: SafeText) throws {
    guard isJSON, let whole = try store.post(id) else { return console.message(words) }
    try console.result(try JSONText.line(PostLine(whole.post)))
  }
}
