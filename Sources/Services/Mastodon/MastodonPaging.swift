import HTTP
import Posts

/// Finds where older posts begin, from one answer alone: a source stores nothing between pages.
enum MastodonPaging {
  /// The server's pages do not advance.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// What follows a page.
  ///
  /// - A short page is not the end: servers filter after counting. An empty one is, unless its `rel="next"` link holds a
  ///   cursor.
  /// - `rel="next"`: only its `max_id`, because the server's URL loses our parameters. A link to another host is
  ///   refused; its page still counts.
  /// - Links without `next`: the end.
  /// - No links, as servers other than Mastodon send: the id of the last item that has one. If Mastodon omits its last
  ///   link, that costs one more request, and the empty page ends it.
  /// - A repeated cursor ends the pull if the page holds only the post at the cursor. If it holds others, or none, the
  ///   server seems to ignore the cursor, and what lies below would wrongly count as known: this throws. For a search, the
  ///   source then checks whether there is more at all.
  ///
  /// - Throws: `Refusal` if the page leads to where it began.
  static func next(
    after cursor: Cursor?,
    items: [PageItem],
    links: [LinkHeader.Link],
    server: Server,
    token: Secret? = nil
  ) throws(Refusal) -> Next {
    let lastID = items.last { $0.id != nil && !$0.pinned }?.id
    var found = lastID
    if let link = links.first(where: { $0.relations.contains("next") }) {
      guard leadsHome(link.target, server) else {
        return .refused(reason: "its next page lies on another server")
      }
      found = Bounds.word(Request.parameter("max_id", of: link.target), bytes: Bounds.id) ?? lastID
    } else if !links.isEmpty {
      return .end
    }
    guard let found else { return .end }
    // It is stored, and becomes part of an address.
    if token?.isPart(of: found) == true { return .refused(reason: "its next page cannot be named") }
    guard found == cursor?.value else { return .after(Cursor(found)) }
    if !items.isEmpty, items.allSatisfy({ $0.id == found }) { return .end }
    throw Refusal(reason: "its pages do not move on")
  }

  /// Whether a link stays on the server. Only a parameter is read from it, so a server behind a proxy may write http.
  private static func leadsHome(_ target: String, _ server: Server) -> Bool {
    if server.owns(target) { return true }
    if target.hasPrefix("//") { return Server("https:\(target)")?.host == server.host }
    guard target.contains("://") else { return true }
    return Server(target)?.host == server.host
  }
}
