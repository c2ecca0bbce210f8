import MediaLibrary
import Storage
import Web
import Wording

/// The tags of all posts, with their counts.
struct TagsPage {
  let html: HTML

  init(_ request: CountsRequest, in library: Library) throws {
    let tags = try library.store.tagCounts(
      containing: request.part, by: request.order, after: request.after, limit: CountsRequest.limit + 1)
    let planned = try library.store.plannedCounts(after: library.now()).tags
    let (rows, last) = tags.page(of: CountsRequest.limit)
    let counted = rows.filter { $0.shown > 0 }
      .map { (tag: $0, listed: PlannedCount.listed($0.shown, planned: planned[$0.name])) }
      .ordered(request.order, by: \.listed)
    let most = Double(max(counted.map(\.listed).max() ?? 1, 1))
    let items = counted.map { Self.row($0.tag, Double($0.listed) / most, planned: planned[$0.tag.name]) }
    let frame = CountsFrame(
      path: "/tags", title: "Tags", label: "Tags that contain", request: request, next: last?.key,
      isEmpty: counted.isEmpty && last == nil, countsHidden: rows.contains { $0.hidden == nil })
    html = frame.html(.tags, "<ul class=\"tags\">\(HTML.joined(items))</ul>")
  }

  private static func row(_ tag: TagCount, _ share: Double, planned: Int?) -> HTML {
    let query = "tag=\(tag.name.queryEncoded)"
    return """
      <li><a href="/?\(query)">\(CoverRoutes.html(query))<bdi>#\(tag.name)</bdi></a> \
      \(PlannedCount.html(tag.shown, planned: planned))\(ShareBar.html(share))</li>
      """
  }
}

/// A bar for a part of a whole, as long as the part's square root: beside a tag of all posts, the others would have none. The
/// number stands beside it, so it says nothing to those who do not see it.
enum ShareBar {
  static func html(_ part: Double) -> HTML {
    """
    <svg class="share" width="100%" height="6" aria-hidden="true" focusable="false"><rect class="track" width="100%" \
    height="6" rx="3"/><rect class="bar" width="\(NumberText.percent(max(part.squareRoot(), 0.005)))" height="6" rx="3"/></svg>
    """
  }
}
