import FeedDocuments
import Storage

/// Posts as a feed in a file. It links to the posts' own pages and pictures on the web.
///
/// A picture that a person attached has no address, so a feed cannot have it.
package struct ExportedFeed<Document: FeedWriting>: PostDocument {
  private var document: Document

  /// A feed of posts.
  package init(_ facts: FeedFacts, as format: Document.Type = Document.self) { document = Document(facts) }

  package var head: String { document.head }

  package mutating func text(of post: StoredPost) -> String {
    let files = post.attachments.compactMap { file in FeedItem.webAddress(file.url).map { (link: $0, attachment: file) }
    }
    return document.text(of: FeedItem(post, link: FeedItem.webAddress(post.url), files: files))
  }

  package var tail: String { document.tail }
}
