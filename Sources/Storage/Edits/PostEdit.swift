import FoundationEssentials
import Posts

/// A change of a post made by hand. What it does not name stays as it is.
///
/// Tags and attachments are added and removed one by one, so that two edits at once keep what each of them did.
public struct PostEdit: Sendable, Hashable {
  /// A file to attach: what people read of it, and its stored bytes.
  public struct File: Sendable, Hashable {
    /// The attachment.
    public var attachment: Attachment
    /// Its stored bytes.
    public var blob: StoredBlob

    /// Creates a file of an attachment whose bytes are stored.
    public init(_ attachment: Attachment, _ blob: StoredBlob) { (self.attachment, self.blob) = (attachment, blob) }
  }

  /// The new title; `.some(nil)` removes it.
  public var title: String??
  /// The new text; an empty one removes it.
  public var caption: String?
  /// The new start. A finish that is not named moves with it.
  public var start: Date?
  /// The new finish; `.some(nil)` removes it.
  public var finish: Date??
  /// Tags to add, as `Feed.tagName` gives them. Those that the post has stay where they are.
  public var addedTags: [String] = []
  /// Tags to remove.
  public var removedTags: [String] = []
  /// Files to attach, behind those that the post has.
  public var added: [File] = []
  /// The numbers, in the library, of the attachments to remove.
  public var removed: [Int64] = []
  /// The post's `updatedAt` that the editor saw. If the post has changed since, the edit is refused. Nil if the edit was
  /// made without a look at the post.
  public var basis: Date?

  /// An edit that changes nothing.
  public init() {}

  /// Whether it changes nothing.
  public var isEmpty: Bool {
    var other = self
    other.basis = nil
    return other == PostEdit()
  }
}

/// Why a post is not edited.
public enum EditRefusal: Sendable, Hashable {
  /// It was pulled, and the next pull would write over the edit.
  case pulled
  /// It was changed since the editor saw it.
  case changedMeanwhile
  /// It would end before it begins, or when it begins.
  case endsBeforeStart
  /// It has no such attachment.
  case noAttachment
  /// Neither a title, a text nor a file would be left.
  case nothingLeft
}
