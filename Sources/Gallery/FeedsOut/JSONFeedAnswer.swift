import FoundationEssentials
import Posts
import Storage

/// A page as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
struct JSONFeedAnswer: Encodable {
  let version = "https://jsonfeed.org/version/1.1"
  let title: String
  let home_page_url: String
  let feed_url: String
  let next_url: String?
  let items: [Item]

  struct Item: Encodable {
    let id: String
    let url: String
    let title: String?
    let content_html: String
    let date_published: String
    let date_modified: String
    let authors: [Author]?
    let tags: [String]?
    let language: String?
    let attachments: [File]?
  }

  struct Author: Encodable {
    let name: String
    let url: String?
  }

  struct File: Encodable {
    let url: String
    let mime_type: String
    let title: String?
    let size_in_bytes: Int?
  }

  init(_ page: FeedPage) {
    let request = page.request
    (title, home_page_url, feed_url) = (page.title, page.home, request.link(after: request.around))
    next_url = page.next.map { request.link(after: $0) }
    items = page.posts.map { Item(FeedItem(post: $0, request: request)) }
  }

  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // Values of the gallery's own types always encode.
    return Array((try? encoder.encode(self)) ?? Data())
  }
}

extension JSONFeedAnswer.Item {
  init(_ item: FeedItem) {
    let post = item.post
    (id, url, title) = (item.id, item.link, post.title)
    content_html = FeedContent.html(of: item).markup
    (date_published, date_modified) = (UTC.text(post.createdAt), UTC.text(item.changedAt))
    authors = item.authorName.map { [JSONFeedAnswer.Author(name: $0, url: item.authorLink)] }
    tags = post.tags.isEmpty ? nil : post.tags
    language = post.language
    let files = item.files.map {
      JSONFeedAnswer.File(
        url: $0.link, mime_type: FeedItem.mediaType(of: $0.attachment), title: $0.attachment.alt,
        size_in_bytes: $0.attachment.byteCount)
    }
    attachments = files.isEmpty ? nil : files
  }
}
