import FoundationEssentials
import Machine
import Storage
import Web

/// A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
package struct JSONFeedDocument: FeedWriting {
  private let facts: FeedFacts
  private var isEmpty = true

  /// An empty feed.
  package init(_ facts: FeedFacts) { self.facts = facts }

  private struct Head: Encodable {
    let version = "https://jsonfeed.org/version/1.1"
    let title: String
    let home_page_url, feed_url, next_url: String?
  }

  private struct Item: Encodable {
    let id: String
    let url: String?
    let title: String?
    let content_html: String
    let date_published: String
    let date_modified: String
    let authors: [Author]?
    let tags: [String]?
    let language: String?
    let attachments: [File]?
  }

  private struct Author: Encodable {
    let name: String
    let url: String?
  }

  private struct File: Encodable {
    let url: String
    let mime_type: String
    let title: String?
    let size_in_bytes: Int?
  }

  /// What stands before the items.
  package var head: String {
    let head = Head(title: facts.title, home_page_url: facts.home, feed_url: facts.link, next_url: facts.next)
    return Self.text(head).dropLast() + ",\"items\":["
  }

  /// An item.
  package mutating func text(of item: FeedItem) -> String {
    defer { isEmpty = false }
    let post = item.post
    let files = item.files.map { link, file in
      File(url: link, mime_type: FeedItem.mediaType(of: file), title: file.alt, size_in_bytes: file.byteCount)
    }
    let entry = Item(
      id: item.id, url: item.link, title: post.title, content_html: FeedContent.html(of: item).markup,
      date_published: UTC.text(post.createdAt), date_modified: UTC.text(item.changedAt),
      authors: item.authorName.map { [Author(name: $0, url: item.authorLink)] },
      tags: post.tags.isEmpty ? nil : post.tags, language: post.language, attachments: files.isEmpty ? nil : files)
    return (isEmpty ? "\n" : ",\n") + Self.text(entry)
  }

  /// What stands after the items.
  package var tail: String { "\n]}\n" }

  private static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // Values of these types always encode.
    return String(decoding: (try? encoder.encode(value)) ?? Data("{}".utf8), as: UTF8.self)
  }
}
