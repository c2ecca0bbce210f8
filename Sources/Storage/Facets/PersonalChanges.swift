import FoundationEssentials
import Posts

/// Writes what a person does: deletions, posts made by hand and their edits, settings.
///
/// Deletions, restorations, posts and settings are on disk when their call returns, and survive a loss of power. No pull
/// undoes a deletion.
public protocol PersonalChanges: Sendable {
  /// Stores a post made by hand, with its pictures. It is on disk when this returns.
  ///
  /// - Parameters:
  ///   - post: The post. Its source is set to `manual` and its URI to one made from `id`.
  ///   - id: The post's identity.
  ///   - pictures: The stored bytes of its attachments, in order.
  ///   - now: The current time.
  /// - Returns: The post's number.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func add(
    _ post: Post,
    id: UUID,
    pictures: [StoredBlob],
    now: Date
  ) throws(StorageError) -> Int64

  /// Changes a post made by hand. The old wording becomes a revision. It is on disk when this returns.
  ///
  /// - Parameters:
  ///   - id: The post's number.
  ///   - edit: What to change.
  ///   - now: The time of the edit.
  /// - Returns: Whether anything changed.
  /// - Throws: `StorageError.unknownPosts` if there is no such post, `StorageError.notEdited` if it may not be changed so;
  ///   then it stays as it was.
  @discardableResult
  func edit(_ id: Int64, _ edit: PostEdit, now: Date) throws(StorageError) -> Bool

  /// Deletes posts. They are hidden, keep their facts, and stay deleted when they are pulled again.
  ///
  /// The change is durable when the call returns.
  ///
  /// - Parameters:
  ///   - ids: The posts' numbers. Unknown numbers are reported; the others are deleted nevertheless.
  ///   - now: The time of the deletion.
  /// - Returns: The posts that changed and the unknown numbers.
  @discardableResult
  func delete(_ ids: [Int64], now: Date) throws(StorageError) -> Deletion

  /// Restores deleted posts, and has pictures fetched again that were removed meanwhile.
  ///
  /// The change is durable when the call returns.
  ///
  /// - Returns: The posts that changed and the unknown numbers.
  @discardableResult
  func restore(_ ids: [Int64], now: Date) throws(StorageError) -> Deletion

  /// Restores every deleted post that carries a tag, or that a feed of that tag brought.
  ///
  /// - Returns: The posts that changed.
  @discardableResult
  func restore(tag: String, now: Date) throws(StorageError) -> Deletion

  /// Records the tag that is shown now. An empty tag, one of more than 600 bytes, and one with a line break are not
  /// recorded.
  ///
  /// - Returns: The last 30 tags, newest first.
  /// - Throws: `StorageError` if the library cannot be written.
  @discardableResult
  func noteTag(_ tag: String) throws(StorageError) -> [String]

  /// All settings, by name.
  func settings() throws(StorageError) -> [String: String]

  /// The value of a setting; nil if it is not set.
  func setting(_ name: String) throws(StorageError) -> String?

  /// Sets a value, and syncs it to the disk. nil removes it.
  func set(_ name: String, to value: String?) throws(StorageError)
}
