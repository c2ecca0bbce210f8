import FoundationEssentials
import HTTP
import Machine
import Posts

/// A position in a feed: the server's cursor, and where a search begins again.
///
/// A search shows some 10,000 posts and then ends (https://github.com/medialab/minet/pull/1018). What is older is found by
/// the same search up to the last post's moment.
///
/// Its text is `READ,SEEN,SEEN?cursor=…&until=…`. What follows the question mark is sent.
struct BlueskyPosition: Equatable {
  /// The server's cursor; nil at the beginning of a search.
  var cursor: String?
  /// The moment before which a search begins.
  var until: String?
  /// How many posts of this search were read.
  var read = 0
  /// Keys of posts of the last page that a search up to `until` finds again.
  var seen: [String] = []

  /// The beginning of a feed.
  init() {}

  /// Reads a cursor's text; nil for a text that another source wrote.
  init?(_ text: String) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let own = halves[0].split(separator: ",").map(String.init)
    cursor = Request.parameter("cursor", of: text)
    until = Request.parameter("until", of: text)
    guard let first = own.first, let read = Int(first), read >= 0, cursor != nil || until != nil else { return nil }
    (self.read, seen) = (read, Array(own.dropFirst()))
  }

  /// What is sent.
  var query: [(String, String)] {
    [("cursor", cursor), ("until", until)].compactMap { name, value in value.map { (name, $0) } }
  }

  /// The cursor's text.
  var text: String { Request.address(([String(read)] + seen).joined(separator: ","), query) }
}

extension BlueskyPosition {
  /// How many posts a search must have shown for its end to be the most that it shows.
  static let leastOfCapped = 5_000
  /// The most keys that are kept of posts of one moment.
  private static let mostSeen = 100

  /// What follows a page from this position.
  ///
  /// - Parameters:
  ///   - items: The items of the page, in the server's order, those without the tag included.
  ///   - cursor: The cursor in the answer: a text, nil if there is none.
  ///   - isSearch: Whether the feed is a search.
  /// - Returns: What follows; nil if the page leads to where it began.
  func next(after items: [PageItem], cursor: String?, isSearch: Bool) -> Next? {
    var next = self
    next.read += items.count
    next.seen = []
    if let cursor {
      if cursor == self.cursor { return nil }
      next.cursor = cursor
      return .after(Cursor(next.text))
    }
    guard isSearch else { return .end }
    guard next.read >= Self.leastOfCapped, let again = beginning(after: items) else { return .horizon }
    return .after(Cursor(again.text))
  }

  /// The same search up to the moment of the last post, which it finds again; nil if that is no step.
  private func beginning(after items: [PageItem]) -> BlueskyPosition? {
    let dates = items.compactMap { item in item.post.map { ($0.createdAt, item.id) } }
    guard let last = dates.last?.0 else { return nil }
    var position = BlueskyPosition()
    // `until` itself is not included.
    let end = UTC.text(last.addingTimeInterval(0.001))
    if let until, end >= until { return nil }
    position.until = end
    let found = dates.filter { $0.0 == last }.compactMap { $0.1.flatMap(BlueskyURI.init)?.key }
    position.seen = Array(found.suffix(Self.mostSeen))
    return position
  }
}
