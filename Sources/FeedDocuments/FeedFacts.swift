/// What a feed says of itself.
package struct FeedFacts: Sendable {
  /// Identifies the feed, wherever it is served.
  package let id: String
  /// Its title.
  package let title: String
  /// The page of the same posts for people.
  package let home: String?
  /// Its own address.
  package let link: String?
  /// The address of its newest part.
  package let first: String?
  /// The address of its part with older posts.
  package let next: String?

  /// A feed from its facts. Only a served one has addresses.
  package init(
    id: String, title: String, home: String? = nil, link: String? = nil, first: String? = nil, next: String? = nil
  ) {
    (self.id, self.title, self.home) = (id, title, home)
    (self.link, self.first, self.next) = (link, first, next)
  }

  /// What a list of posts is called; nil if nothing chooses among all of them.
  package static func title(
    tags: [String], user: String?, feed: String?, search: String?, day: String?
  ) -> String? {
    let names = tags.map { "#\($0)" } + [user, feed, search, day].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: " ")
  }
}

/// A feed that is written item by item: `head`, the text of each item, `tail`.
package protocol FeedWriting {
  /// An empty feed.
  init(_ facts: FeedFacts)

  /// What stands before the items.
  var head: String { get }

  /// An item, with whatever separates it from the one before.
  mutating func text(of item: FeedItem) -> String

  /// What stands after the items.
  var tail: String { get }
}

extension FeedWriting {
  /// The whole document of a few items.
  package static func text(_ facts: FeedFacts, _ items: [FeedItem]) -> String {
    var document = Self(facts)
    return items.reduce(into: document.head) { $0 += document.text(of: $1) } + document.tail
  }
}
