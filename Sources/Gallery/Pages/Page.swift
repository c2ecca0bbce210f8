import Web

/// The frame of every page.
enum Page {
  /// A page.
  ///
  /// - Parameters:
  ///   - title: Its title, without the product's name.
  ///   - scripts: The modules that it loads, by the names of their assets.
  ///   - body: Its content.
  static func html(_ title: String, scripts: [String] = [], _ body: HTML) -> HTML {
    let modules: [HTML] = scripts.map { "<script type=\"module\" src=\"/assets/\($0)\"></script>" }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) · media</title><link rel="stylesheet" href="/assets/gallery.css">\(HTML.joined(modules))</head>
      <body><header class="bar"><nav aria-label="Pages">\(navigation)</nav></header>
      \(body)
      </body></html>

      """
  }

  /// A page with only a message.
  static func message(_ title: String, _ sentence: String) -> HTML {
    html(title, "<main class=\"message\"><h1>\(title)</h1><p>\(sentence)</p><p><a href=\"/\">All posts</a></p></main>")
  }

  private static let navigation: HTML = "<a href=\"/\">All posts</a> <a href=\"/?deleted=1\">Deleted</a>"
}
