import FoundationEssentials
import Machine
import Storage
import Web

/// A feed as Atom (RFC 4287), whose `next` leads to older posts (RFC 5005, 3).
package struct AtomDocument: FeedWriting {
  private let facts: FeedFacts
  private var updatedAt: Date?

  /// An empty feed.
  package init(_ facts: FeedFacts) { self.facts = facts }

  /// What stands before the entries. Its escapes are those of XML, too.
  package var head: String {
    let own: HTML = facts.link.map { "\n<link rel=\"self\" type=\"application/atom+xml\" href=\"\($0)\"/>" } ?? ""
    let first: HTML = facts.first.map { "\n<link rel=\"first\" href=\"\($0)\"/>" } ?? ""
    let next: HTML = facts.next.map { "\n<link rel=\"next\" href=\"\($0)\"/>" } ?? ""
    let home: HTML = facts.home.map { "\n<link rel=\"alternate\" type=\"text/html\" href=\"\($0)\"/>" } ?? ""
    let head: HTML = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
      <id>\(facts.id)</id>
      <title>\(XMLText.legal(facts.title))</title>
      <generator>media</generator>\(own)\(first)\(next)\(home)

      """
    return head.markup
  }

  /// An entry.
  package mutating func text(of item: FeedItem) -> String {
    let post = item.post
    updatedAt = max(updatedAt ?? .distantPast, post.updatedAt, post.createdAt)
    let language: HTML = post.language.flatMap(Self.language).map { " xml:lang=\"\($0)\"" } ?? ""
    // Atom demands an author of every entry.
    let uri: HTML = item.authorLink.map { "<uri>\($0)</uri>" } ?? ""
    let page: HTML = item.link.map { "<link rel=\"alternate\" href=\"\($0)\"/>" } ?? ""
    let license: HTML = post.license?.address.map { "<link rel=\"license\" href=\"\(XMLText.legal($0))\"/>" } ?? ""
    let tags = post.tags.map { "<category term=\"\(XMLText.legal($0))\"/>" as HTML }
    let entry: HTML = """
      <entry\(language)><id>\(item.id)</id><title>\(XMLText.legal(item.title))</title>
      <published>\(UTC.text(post.createdAt))</published><updated>\(UTC.text(item.changedAt))</updated>
      <author><name>\(XMLText.legal(item.authorName ?? facts.title))</name>\(uri)</author>
      \(page)\(license)\(HTML.joined(item.files.map(Self.enclosure)))\(HTML.joined(tags))
      <content type="html">\(FeedContent.html(of: item).markup)</content></entry>

      """
    return entry.markup
  }

  /// What stands after the entries. Only then is it known when the newest facts came; the order of elements says nothing
  /// (RFC 4287, 4.1.1).
  package var tail: String {
    "<updated>\(UTC.text(updatedAt ?? Date(timeIntervalSince1970: 0)))</updated>\n</feed>\n"
  }

  private static func enclosure(_ link: String, _ file: StoredAttachment) -> HTML {
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
