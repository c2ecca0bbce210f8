import MediaLibrary

/// An entry as its form was left: a new post made by hand, or a change of one.
public struct EntryWrite: Sendable, Equatable {
  /// The post to change; nil for a new one.
  public var post: Int64?
  /// What to change. Of a new post: what it has.
  public var edit: PostEdit
  /// The paths of files to attach.
  public var files: [String]

  /// Creates a write of an edit: a new entry if `post` is nil, else a change of that post.
  public init(post: Int64? = nil, edit: PostEdit, files: [String] = []) {
    (self.post, self.edit, self.files) = (post, edit, files)
  }
}
