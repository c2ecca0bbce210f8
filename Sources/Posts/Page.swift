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
  /// What the answer held, for a source that charges by it; nil where the items tell.
  public var contents: Contents?
  /// How many items tell a date that cannot be used, and have one that was guessed.
  public var misdated = 0

  /// How much an answer held, whether or not it became a post.
  public struct Contents: Sendable, Hashable {
    /// Posts, those that others repeat, quote or answer among them.
    public var posts: Int
    /// Their authors.
    public var authors: Int
    /// Pictures and videos.
    public var attachments: Int
    /// Contents from their numbers.
    public init(posts: Int, authors: Int, attachments: Int) {
      (self.posts, self.authors, self.attachments) = (posts, authors, attachments)
    }
  }

  /// A page from its parts.
  public init(
    items: [PageItem], next: Next, visit: Visit? = nil, respite: Respite? = nil, contents: Contents? = nil
  ) {
    self.items = items
    self.next = next
    self.visit = visit
    self.respite = respite
    self.contents = contents
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
  /// The post that the one here quotes, where it quotes one.
  public var quoted: Quotation?
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

/// A post that another one quotes, as far as the server tells of it.
public struct Quotation: Sendable {
  /// Its identity within the source.
  public var uri: String
  /// Where people open it.
  public var url: String?
  /// The post; nil where the server only names it.
  public var post: Post?
  /// The verbatim answer, the quoted post's bytes alone.
  public var slice: ArraySlice<UInt8>

  /// A quotation of a post that the server shows.
  public init(of post: Post, slice: ArraySlice<UInt8>) {
    (uri, url, self.post, self.slice) = (post.uri, post.url, post, slice)
  }

  /// A quotation of a post that the server only names.
  public init(uri: String, url: String?) {
    (self.uri, self.url, post, slice) = (uri, url, nil, [])
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
