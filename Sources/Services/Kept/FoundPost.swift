import Posts

/// A post that was found in what another program or a service kept, with the files that belong to it.
public struct FoundPost: Sendable {
  /// The post, or why it could not be read.
  public var item: PageItem
  /// The file of each attachment, by its path; nil if there is none. As many as the post has attachments.
  public var files: [String?]
  /// The files that are named and are not there, by the index of their attachment.
  public var absent: [Int: String] = [:]
  /// The files that a limit left out, by the index of their attachment.
  public var leftOut: [Int: LeftOut] = [:]
  /// The path of what it was read from; empty if that says nothing.
  public var origin = ""
  /// The paths of its descriptions, if files of their own describe it.
  public var descriptions: [String] = []
  /// What the person made of it.
  public var marks = KeptMarks()
  /// Whether it replaces a stored post of the same identity.
  public var replaces: Bool
  /// Whether its identity is made up. A post of its source with the same first picture is the same post.
  public var isFoundByPicture: Bool
  /// Whether its first picture's hash completes the identity.
  public var isNamedByPicture: Bool

  /// Creates a post as an archive or a folder has it.
  public init(
    _ item: PageItem, files: [String?] = [], replaces: Bool = false, isFoundByPicture: Bool = false,
    isNamedByPicture: Bool = false
  ) {
    (self.item, self.files) = (item, files)
    (self.replaces, self.isFoundByPicture, self.isNamedByPicture) = (replaces, isFoundByPicture, isNamedByPicture)
  }

  /// A file that cannot be read, and why.
  public init(unreadable path: String, _ reason: String) {
    self.init(PageItem(id: path, content: .unreadable(reason: reason), raw: Array(path.utf8)))
    descriptions = [path]
  }

  /// Whether only some people were meant to see it.
  public var isPrivate: Bool { item.post.map { !$0.visibility.isPublishable } ?? false }
}
