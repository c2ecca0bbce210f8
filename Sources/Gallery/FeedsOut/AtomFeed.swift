import FoundationEssentials
import Posts
import Storage
import Web

/// A page as Atom (RFC 4287), whose `next` leads to older posts (RFC 5005, 3).
struct AtomFeed {
  let page: FeedPage

  /// Its escapes are those of XML, too.
  var text: String {
    let request = page.request
    let next: HTML = page.next.map { "\n<link rel=\"next\" href=\"\(request.link(after: $0))\"/>" } ?? ""
    let entries = page.posts.map { entry(FeedItem(post: $0, request: request)) }
    let body: HTML = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
      <id>\(page.id)</id>
      <title>\(XMLText.legal(page.title))</title>
      <updated>\(UTC.text(page.updatedAt ?? Date(timeIntervalSince1970: 0)))</updated>
      <generator>media</generator>
      <link rel="self" type="application/atom+xml" href="\(request.link(after: request.around))"/>
      <link rel="first" href="\(request.link())"/>\(next)
      <link rel="alternate" type="text/html" href="\(page.home)"/>
      \(HTML.joined(entries, separator: "\n"))
      </feed>

      """
    return body.markup
  }

  private func entry(_ item: FeedItem) -> HTML {
    let post = item.post
    let language: HTML = post.language.flatMap(Self.language).map { " xml:lang=\"\($0)\"" } ?? ""
    // Atom demands an author of every entry.
    let uri: HTML = item.authorLink.map { "<uri>\($0)</uri>" } ?? ""
    let tags = post.tags.map { "<category term=\"\(XMLText.legal($0))\"/>" as HTML }
    return """
      <entry\(language)><id>\(item.id)</id><title>\(XMLText.legal(item.title))</title>
      <published>\(UTC.text(post.createdAt))</published><updated>\(UTC.text(item.changedAt))</updated>
      <author><name>\(XMLText.legal(item.authorName ?? page.title))</name>\(uri)</author>
      <link rel="alternate" href="\(item.link)"/>\(HTML.joined(item.files.map(enclosure)))\(HTML.joined(tags))
      <content type="html">\(FeedContent.html(of: item).markup)</content></entry>
      """
  }

  private func enclosure(_ link: String, _ file: StoredAttachment) -> HTML {
    let length: HTML = file.byteCount.map { " length=\"\($0)\"" } ?? ""
    let title: HTML = file.alt.map { " title=\"\(XMLText.legal($0))\"" } ?? ""
    return "<link rel=\"enclosure\" type=\"\(FeedItem.mediaType(of: file))\"\(length)\(title) href=\"\(link)\"/>"
  }

  /// A language tag that XML accepts.
  private static func language(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isTag = parts.allSatisfy {
      (1...8).contains($0.utf8.count)
        && $0.utf8.allSatisfy { byte in
          (byte | 0x20) >= 97 && (byte | 0x20) <= 122 || (48...57).contains(byte)
        }
    }
    return isTag ? text : nil
  }
}
