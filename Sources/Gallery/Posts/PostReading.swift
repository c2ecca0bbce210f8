import FoundationEssentials
import MediaLibrary
import Posts
import Storage
import Web

/// A post with all that its page shows, read from the library.
struct PostReading: Sendable {
  let post: StoredPost
  /// The caption with its links.
  let caption: LinkedText
  /// What each edit changed, latest first.
  let edits: [Edit]
  /// The names of the feeds that brought it.
  let feeds: [String]
  /// The notes that it had, latest first.
  let earlierNotes: [EarlierNote]
  /// Whether a server's answer is stored.
  let hasRawAnswer: Bool

  /// An edit of a post.
  struct Edit: Sendable, Equatable {
    /// When the new version was seen.
    let seenAt: Date
    /// The changes of the title, the warning and the caption. Nil if there are none.
    let title: WordDiff?, warning: WordDiff?, caption: WordDiff?
  }

  /// Reads a post.
  ///
  /// - Throws: `RequestError.noPost` if the library has none of the number.
  init(_ id: Int64, in library: Library) throws {
    guard let whole = try library.store.post(id) else { throw RequestError.noPost(id) }
    post = whole.post
    (feeds, hasRawAnswer) = (whole.feeds, whole.raw != nil)
    caption = LinkedText(whole.post.caption, tags: Set(whole.post.tags.map(Feed.tagName))) { name in
      Self.handle(name, in: library.store)
    }
    edits = Self.edits(whole)
    earlierNotes = whole.earlierNotes.suffix(Self.mostEdits).reversed()
  }

  /// The handle of the author that a mention names; nil if there is none, or more than one.
  private static func handle(_ name: String, in store: Store) -> String? {
    let isWhole = name.contains("@")
    let found = (try? store.authorHandles(beginningWith: isWhole ? name : "\(name)@", limit: 2)) ?? []
    if isWhole { return found.first { $0.lowercased() == name.lowercased() } }
    return found.count == 1 ? found[0] : nil
  }

  /// How many of the latest edits are shown. Some feeds change a number in a text with each reading.
  private static let mostEdits = 50

  private static func edits(_ whole: WholePost) -> [Edit] {
    typealias Version = (title: String, warning: String, caption: String)
    let earlier = whole.revisions.suffix(mostEdits)
    let versions: [Version] =
      earlier.map { ($0.title ?? "", $0.warning, $0.caption) }
      + [(whole.post.title ?? "", whole.post.warning, whole.post.caption)]
    func diff(_ old: String, _ new: String) -> WordDiff? { old == new ? nil : WordDiff(from: old, to: new) }
    return zip(earlier, zip(versions, versions.dropFirst())).map { revision, pair in
      Edit(
        seenAt: revision.seenAt, title: diff(pair.0.title, pair.1.title),
        warning: diff(pair.0.warning, pair.1.warning), caption: diff(pair.0.caption, pair.1.caption))
    }.reversed()
  }
}

extension StoredPost {
  /// The content warning; nil if the pictures may be shown at once.
  var shownWarning: String? {
    guard sensitive || !warning.isEmpty else { return nil }
    return warning.isEmpty ? "Sensitive content" : warning
  }

  /// What people call it.
  var heading: String {
    if let title, !title.isEmpty { return title }
    return author.map { "Post by \($0.shownName)" } ?? "Post \(id)"
  }

  /// The tags that the caption does not contain as links.
  func tagsBeside(_ caption: LinkedText) -> [String] {
    let links = Set(caption.pieces.compactMap(\.link))
    return tags.filter { !links.contains("/?tag=\(Feed.tagName($0).queryEncoded)") }
  }
}

extension String {
  /// The address if it is one of the web, else nil. What a server says its page is may be anything.
  var webLink: String? {
    guard utf8.count <= 4096, let parts = URLComponents(webAddress: self), parts.hostName?.isEmpty == false,
      ["http", "https"].contains(parts.scheme?.lowercased() ?? "")
    else { return nil }
    return self
  }
}
