import Web

/// The frame of every page.
enum PageFrame {
  /// The pages that the bar leads to. A narrow screen has room for the first few; "More" shows the rest.
  enum Section: CaseIterable {
    case posts, tags, authors, calendar, add, pull, map, status, statistics, trash

    fileprivate static let first = 5

    fileprivate var link: (address: HTML, name: HTML) {
      switch self {
      case .posts: ("/", "Posts")
      case .tags: ("/tags", "Tags")
      case .authors: ("/authors", "Authors")
      case .calendar: ("/calendar", "Calendar")
      case .map: ("/map", "Map")
      case .status: ("/status", "Status")
      case .statistics: ("/statistics", "Statistics")
      case .pull: ("/pull", "Pull")
      case .add: ("/add", "Add")
      case .trash: ("/?deleted=1", "Deleted")
      }
    }
  }

  /// A page.
  ///
  /// - Parameters:
  ///   - title: Its title, without the product's name.
  ///   - section: The part of the bar that it belongs to.
  ///   - scripts: The modules that it loads, by the names of their assets.
  ///   - preloads: The modules that those import.
  ///   - styles: The stylesheets that it needs beside the one of all pages.
  ///   - body: Its content, a `main` element.
  static func html(
    _ title: String, _ section: Section? = nil, scripts: [String] = [], preloads: [String] = [], styles: [String] = [],
    _ body: HTML
  ) -> HTML {
    let links: [HTML] =
      styles.map { "<link rel=\"stylesheet\" href=\"/assets/\($0)\">" }
      + scripts.map { "<script type=\"module\" src=\"/assets/\($0)\"></script>" }
      + preloads.map { "<link rel=\"modulepreload\" href=\"/assets/\($0)\">" }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(title) · media</title><script src="/assets/theme.js"></script><link rel="stylesheet" href="/assets/gallery.css">
      \(icons)\(HTML.joined(links))</head>
      <body><header class="bar"><nav aria-label="Pages">\(navigation(section))</nav></header>
      \(body)
      </body></html>

      """
  }

  /// A page with only a message.
  static func message(_ title: String, _ sentence: String) -> HTML {
    html(
      title, nil,
      "<main class=\"message\"><h1>\(title)</h1><p class=\"error\">\(sentence)</p><p><a href=\"/\">All posts</a></p></main>"
    )
  }

  /// A proxy that signs people in lets a manifest through only with their credentials.
  private static let icons: HTML = """
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/assets/icon-192.png">\
    <link rel="manifest" href="/assets/media.webmanifest" crossorigin="use-credentials">
    """

  /// Where the library's name comes.
  private static let libraryMark: HTML = "<!--library-->"

  /// A page with the name of the library in its bar. Nobody sees it who is not signed in.
  static func naming(_ library: String, in page: HTML) -> HTML {
    let name = library.beginning(bytes: 60)
    return page.replacingFirst(
      libraryMark, with: "<span class=\"library\" title=\"This library\"><bdi>\(name)</bdi></span>")
  }

  private static func navigation(_ current: Section?) -> HTML {
    let links = Section.allCases.map { section -> HTML in
      let mark: HTML = section == current ? " aria-current=\"page\"" : ""
      return "<a href=\"\(section.link.address)\"\(mark)>\(section.link.name)</a>"
    }
    return """
      \(HTML.joined(links.prefix(Section.first), separator: "\n"))
      <button type="button" class="more" popovertarget="more">More</button><div id="more" popover>\(libraryMark)
      \(HTML.joined(links.dropFirst(Section.first), separator: "\n"))</div>
      """
  }
}
