import Posts
import Storage
import Web

/// The text of a post as HTML that is made here. What its server sent as HTML is never passed on.
package enum FeedContent {
  /// The text with its warning and its pictures.
  package static func html(of item: FeedItem) -> HTML {
    let post = item.post
    let isVeiled = post.sensitive || !post.warning.isEmpty
    let warning: HTML = post.warning.isEmpty ? "" : "<p><strong>\(XMLText.legal(post.warning))</strong></p>"
    // A reader of feeds shows pictures at once. Those that their author hid stay behind their links.
    let pictures = isVeiled ? [] : item.files.filter { $0.attachment.kind == .image }
    return warning + paragraphs(post.caption) + HTML.joined(pictures.map { picture($0.link, $0.attachment) })
  }

  /// A text as paragraphs, which empty lines divide.
  package static func paragraphs(_ text: String) -> HTML {
    let lines = XMLText.legal(text).split(separator: "\n", omittingEmptySubsequences: false)
    let parts = lines.split { $0.isEmpty }
    return HTML.joined(parts.map { "<p>\(HTML.joined($0.map { HTML($0) }, separator: "<br>"))</p>" })
  }

  private static func picture(_ link: String, _ file: StoredAttachment) -> HTML {
    var size: HTML = ""
    if let width = file.width, let height = file.height { size = " width=\"\(width)\" height=\"\(height)\"" }
    return "<p><img src=\"\(link)\" alt=\"\(XMLText.legal(file.alt ?? ""))\"\(size)></p>"
  }
}
