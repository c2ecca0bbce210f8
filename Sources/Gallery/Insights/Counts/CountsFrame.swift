import Storage
import Web

/// What the pages of tags and authors have in common: the search form, the order, and the links to further pages.
struct CountsFrame {
  /// The path of the page.
  let path: HTML
  let title: String
  /// What the form looks for.
  let label: String
  let request: CountsRequest
  /// The key of the last row; nil if no page follows.
  let next: CountKey?
  let isEmpty: Bool
  /// Whether hidden posts, which lists leave out, are too many to be left out of the numbers.
  let countsHidden: Bool

  func html(_ section: PageFrame.Section, _ list: HTML) -> HTML {
    PageFrame.html(
      title, section, scripts: ["pages.js"], styles: ["insights.css"],
      """
      <main class="page counts" data-live="1"><h1>\(title)</h1>\(form)\(countsHidden ? Self.hiddenNote : "")\(isEmpty ? nothing : list)\(pages)</main>
      """)
  }

  /// Says what the numbers count that lists leave out.
  static let hiddenNote: HTML =
    "<p class=\"soft\">Many posts are hidden: these numbers count them, too, which the lists leave out.</p>"

  private var form: HTML {
    let kept: HTML = request.order == .name ? "<input type=\"hidden\" name=\"by\" value=\"name\">" : ""
    return """
      <form class="find" action="\(path)" role="search"><label for="part">\(label)</label>
      <div class="row"><input id="part" name="q" type="search" value="\(request.part)" maxlength="200" \
      autocapitalize="none" autocomplete="off" spellcheck="false">\(kept)<button>Find</button></div></form>
      <p class="choices"><span class="soft">Order:</span> \(choice("most posts first", .count)) \(choice("by name", .name))</p>
      """
  }

  private func choice(_ words: HTML, _ order: CountOrder) -> HTML {
    let mark: HTML = order == request.order ? " aria-current=\"true\"" : ""
    return "<a href=\"\(path)?\(request.query(by: order))\"\(mark)>\(words)</a>"
  }

  private var nothing: HTML {
    request.part.isEmpty
      ? "<p class=\"soft\">There are none yet.</p>"
      : "<p class=\"soft\">None contains “\(request.part)”.</p>"
  }

  private var pages: HTML {
    let first: HTML = request.after == nil ? "" : "<a href=\"\(path)?\(request.query())\">First page</a>"
    let more: HTML =
      next.map { "<a rel=\"next\" href=\"\(path)?\(request.query(after: $0))\">Next page</a>" } ?? ""
    return "<nav class=\"choices\" aria-label=\"Further pages\">\(first) \(more)</nav>"
  }
}

extension Array {
  /// The rows of a page by the numbers that it shows. The store, which decides what is on which page, counts what is planned, too.
  func ordered(_ order: CountOrder, by number: (Element) -> Int) -> [Element] {
    guard order == .count else { return self }
    return enumerated().sorted { (-number($0.element), $0.offset) < (-number($1.element), $1.offset) }.map(\.element)
  }

  /// The first rows, and the last of them if more follow.
  func page(of limit: Int) -> (rows: ArraySlice<Element>, last: Element?) {
    let rows = prefix(limit)
    return (rows, count > limit ? rows.last : nil)
  }
}
