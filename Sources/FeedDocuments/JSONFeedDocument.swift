import Machine
import Storage
import Web

/// A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
package struct JSONFeedDocument: FeedWriting {
  private let facts: FeedFacts
  private var isEmpty = true

  /// An empty feed.
  package init(_ facts: FeedFacts) { self.facts = facts }

  /// What stands before the items.
  package var head: String {
    let head = JSONMembers(present: [
      "version": "https://jsonfeed.org/version/1.1", "title": facts.title, "home_page_url": facts.home,
      "feed_url": facts.link, "next_url": facts.next,
    ])
    return head.text.dropLast() + ",\"items\":["
  }

  /// An item.
  package mutating func text(of item: FeedItem) -> String {
    defer { isEmpty = false }
    let post = item.post
    let files = item.files.map { link, file in
      JSONMembers(present: [
        "url": link, "mime_type": FeedItem.mediaType(of: file), "title": file.alt, "size_in_bytes": file.byteCount,
      ])
    }
    let author = item.authorName.map { JSONMembers(present: ["name": $0, "url": item.authorLink]) }
    let entry = JSONMembers(present: [
      "id": item.id, "url": item.link, "title": post.title, "content_html": FeedContent.html(of: item).markup,
      "date_published": UTC.text(post.createdAt), "date_modified": UTC.text(item.changedAt),
      "authors": author.map { [$0] }, "tags": post.tags.isEmpty ? nil : post.tags, "language": post.language,
      "attachments": files.isEmpty ? nil : files,
    ])
    return (isEmpty ? "\n" : ",\n") + entry.text
  }

  /// What stands after the items.
  package var tail: String { "\n]}\n" }
}
