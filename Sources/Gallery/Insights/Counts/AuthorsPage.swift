import MediaLibrary
import Storage
import Web

/// The authors of all posts, with their counts.
struct AuthorsPage {
  let html: HTML

  init(_ request: CountsRequest, in library: Library) throws {
    let authors = try library.store.authorCounts(
      containing: request.part, by: request.order, after: request.after, limit: CountsRequest.limit + 1)
    let planned = try library.store.plannedCounts(after: library.now()).authors
    let (rows, last) = authors.page(of: CountsRequest.limit)
    let counted = rows.filter { $0.shown > 0 }
      .map { (row: $0, listed: PlannedCount.listed($0.shown, planned: planned[$0.author.id])) }
      .ordered(request.order, by: \.listed)
    let frame = CountsFrame(
      path: "/authors", title: "Authors", label: "Names that contain", request: request, next: last?.key,
      isEmpty: counted.isEmpty && last == nil, countsHidden: rows.contains { $0.hidden == nil })
    let most = Double(max(counted.map(\.listed).max() ?? 1, 1))
    let items = counted.map { Self.row($0.row, Double($0.listed) / most, planned: planned[$0.row.author.id]) }
    html = frame.html(.authors, "<ul class=\"authors\">\(HTML.joined(items))</ul>")
  }

  private static func row(_ row: AuthorCount, _ share: Double, planned: Int?) -> HTML {
    let author = row.author
    let query = "user=\(author.handle.queryEncoded)"
    return """
      <li><a href="/?\(query)">\(CoverRoutes.html(query))\(avatar(author))\
      <span><strong><bdi>\(author.shownName)</bdi></strong>\
      <span class="soft"><bdi>\(author.shownHandle)</bdi></span></span></a> \
      \(PlannedCount.html(row.shown, planned: planned))\(ShareBar.html(share))</li>
      """
  }

  static func avatar(_ author: StoredAuthor) -> HTML {
    guard let avatar = author.avatar else {
      let letter = (author.name + author.handle).first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() }
      return "<span class=\"avatar\" aria-hidden=\"true\">\(letter ?? "")</span>"
    }
    return """
      <img class="avatar" src="/thumb/320/\(avatar.hex)" alt="" loading="lazy" width="44" height="44">
      """
  }
}
