import Storage
import Web

/// A post whole.
struct WholePostPage {
  let whole: WholePost
  /// The list that it was opened from.
  let address: ListAddress

  var html: HTML {
    let post = whole.post
    return Page.html(
      post.title ?? post.author?.name ?? "Post \(post.id)", scripts: ["gallery.js"],
      """
      <main class="post"><article>\(HTML.joined(post.attachments.map(attachment)))
      <p dir="auto">\(post.caption)</p></article>
      <p><a href="/?\(address.query)">Back to the list</a></p></main>
      """)
  }

  private func attachment(_ attachment: StoredAttachment) -> HTML {
    guard let blob = attachment.blob else { return "<p>\(attachment.state.rawValue)</p>" }
    return "<figure><img src=\"/blob/\(blob.hex)\" alt=\"\(attachment.alt ?? "")\"></figure>"
  }
}
