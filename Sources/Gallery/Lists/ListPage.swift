import FoundationEssentials
import MediaLibrary
import Storage
import Web

/// A list as a page. Without scripts it is a list of links. With them, `gallery.js` makes a grid of the window in it.
struct ListPage {
  let window: WindowRequest
  let rows: ListWindow
  let isReadOnly: Bool
  /// What leads to other lists.
  var lists = ListLinks()
  /// What is wrong with the filter that was typed.
  var mistake: Mistake?

  /// A filter that cannot be read, and why.
  struct Mistake: Sendable {
    let typed: String
    let error: RequestError
  }

  private var address: ListAddress { window.address }
  private var snapshot: Snapshot<ListedPost> { rows.snapshot }

  init(
    window: WindowRequest, snapshot rows: ListWindow, isReadOnly: Bool, lists: ListLinks = ListLinks(),
    mistake: Mistake? = nil
  ) {
    (self.window, self.rows, self.isReadOnly, self.lists, self.mistake) = (window, rows, isReadOnly, lists, mistake)
  }

  /// The modules that `gallery.js` imports, so that they load at once instead of one after another.
  private static let modules = [
    "rows.js", "layout.js", "grid.js", "cells.js", "blurhash.js", "keys.js", "actions.js", "select.js", "due.js",
    "touch.js", "scrubber.js", "live.js", "parts.js", "filter.js",
  ]

  var html: HTML {
    PageFrame.html(
      rows.album?.name ?? address.title, address.isTrash ? .trash : .posts, scripts: ["gallery.js"],
      preloads: Self.modules,
      """
      <main id="list" data-query="\(address.query)" data-read-only="\(isReadOnly ? "1" : "")">
      <div class="listbar"><div class="about"><h1 dir="auto">\(rows.album?.name ?? address.heading)</h1><span id="count" class="soft">\(rows.count)</span>\(hidden)</div>\(search)<div class="tools"></div>\(lists.html)\(menu)\(terms)</div>
      <noscript><ol class="posts">\(HTML.joined(snapshot.rows.map(row)))</ol>\(neighbours)</noscript>
      <script type="application/json" id="window">\(HTML(json: data))</script></main>
      """)
  }

  /// How many posts it leaves out, as a link to them; nothing for whoever may only look.
  private var hidden: HTML {
    guard !isReadOnly else { return "" }
    let link = HiddenLink(snapshot.hidden, of: address)
    let state: HTML = link == nil ? " hidden" : ""
    return "<a id=\"hidden\" class=\"soft\" href=\"\(link?.address ?? "/")\"\(state)>\(link?.words ?? "")</a>"
  }

  private var search: HTML {
    let kept = address.parameters.filter { $0.name != "q" }.map { name, value -> HTML in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    let said = mistake?.error.sentence ?? rows.unknown
    let isInvalid: HTML = said == nil ? "" : " aria-invalid=\"true\""
    return """
      <form role="search" action="/" method="get">\(HTML.joined(kept))\
      <input type="text" name="q" value="\(mistake?.typed ?? address.search ?? "")" aria-label="Search these posts" \
      aria-describedby="mistake"\(isInvalid) placeholder="Words or a filter" inputmode="search" enterkeyhint="search" \
      autocapitalize="off" autocomplete="off" spellcheck="false" maxlength="2000">\
      <div class="under"><p id="mistake" class="bad" role="alert">\(said ?? "")</p></div></form>
      """
  }

  /// What is done with the list as a whole. Scripts lead it to the list that they show.
  private var menu: HTML {
    let query = address.query.isEmpty ? "" : "?\(address.query)"
    return """
      <details class="places"><summary>List</summary><nav aria-label="This list"><ul>\
      <li><a href="\(DownloadRoutes.path)\(query)" data-list>Download</a></li>\(share)</ul></nav></details>
      """
  }

  private var share: HTML {
    guard !isReadOnly, !address.isTrash else { return "" }
    let query = address.query.isEmpty ? "" : "?\(address.query)"
    return """
      <li><a href="\(SharesRoutes.path)\(query)" data-list>Share …</a></li><li><a href="\(HidingRoutes.path)">Hidden …</a></li>
      """
  }

  /// The terms of the filter, each a link to the list without it.
  private var terms: HTML {
    let links = address.terms.map { term -> HTML in
      """
      <li><a href="/\(term.query.isEmpty ? "" : "?")\(term.query)" aria-label="Remove \(term.term)"><bdi>\(term.term)</bdi></a></li>
      """
    }
    return "<ul class=\"terms\" aria-label=\"Filter\">\(HTML.joined(links))</ul>"
  }

  private var data: String {
    // Values of the gallery's own types always encode.
    let bytes =
      (try? JSONEncoder().encode(
        WindowAnswer(rows, of: address, textLength: window.textLength, showsMarks: !isReadOnly))) ?? Data()
    return String(decoding: bytes, as: UTF8.self)
  }

  private func row(_ row: ListedPost) -> HTML {
    let post = row.post
    return """
      <li><article id="post-\(post.id)"><a href="/post/\(post.id)\(address.query.isEmpty ? "" : "?")\(address.query)">\(picture(post))\
      <span dir="auto">\(post.author?.shownName ?? "")</span></a>
      <p dir="auto">\(post.caption.beginning(bytes: 400))</p></article></li>
      """
  }

  private func picture(_ post: StoredPost) -> HTML {
    guard let attachment = post.attachments.first, let blob = attachment.blob, !post.sensitive else { return "" }
    return """
      <img src="/thumb/320/\(blob.hex)" alt="\(attachment.alt ?? "")" loading="lazy" \
      width="\(attachment.width ?? 320)" height="\(attachment.height ?? 320)">
      """
  }

  /// Links to the rows before and after.
  private var neighbours: HTML {
    var links: [HTML] = []
    let words: (HTML, HTML) = rows.album == nil ? ("Newer posts", "Older posts") : ("Earlier posts", "Later posts")
    if snapshot.hasMoreBefore, let first = snapshot.rows.indices.first {
      links.append("<a href=\"\(link(around: first, ["before=100", "after=1"]))\" rel=\"prev\">\(words.0)</a>")
    }
    if let looked = snapshot.lookedTo {
      let on = address.query.isEmpty ? "" : "&\(address.query)"
      links.append("<a href=\"/?around=\(looked.millis).\(Int64.max)\(on)\" rel=\"next\">\(words.1)</a>")
    } else if snapshot.hasMoreAfter, let last = snapshot.rows.indices.last {
      links.append("<a href=\"\(link(around: last, []))\" rel=\"next\">\(words.1)</a>")
    }
    return "<nav class=\"more\" aria-label=\"More posts\">\(HTML.joined(links, separator: " "))</nav>"
  }

  private func link(around row: Int, _ sizes: [String]) -> String {
    let around = "around=\(rows.position(of: row).queryEncoded)"
    return "/?" + ([address.query].filter { !$0.isEmpty } + [around] + sizes).joined(separator: "&")
  }
}
