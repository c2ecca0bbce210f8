import FoundationEssentials
import Machine
import MediaLibrary
import Posts
import Storage
import Web

/// Which list a page shows, as its address says: `/?tag=cats&q=kitten`.
struct ListAddress: Sendable, Hashable {
  var tags: [String] = []
  var user: String?
  /// The name of a feed.
  var feed: String?
  /// A filter as typed: words and terms.
  var search: String?
  /// `2026-11-21`.
  var day: String?
  /// Whether it shows the deleted posts.
  var isTrash = false

  init() {}

  /// Reads the parameters of an address. Empty ones count as missing.
  init(_ fields: Fields) {
    func value(_ name: String) -> String? { fields[name].flatMap { $0.trimmingWhiteSpace.isEmpty ? nil : $0 } }
    tags = fields.all("tag").map(Feed.tagName).filter { !$0.isEmpty }
    (user, feed, search, day) = (value("user"), value("feed"), value("q"), value("day"))
    isTrash = fields.flag("deleted")
  }

  /// The parameters, in one order.
  var parameters: [(name: String, value: String)] {
    var pairs = tags.map { (name: "tag", value: $0) }
    for (name, value) in [("user", user), ("feed", feed), ("q", search), ("day", day)] {
      if let value { pairs.append((name, value)) }
    }
    if isTrash { pairs.append(("deleted", "1")) }
    return pairs
  }

  /// The parameters, percent-encoded; empty for all posts.
  var query: String { parameters.map { "\($0.name)=\($0.value.queryEncoded)" }.joined(separator: "&") }

  /// What it is called.
  var title: String {
    let names = tags.map { "#\($0)" } + [user.map { "@\($0)" }, feed, searchName ?? search, day].compactMap(\.self)
    let whole = isTrash ? "Deleted posts" : "All posts"
    return names.isEmpty ? whole : (names + (isTrash ? ["deleted"] : [])).joined(separator: " ")
  }

  /// The same without a filter, the terms of which stand below it. Albums and saved searches are called by their names.
  var heading: String {
    var list = self
    if searchName == nil { list.search = nil }
    return list.title
  }

  /// The album or the saved search that its filter names, and nothing else.
  private var searchName: String? {
    guard let filter = try? filter() else { return nil }
    return filter.name(of: .album) ?? filter.name(of: .saved)
  }

  /// The list in a library.
  ///
  /// - Parameter isOwners: Whether its owner looks, who finds posts by notes, too.
  /// - Throws: `RequestError` if the day is not a day, the library has no such feed or the filter cannot be read.
  func list(in library: Library, isOwners: Bool = false) throws -> PostListQuery {
    let feed = try feed.map { name in
      guard let feed = try library.store.feeds().first(where: { $0.name == name }) else {
        throw RequestError.noFeed(name)
      }
      return feed
    }
    var list = PostListQuery(
      tags: tags, user: user, feed: feed, within: try day.map(Self.interval), deleted: isTrash ? .only : .excluded)
    list.filter = try filter().map { PostFilter($0, now: library.now(), searchesNotes: isOwners) }
    // The earlier post may be one that others must not see.
    list.isFolded = isOwners && library.foldsLists
    return list
  }

  /// A day in local time.
  static func interval(_ day: String) throws(RequestError) -> DateInterval {
    let numbers = day.split(separator: "-").map { Int($0) }
    let calendar = ZoneCalendar()
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let number = numbers[2],
      let noon = calendar.moment(year: year, month: month, day: number, hour: 12)
    else { throw .badParameter("day", must: "a day such as 2026-11-21") }
    return calendar.day(of: noon)
  }
}
