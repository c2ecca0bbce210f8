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
