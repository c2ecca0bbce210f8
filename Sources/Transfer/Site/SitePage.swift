import Web

/// A page of a site. It runs no scripts, and all its links are relative, so that a folder on a disk is enough.
struct SitePage {
  /// What the site is called.
  let site: String
  /// Leads from the page's folder to the site's: empty, or `../`.
  let root: String

  init(site: String, at name: String) {
    self.site = site
    root = String(repeating: "../", count: name.count { $0 == "/" })
  }

  /// `'self'` does not mean files in every browser.
  private static let policy: HTML = """
    default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'
    """

  func text(_ title: String, _ body: HTML) -> [UInt8] {
    let heading = title == site ? title : "\(title) · \(site)"
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="referrer" content="no-referrer"><title>\(heading)</title>
      <link rel="stylesheet" href="\(root)style.css">
      <link rel="alternate" type="application/atom+xml" href="\(root)feed.atom"></head>
      <body><header class="bar"><a class="home" href="\(root)index.html">\(site)</a><nav><a href="\(root)months.html">Months</a>
      <a href="\(root)tags.html">Tags</a> <a href="\(root)authors.html">Authors</a></nav></header>
      \(body)
      </body></html>

      """
    return Array(page.markup.utf8)
  }

  /// What the links to the pages before and after are called.
  typealias Neighbours = (before: HTML, after: HTML)
  static var byTime: Neighbours { ("Newer", "Older") }
  static var inOrder: Neighbours { ("Back", "Further") }

  /// A page of posts, with links to the pages beside it.
  func list(
    _ title: String, _ tiles: [HTML], page: Int, of pages: Int, _ neighbours: Neighbours, name: (Int) -> String
  ) -> [UInt8] {
    var links: [HTML] = []
    if page > 0 { links.append("<a rel=\"prev\" href=\"\(root)\(name(page - 1))\">\(neighbours.before)</a>") }
    if pages > 1 { links.append("<span>\(page + 1) of \(pages)</span>") }
    if page + 1 < pages { links.append("<a rel=\"next\" href=\"\(root)\(name(page + 1))\">\(neighbours.after)</a>") }
    let bar: HTML =
      links.isEmpty ? "" : "<nav class=\"pages\" aria-label=\"Pages\">\(HTML.joined(links, separator: " "))</nav>"
    return text(
      title, "<main><h1><bdi>\(title)</bdi></h1><div class=\"grid\">\(HTML.joined(tiles))</div>\(bar)</main>")
  }

  /// A page of links to lists, each with its number of posts.
  func contents(_ title: String, _ entries: [(name: String, link: String, count: Int)]) -> [UInt8] {
    let rows = entries.map { entry in
      "<li><a href=\"\(root)\(entry.link)\"><bdi>\(entry.name)</bdi></a> <span class=\"soft\">\(entry.count)</span></li>"
        as HTML
    }
    let list: HTML = rows.isEmpty ? "<p class=\"soft\">None.</p>" : "<ul class=\"contents\">\(HTML.joined(rows))</ul>"
    return text(title, "<main><h1>\(title)</h1>\(list)</main>")
  }
}
