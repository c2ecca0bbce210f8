import Foundation

/// Where to go on paging: the source's own words, opaque, never a URL and never a secret.
public struct Cursor: Hashable, Sendable, Codable, CustomStringConvertible {
  /// What the source gave.
  public let value: String
  /// A cursor from what the source gave.
  public init(_ value: String) { self.value = value }
  /// `value`.
  public var description: String { value }
}

/// One answer of a source, in the server's own order, newest first.
public struct Page: Sendable {
  /// What was on the page, in the server's order: posts, and items that could not be read.
  public var items: [PageItem]
  /// Where older items begin, or why there are none.
  public var next: Next
  /// What the next visit has to know of this one; nil where the source needs nothing.
  public var visit: Visit?
  /// How long the feed would be left alone now; nil where the answer says nothing of it, and what it said before holds.
  public var respite: Respite?

  /// A page from its parts.
  public init(items: [PageItem], next: Next, visit: Visit? = nil, respite: Respite? = nil) {
    self.items = items
    self.next = next
    self.visit = visit
    self.respite = respite
  }

  /// The page whole, for somebody else: what is left of this one has no items.
  public mutating func handOver() -> Page {
    defer { items = [] }
    return self
  }
}

/// What follows a page.
public enum Next: Hashable, Sendable {
  /// Older items begin after this cursor.
  case after(Cursor)
  /// The source has no older items.
  case end
  /// The source shows no older items; whether there are any, nobody can tell.
  case horizon
  /// There are older items, and the way to them is one that is not gone: a link to another server, say.
  case refused(reason: String)
}

/// One place of a page.
public struct PageItem: Sendable {
  /// A post, or why it is none.
  public enum Content: Sendable {
    case post(Post)
    case unreadable(reason: String)
  }

  /// The id by which the server pages, opaque; for a repeat that of the repeat, not of the post in it.
  public var id: String?
  /// What could be made of it.
  public var content: Content
  /// Who passed the post on, where this item is a repeat (a boost, a retweet).
  public var repetition: Repetition?
  /// Whether it was shown out of order, on top.
  public var pinned: Bool
  /// The verbatim answer, this item's bytes alone. A slice keeps the whole that it was cut from: of a long document the
  /// items hold one copy together.
  public var slice: ArraySlice<UInt8>

  /// An item from its parts.
  public init(
    id: String?, content: Content, repetition: Repetition? = nil, pinned: Bool = false, raw: [UInt8]
  ) {
    self.init(id: id, content: content, repetition: repetition, pinned: pinned, slice: raw[...])
  }

  /// An item whose bytes stand in a longer answer.
  public init(
    id: String?, content: Content, repetition: Repetition? = nil, pinned: Bool = false, slice: ArraySlice<UInt8>
  ) {
    self.id = id
    self.content = content
    self.repetition = repetition
    self.pinned = pinned
    self.slice = slice
  }

  /// The verbatim answer as bytes of their own.
  public var raw: [UInt8] {
    get { Array(slice) }
    set { slice = newValue[...] }
  }

  /// The post, where it could be read.
  public var post: Post? {
    if case .post(let post) = content { post } else { nil }
  }
}

/// That somebody passed a post on.
public struct Repetition: Sendable, Hashable {
  /// Who.
  public var by: Author
  /// When.
  public var at: Date
  /// A repetition from its parts.
  public init(by: Author, at: Date) {
    self.by = by
    self.at = at
  }
}
