import Posts

/// A post to import, or what could not be read.
public struct ImportItem: Sendable {
  /// The post with its verbatim form, or why it is none.
  public var item: PageItem
  /// The stored bytes of its attachments, by their index.
  public var pictures: [Int: StoredBlob]
  /// Whether it replaces a stored post of the same identity.
  public var replaces: Bool
  /// Whether a post of its source with the same first picture is the same post: its own identity was made up.
  public var isFoundByPicture: Bool

  /// The attachments whose bytes a limit left out, by their index.
  public var leftOut: [Int: LeftOut] = [:]
  /// What a person made of the post elsewhere. What they said here stays.
  public var marks: [Mark] = []
  /// The names of the albums that held it elsewhere.
  public var albums: [String] = []
  /// The paths of what it was read from. What could not be read of them before can be read now.
  public var paths: [String] = []

  /// Creates an item to be stored.
  public init(
    _ item: PageItem, pictures: [Int: StoredBlob] = [:], replaces: Bool = false, isFoundByPicture: Bool = false
  ) {
    (self.item, self.pictures) = (item, pictures)
    (self.replaces, self.isFoundByPicture) = (replaces, isFoundByPicture)
  }
}

/// What the library has of a post.
public struct ImportStatus: Sendable, Hashable {
  /// Whether the post is stored, deleted or not.
  public var isKnown: Bool
  /// The indexes of the attachments whose bytes are not stored and are wanted.
  public var missing: Set<Int>
  /// Whether the item is a newer version of the post.
  public var isNewer = false
  /// The indexes of the attachments that only their place tells, where the item may have other files.
  public var compared: Set<Int> = []

  /// The indexes of the attachments whose bytes an import reads.
  public var wanted: Set<Int> { missing.union(compared) }

  /// Creates the status of an item: whether its post is stored, and which of its pictures are missing.
  public init(isKnown: Bool, missing: Set<Int>) { (self.isKnown, self.missing) = (isKnown, missing) }
}

/// What an import changed.
public struct Imported: Sendable, Hashable {
  /// Posts that were not stored before.
  public var new = 0
  /// Stored posts that changed, or got pictures.
  public var updated = 0
  /// Posts that are stored unchanged.
  public var unchanged = 0
  /// Posts that stay deleted.
  public var deleted = 0
  /// Items that could not be read.
  public var unreadable = 0
  /// Pictures that posts got.
  public var pictures = 0
  /// Files that a limit left out.
  public var leftOut = 0

  /// Nothing.
  public init() {}

  /// Adds the counts of another batch.
  public static func += (sum: inout Imported, other: Imported) {
    sum.new += other.new
    sum.updated += other.updated
    sum.unchanged += other.unchanged
    sum.deleted += other.deleted
    sum.unreadable += other.unreadable
    sum.pictures += other.pictures
    sum.leftOut += other.leftOut
  }
}
