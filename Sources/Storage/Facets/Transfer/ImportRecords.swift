import FoundationEssentials
import Posts

/// Takes in posts that were kept elsewhere: by another program, or by a service in the archive that it gives its users.
///
/// An import is a feed of kind `import`. It claims no coverage: what it brought says nothing about what it did not bring.
public protocol ImportRecords: Sendable {
  /// What the library has of posts that are about to be imported.
  ///
  /// - Parameter items: The items.
  /// - Returns: A status for each item.
  /// - Throws: `StorageError` if the library cannot be read.
  func importStatus(of items: [ImportItem]) throws(StorageError) -> [ImportStatus]

  /// Saves a batch in one transaction: the posts with their tags, verbatim form and stored pictures, and the items that
  /// could not be read.
  ///
  /// Saving the same batch again changes nothing. A post that the library has stays as it is, unless the item replaces
  /// it: what a server said later counts more than a copy. Its missing pictures are added. A deleted post stays deleted.
  ///
  /// - Parameters:
  ///   - items: The items, with the bytes of their pictures already stored.
  ///   - feed: The import's feed.
  ///   - now: The time of the write.
  /// - Returns: What changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func save(_ items: [ImportItem], of feed: Feed, now: Date) throws(StorageError) -> Imported

  /// Deletes the posts that this feed alone brought. The change is durable when the call returns.
  ///
  /// - Returns: The posts that changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func delete(feed: Feed, now: Date) throws(StorageError) -> Deletion

  /// Restores every deleted post that a feed brought. The change is durable when the call returns.
  ///
  /// - Returns: The posts that changed.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func restore(feed: Feed, now: Date) throws(StorageError) -> Deletion
}

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

  /// An item from its parts.
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

  /// A status from its parts.
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
  }
}
