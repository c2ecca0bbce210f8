import HTTP
import Posts

/// Decides where older posts begin, from one answer alone: a source remembers nothing between pages.
enum MastodonPaging {
  /// The server's pages do not move on.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// What follows a page.
  ///
  /// - A short page is not the end: servers filter after they have counted. An empty one is, unless a link leads on.
  /// - `rel="next"`: its `max_id` and nothing else of it, for the server's URL loses parameters of ours. A link to
  ///   another host is refused; the page that bears it is a page all the same.
  /// - Links without `next`: the end.
  /// - No links at all, as servers other than Mastodon send: the id of the last item, or of the last that has one.
  ///   Where Mastodon leaves out its last link, that costs one more request, and the empty page ends it.
  /// - A cursor that comes again ends the walk where the page holds only the post at the cursor; where it holds
  ///   others, or none, the server takes no notice of the cursor, and what lies below would wrongly count as known. Of a
  ///   search the source then sees whether there is more at all.
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
    // It is written down, and asked for as part of an address.
    if token?.isPart(of: found) == true { return .refused(reason: "its next page cannot be named") }
    guard found == cursor?.value else { return .after(Cursor(found)) }
    if !items.isEmpty, items.allSatisfy({ $0.id == found }) { return .end }
    throw Refusal(reason: "its pages do not move on")
  }

  /// Whether a link stays on the server. Only a parameter is taken from it, so that a server behind a proxy, which
  /// thinks it is spoken to over http, may say so.
  private static func leadsHome(_ target: String, _ server: Server) -> Bool {
    if server.owns(target) { return true }
    if target.hasPrefix("//") { return Server("https:\(target)")?.host == server.host }
    guard target.contains("://") else { return true }
    return Server(target)?.host == server.host
  }
}
