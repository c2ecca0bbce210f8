import Web

/// The frame of every page.
enum Page {
  /// The pages that the bar at the top leads to.
  enum Section: CaseIterable {
    case posts, tags, authors, calendar, status, statistics, pull, add, trash

    fileprivate var link: (address: HTML, name: HTML) {
      switch self {
      case .posts: ("/", "Posts")
      case .tags: ("/tags", "Tags")
      case .authors: ("/authors", "Authors")
      case .calendar: ("/calendar", "Calendar")
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
  ///   - body: Its content, a `main` element.
  static func html(
    _ title: String, _ section: Section? = nil, scripts: [String] = [], preloads: [String] = [], _ body: HTML
  ) -> HTML {
    let modules: [HTML] =
      scripts.map { "<script type=\"module\" src=\"/assets/\($0)\"></script>" }
      + preloads.map { "<link rel=\"modulepreload\" href=\"/assets/\($0)\">" }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(title) · media</title><link rel="stylesheet" href="/assets/gallery.css">\(HTML.joined(modules))</head>
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

  private static func navigation(_ current: Section?) -> HTML {
    HTML.joined(
      Section.allCases.map { section in
        let mark: HTML = section == current ? " aria-current=\"page\"" : ""
        return "<a href=\"\(section.link.address)\"\(mark)>\(section.link.name)</a>"
      }, separator: "\n")
  }
}
