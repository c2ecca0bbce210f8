import FoundationEssentials

/// An opaque token of a source for the next page. Never a URL, and never a secret.
public struct Cursor: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The token from the source.
  public let value: String
  /// A cursor from a source's token.
  public init(_ value: String) { self.value = value }
  /// `value`.
  public var description: String { value }
}

/// One page of a source's answer, in the server's own order, newest first.
public struct Page: Sendable {
  /// The items of the page, in the server's order: posts, and items that could not be read.
  public var items: [PageItem]
  /// Items that the source read besides and that have no place in the page. They are stored, and prove nothing.
  public var aside: [PageItem] = []
  /// The cursor of older items, or why there is none.
  public var next: Next
  /// What the next visit must know of this one; nil if the source needs nothing.
  public var visit: Visit?
  /// The delay that the answer requests; nil if the answer does not mention it. An earlier request then stays in effect.
  public var requestedDelay: RequestedDelay?
  /// What the answer contained, for a source that charges by it; nil if the items show it.
  public var contents: Contents?
  /// The number of items with an unusable date. Their dates are guessed.
  public var misdated = 0
  /// The number of items that lost a part, because they were too long, besides those that reach the bounds of a post.
  public var shortened = 0

  /// The numbers of things in an answer, whether or not they became posts.
  public struct Contents: Sendable, Hashable {
    /// Posts, including those that others repeat, quote or reply to.
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

  /// Creates a page of items, and says what follows it.
  public init(
    items: [PageItem], next: Next, visit: Visit? = nil, requestedDelay: RequestedDelay? = nil, contents: Contents? = nil
  ) {
    self.items = items
    self.next = next
    self.visit = visit
    self.requestedDelay = requestedDelay
    self.contents = contents
  }

  /// What a server sent in place of the page that it was asked for, such as its newest in place of one below.
  public static func astray(_ items: [PageItem], reason: String, contents: Contents? = nil) -> Page {
    var page = Page(items: [], next: .astray(reason: reason), contents: contents)
    page.aside = items
    return page
  }

  /// Returns the whole page and removes the items from this value, so that only one copy of them remains.
  public mutating func moveItemsOut() -> Page {
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
  /// The source shows no older items, although there may be some.
  case horizon
  /// There are older items, but their link is not followed, because it leads to another server, for instance.
  case refused(reason: String)
  /// The server sent another page than the one that it was asked for.
  case astray(reason: String)
}

/// One item of a page.
public struct PageItem: Sendable {
  /// A post, or why it is none.
  public enum Content: Sendable {
    case post(Post)
    case unreadable(reason: String)
  }

  /// The id by which the server pages, opaque. For a repeat, it is the id of the repeat, not of the post in it.
  public var id: String?
  /// The post, or why it could not be read.
  public var content: Content
  /// Who repeated the post, if this item is a repeat (a boost, a retweet).
  public var repetition: Repetition?
  /// The post that this one quotes, if any.
  public var quoted: Quotation?
  /// Whether it is pinned: shown on top, out of order.
  public var pinned: Bool
  /// The verbatim bytes of this item. A slice retains the answer that it was cut from, so that all items of a long
  /// document share one copy.
  public var slice: ArraySlice<UInt8>

  /// Creates an item with its content and its verbatim answer.
  public init(
    id: String?, content: Content, repetition: Repetition? = nil, pinned: Bool = false, raw: [UInt8]
  ) {
    self.init(id: id, content: content, repetition: repetition, pinned: pinned, slice: raw[...])
  }

  /// An item whose bytes are part of a longer answer.
  public init(
    id: String?, content: Content, repetition: Repetition? = nil, pinned: Bool = false, slice: ArraySlice<UInt8>
  ) {
    self.id = id
    self.content = content
    self.repetition = repetition
    self.pinned = pinned
    self.slice = slice
  }

  /// A copy of the verbatim bytes.
  public var raw: [UInt8] {
    get { Array(slice) }
    set { slice = newValue[...] }
  }

  /// The post, if it could be read.
  public var post: Post? {
    if case .post(let post) = content { post } else { nil }
  }
}

/// A post that another one quotes, as far as the server describes it.
public struct Quotation: Sendable {
  /// Its identity within the source.
  public var uri: String
  /// The address at which people open it.
  public var url: String?
  /// The post; nil if the server only names it.
  public var post: Post?
  /// The verbatim bytes of the quoted post.
  public var slice: ArraySlice<UInt8>

  /// A quotation of a post that the server returned.
  public init(of post: Post, slice: ArraySlice<UInt8>) {
    (uri, url, self.post, self.slice) = (post.uri, post.url, post, slice)
  }

  /// A quotation of a post that the server only names.
  public init(uri: String, url: String?) {
    (self.uri, self.url, post, slice) = (uri, url, nil, [])
  }
}

/// A repeat of a post by somebody.
public struct Repetition: Sendable, Hashable {
  /// Who repeated it.
  public var by: Author
  /// When it was repeated.
  public var at: Date
  /// Creates the repetition of a post by an author.
  public init(by: Author, at: Date) {
    self.by = by
    self.at = at
  }
}
