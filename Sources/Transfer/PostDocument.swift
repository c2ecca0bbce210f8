import Storage

/// A document of posts, one after the other.
///
/// It is asked for its pieces in their order: `head`, the text of each post, `tail`. So a document of any length takes the
/// memory of one post.
package protocol PostDocument {
  /// What stands before the posts.
  var head: String { get }

  /// A post, with whatever separates it from the one before.
  ///
  /// - Throws: If the post cannot be written in this format.
  mutating func text(of post: StoredPost) throws -> String

  /// What stands after the posts.
  var tail: String { get }
}
