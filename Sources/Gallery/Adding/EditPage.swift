import FoundationEssentials
import Storage
import Web

/// The page with the form that changes a post made by hand.
struct EditPage {
  private let post: StoredPost
  private let isReadOnly: Bool
  private let now: Date

  /// - Throws: `StorageError.notEdited` if the post was pulled.
  init(_ post: StoredPost, isReadOnly: Bool, now: Date) throws {
    guard post.isManual else { throw StorageError.notEdited(post.id, .pulled) }
    (self.post, self.isReadOnly, self.now) = (post, isReadOnly, now)
  }

  var html: HTML {
    PageFrame.html(
      "Edit a post", scripts: isReadOnly ? [] : ["add.js"],
      """
      <main class="page"><h1>Edit a post</h1>\(isReadOnly ? LoginPage.refusal : EntryFields(post, now: now).html)
      <p><a href="/post/\(post.id)">Back to the post</a></p></main>
      """)
  }
}
