import FoundationEssentials
import MediaLibrary
import Posts
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
    let list = try request.list.list(in: library)
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
    let names = list.tags.map { "#\($0)" } + [list.user, feed, list.search, list.day].compactMap(\.self)
    let all = names.joined(separator: " ") + (list.isTrash ? names.isEmpty ? "Deleted posts" : " (deleted)" : "")
    return all.isEmpty ? "All posts" : all
  }

  /// When the newest facts of its posts came; nil without posts.
  var updatedAt: Date? { posts.map { max($0.updatedAt, $0.createdAt) }.max() }

  /// The address of the list for people.
  var home: String { request.origin + (request.list.query.isEmpty ? "/" : "/?\(request.list.query)") }

  /// What identifies the feed: its list, wherever the gallery is served.
  var id: String { "tag:media.invalid,2026:list?\(request.list.query)" }
}

/// A post as an item of a feed.
struct FeedItem: Sendable {
  let post: StoredPost
  let request: FeedRequest

  /// Identifies the post in every feed and at every address of the gallery: its own identity where that is an address.
  var id: String {
    if post.isManual { return "urn:uuid:\(post.uri.lowercased())" }
    let isAddress = ["http://", "https://", "urn:", "tag:"].contains { post.uri.lowercased().hasPrefix($0) }
    let isPlain = post.uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"{}|\\^`".utf8.contains($0) }
    if isAddress, isPlain { return post.uri }
    return "tag:media.invalid,2026:\(post.source.rawValue.queryEncoded)/\(post.uri.queryEncoded)"
  }

  /// A headline; the beginning of the text for a post without one, because Atom demands it.
  var title: String {
    if let title = post.title, !title.isEmpty { return title }
    if !post.warning.isEmpty { return post.warning }
    let line = post.caption.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let short = line.count > 80 ? "\(line.prefix(79))…" : line
    return short.isEmpty ? post.author.map { "\($0.name.isEmpty ? $0.handle : $0.name)" } ?? "Post \(post.id)" : short
  }

  /// Its page on the web, else in this gallery.
  var link: String { webAddress(post.url) ?? "\(request.origin)/post/\(post.id)" }

  /// When its author changed it last, or a change of its facts was found.
  var changedAt: Date { max(post.editedAt ?? post.createdAt, post.createdAt) }

  var authorName: String? { post.author.map { $0.name.isEmpty ? $0.handle : $0.name } }

  var authorLink: String? { webAddress(post.author?.url) }

  /// An address of the web; nil for what programs would do something else with.
  private func webAddress(_ text: String?) -> String? {
    guard let text, ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }

  /// Its stored pictures and files.
  var files: [(link: String, attachment: StoredAttachment)] {
    post.attachments.compactMap { file in file.blob.map { (request.link(blob: $0.hex), file) } }
  }

  static func mediaType(of file: StoredAttachment) -> String {
    file.mediaType
      ?? {
        switch file.kind {
        case .image: "image/jpeg"
        case .video, .gifv: "video/mp4"
        case .audio: "audio/mpeg"
        case .file: "application/octet-stream"
        }
      }()
  }
}
