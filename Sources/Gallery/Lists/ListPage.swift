import MediaLibrary
import Storage
import Web

/// A list as a page. Without scripts it is a list of links; `gallery.js` makes a grid of it.
struct ListPage {
  let address: ListAddress
  let snapshot: Snapshot<ListedPost>

  var html: HTML {
    Page.html(
      title, address.isTrash ? .trash : .posts, scripts: ["gallery.js"],
      """
      <main id="list" data-query="\(address.query)">
      <ol class="posts" role="feed">\(HTML.joined(snapshot.rows.map(row)))</ol>\(more)</main>
      """)
  }

  private var title: String {
    let names =
      address.tags.map { "#\($0)" } + [address.user, address.feed, address.search, address.day].compactMap(\.self)
    return names.isEmpty ? "All posts" : names.joined(separator: " ")
  }

  private func row(_ row: ListedPost) -> HTML {
    let post = row.post
    return """
      <li><article id="post-\(post.id)"><a href="/post/\(post.id)">\(picture(post))</a>
      <p dir="auto">\(post.author?.name ?? "")</p><p dir="auto">\(post.caption.prefix(WindowAnswer.captionLength))</p></article></li>
      """
  }

  private func picture(_ post: StoredPost) -> HTML {
    guard let attachment = post.attachments.first, let blob = attachment.blob else { return "Open" }
    return """
      <img src="/thumb/320/\(blob.hex)" alt="\(attachment.alt ?? "")" loading="lazy" \
      width="\(attachment.width ?? 320)" height="\(attachment.height ?? 320)">
      """
  }

  /// A link to the rows that follow.
  private var more: HTML {
    guard snapshot.hasMoreAfter, let last = snapshot.rows.last else { return "" }
    let query = ([address.query].filter { !$0.isEmpty } + ["around=\(last.key.description.queryEncoded)"])
      .joined(separator: "&")
    return "<p class=\"more\"><a href=\"/?\(query)\">Older posts</a></p>"
  }
}
