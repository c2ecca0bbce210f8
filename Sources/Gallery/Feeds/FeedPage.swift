import FeedDocuments
import FoundationEssentials
import MediaLibrary
import Storage

/// A page of a feed: posts of a list, newest first, and how the feed goes on.
struct FeedPage: Sendable {
  let request: FeedRequest
  let title: String
  let posts: [StoredPost]
  /// The key of the last post, if more follow.
  let next: PostKey?

  /// Reads the page.
  ///
  /// It begins after the key that it is given, not at a row: a post that comes in between, or one that is deleted, moves
  /// nothing across the edge of two pages.
  init(_ request: FeedRequest, in library: Library) throws {
    self.request = request
    var list = try request.list.list(in: library).listed(at: library.now())
    // Whoever has the address may read it.
    list.visibility = .published
    let reading = try library.store.window(list, around: request.around, before: 0, after: request.count + 2)
    let rows = reading.rows.filter { row in request.around.map { row.key > $0 } ?? true }
    let page = rows.prefix(request.count)
    posts = page.map(\.post)
    next = rows.count > page.count ? page.last?.key : nil
    title = try Self.title(of: request.list, in: library)
  }

  /// What a list is called.
  static func title(of list: ListAddress, in library: Library) throws -> String {
    let titles = list.feed == nil ? [:] : try library.store.feedTitles()
    let feed = list.feed.map { titles[$0] ?? $0 }
    let named = FeedFacts.title(
      tags: list.tags, user: list.user, feed: feed, search: list.search, day: list.day)
    guard let named else { return list.isTrash ? "Deleted posts" : "All posts" }
    return list.isTrash ? "\(named) (deleted)" : named
  }

  /// When the newest facts of its posts came; nil without posts.
  var updatedAt: Date? { posts.map { max($0.updatedAt, $0.createdAt) }.max() }

  /// The document in a format.
  func text(_ format: FeedFormat) -> String {
    let facts = FeedFacts(
      id: id, title: title, home: home, link: request.link(after: request.around), first: request.link(),
      next: next.map { request.link(after: $0) })
    let items = posts.map { FeedItem(post: $0, request: request) }
    return switch format {
    case .atom: AtomDocument.text(facts, items)
    case .json: JSONFeedDocument.text(facts, items)
    }
  }

  /// The address of the list for people.
  private var home: String { request.origin + (request.list.query.isEmpty ? "/" : "/?\(request.list.query)") }

  /// What identifies the feed: its list, wherever the gallery is served.
  private var id: String { "tag:media.invalid,2026:list?\(request.list.query)" }
}

extension FeedItem {
  /// A post as an item of a feed of this gallery: its page on the web, else here, and its stored pictures and files.
  init(post: StoredPost, request: FeedRequest) {
    self.init(
      post, link: FeedItem.webAddress(post.url) ?? "\(request.origin)/post/\(post.id)",
      files: post.attachments.compactMap { file in
        file.blob.map { (link: request.link(blob: $0.hex), attachment: file) }
      })
  }
}
