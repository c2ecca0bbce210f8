import Foundation
import Posts
import Storage

let social = Server("https://social.example")!
let cats = Feed(source: .usual, kind: .tag, value: "cats", server: social)
let dogs = Feed(source: .usual, kind: .tag, value: "dogs", server: social)
let noon = Date(timeIntervalSince1970: 1_763_640_000)

/// The post of a number, that many minutes after a fixed moment.
func post(_ number: Int, caption: String? = nil, tags: [String] = ["cats"], pictures: Int = 0) -> Post {
  Post(
    source: .usual, uri: "https://social.example/statuses/\(number)", url: "https://social.example/@ada/\(number)",
    server: social, remoteID: "\(number)",
    author: Author(uri: "https://social.example/users/ada", handle: "ada@social.example", name: "Ada"),
    createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60), caption: caption ?? "post \(number)",
    tags: tags,
    attachments: (0..<pictures).map {
      Attachment(kind: .image, remoteID: "\(number)-\($0)", url: "https://files.example/\(number)-\($0).jpg")
    })
}

/// A page of posts, in the server's order.
func page(_ posts: [Post], next: Next = .after(Cursor("next"))) -> Page {
  Page(
    items: posts.map { PageItem(id: $0.remoteID, content: .post($0), raw: Array("{\"uri\":\"\($0.uri)\"}".utf8)) },
    next: next)
}

/// A page of the posts with these numbers.
func page(_ numbers: some Sequence<Int>, next: Next = .after(Cursor("next"))) -> Page {
  page(numbers.map { post($0) }, next: next)
}

extension NewLibrary {
  /// One pull from the top.
  @discardableResult
  func pull(_ pages: [Page], of feed: Feed = cats, reached: Bool = true) throws -> [Saved] {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: pages.count), now: noon)
    let saved = try pages.map { try store.save($0, in: pull, pictures: true, now: noon) }
    try store.finishPull(pull, reached: reached, now: noon)
    return saved
  }

  /// One pull of one page.
  @discardableResult
  func pull(_ posts: [Post], of feed: Feed = cats) throws -> Saved { try pull([page(posts)], of: feed)[0] }

  /// Adds an entry by hand. Returns its number.
  @discardableResult
  func enter(_ caption: String, from start: Date, to end: Date, tags: [String] = []) throws -> Int64 {
    let entry = Post(source: .manual, uri: "", createdAt: start, endsAt: end, caption: caption, tags: tags)
    return try store.add(entry, id: UUID(), pictures: [], now: noon)
  }

  /// Merges posts of which nobody has looked yet who may see them.
  ///
  /// - Parameter answer: The answer of the post of a number.
  func merge(awaiting posts: [Post], answer: (Int) -> String) throws {
    try pull(posts)
    var records: [LibraryRecord] = []
    try store.eachRecord(of: nil, raw: true) { record in
      guard case .post(var post) = record, let number = post[.remoteID].text.flatMap({ Int($0) }) else { return }
      post[.uri] = .text("https://social.example/copies/\(number)")
      post[.visibility] = .text(Visibility.pending.rawValue)
      (post.aliases, post.items) = ([], [])
      post.raw?[.body] = .blob(Array(answer(number).utf8))
      records.append(.post(post))
    }
    try store.delete(try store.posts(PostQuery(limit: nil)).map(\.id), now: noon)
    try store.beginMerge()
    try expect(try store.merge(records, stored: [], known: [], dryRun: false, now: noon).new, posts.count)
  }

  /// The captions of a list, as the other process reads them.
  func captions(_ list: PostListQuery = PostListQuery()) throws -> [String] {
    try other.window(list, around: nil, before: 0, after: 100).rows.map(\.post.caption)
  }

  /// The gaps between what was read, each as the ids above and below it.
  func innerGaps(of feed: Feed = cats) throws -> [String] {
    try other.gaps(of: feed, isRunning: { _ in false }).compactMap { gap in
      gap.below.map { "\(gap.above ?? "-") \($0)" }
    }
  }
}
