import Browse
import FoundationEssentials
import MediaLibrary
import Posts

/// Stores the entries of the list's form.
struct EntryWriter {
  let library: Library
  let now: Date

  func write(_ entry: EntryWrite) throws -> UserAction {
    let files = try entry.files.map { try AttachedFile(Self.path($0), typedAfter: "") }
    let stored = try AttachedFile.store(files, in: library.blobs)
    guard let id = entry.post else { return .added(try add(entry.edit, stored)) }
    var edit = entry.edit
    edit.added = stored
    let before = try library.store.post(id)?.post
    let isChanged = try library.store.edit(id, edit, now: now)
    let undo = before.map { Self.undoing(edit, of: $0) }
    let isUndone = isChanged && undo?.isEmpty == false
    return .edited(id, undo: isUndone ? undo.map { EntryWrite(post: id, edit: $0) } : nil)
  }

  private func add(_ edit: PostEdit, _ files: [PostEdit.File]) throws -> Int64 {
    var post = Post(
      source: .manual, uri: "", createdAt: edit.start ?? now, endsAt: edit.finish ?? nil, title: edit.title ?? nil,
      caption: edit.caption ?? "", tags: try ManualPost.names(ofTags: edit.addedTags))
    post.attachments = files.map(\.attachment)
    return try library.store.add(post, id: UUID(), pictures: files.map(\.blob), now: now)
  }

  /// The edit that gives a post back its wording, its times and its tags.
  private static func undoing(_ edit: PostEdit, of post: StoredPost) -> PostEdit {
    var undo = PostEdit()
    if edit.title != nil { undo.title = .some(post.title) }
    if edit.caption != nil { undo.caption = post.caption }
    if edit.start != nil { undo.start = post.createdAt }
    if edit.start != nil || edit.finish != nil { undo.finish = .some(post.endsAt) }
    undo.addedTags = edit.removedTags.filter { post.tags.contains($0) }
    undo.removedTags = edit.addedTags.filter { !post.tags.contains($0) }
    return undo
  }

  /// A path as people type it: `~/` is the home folder. Quotes are what a terminal puts around a dropped file.
  static func path(_ typed: String) -> String {
    var path = typed
    for quote in ["'", "\""] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
      path = String(path.dropFirst().dropLast())
    }
    guard path.hasPrefix("~/") else { return path }
    return FileManager.default.homeDirectoryForCurrentUser.path + path.dropFirst()
  }
}
