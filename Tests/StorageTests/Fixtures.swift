import Foundation
import Posts
import Rows
import SQLRows
import SQLite

@testable import Storage

let social = Server("https://social.example")!
let birds = Server("https://birds.example")!
extension SourceName {
  /// The name of a source whose feeds are documents.
  static let feed = SourceName(rawValue: "feed")
}

let cats = Feed(source: .usual, kind: .tag, value: "cats", server: social)
let adas = Feed(source: .usual, kind: .user, value: "ada", server: social)
let noon = Date(timeIntervalSince1970: 1_763_640_000)

/// A library in memory, with its connection for reading rows.
struct TestLibrary {
  let store: Store
  let database: Connections

  init() throws {
    database = try Connections()
    store = try Store(database)
  }

  /// One pull of the given pages, from the top.
  @discardableResult
  func pull(_ pages: [Page], of feed: Feed = cats, pictures: Bool = true, reached: Bool = true) throws -> [Saved] {
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: pages.count), now: noon)
    let saved = try pages.map { try store.save($0, in: pull, pictures: pictures, now: noon) }
    try store.finishPull(pull, reached: reached, now: noon)
    return saved
  }

  @discardableResult
  func pull(_ posts: [Post], of feed: Feed = cats, pictures: Bool = true) throws -> Saved {
    try pull([page(posts)], of: feed, pictures: pictures)[0]
  }

  /// The rows of a query, a line each.
  func lines(_ sql: String) throws -> [String] { try database.read { try rows(sql, in: $0) } }

  /// Runs FTS5's integrity check: throws if the index disagrees with the posts.
  func checkIndex() throws {
    try database.write { db in
      try db.execute("INSERT INTO caption_fts (caption_fts, rank) VALUES ('integrity-check', 1)")
    }
  }
}

func rows(_ sql: String, in db: Connection) throws -> [String] {
  try db.rows(sql).map(\.description)
}

func rows(_ sql: String, in db: Database) throws -> [String] { try rows(sql, in: db.sqlite) }

extension Database {
  /// The first row by position; nil if there is none.
  func row(_ sql: String, _ arguments: Arguments = []) throws -> Columns? { try sqlite.row(sql, arguments) }

  /// All rows by position.
  func rows(_ sql: String, _ arguments: Arguments = []) throws -> [Columns] { try sqlite.rows(sql, arguments) }
}

/// Post `number`, written that many minutes after a fixed moment, of birds.example, as `server` shows it.
func post(
  _ number: Int,
  caption: String? = nil,
  by name: String = "Ada",
  server: Server = social,
  tags: [String] = ["cats"],
  attachments: [Attachment] = []
) -> Post {
  Post(
    source: .usual,
    uri: "https://birds.example/users/ada/statuses/\(number)",
    url: "https://birds.example/@ada/\(number)",
    server: server,
    remoteID: "\(server.host)-\(number)",
    author: Author(uri: "https://birds.example/users/ada", handle: "ada@birds.example", name: name),
    createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60),
    caption: caption ?? "post \(number)",
    tags: tags,
    attachments: attachments
  )
}

func picture(_ name: String, id: String? = nil, alt: String? = nil, query: String = "") -> Attachment {
  Attachment(kind: .image, remoteID: id, url: "https://files.example/\(name).jpg\(query)", alt: alt)
}

func item(_ post: Post, pinned: Bool = false) -> PageItem {
  PageItem(id: post.remoteID, content: .post(post), pinned: pinned, raw: Array("{\"uri\":\"\(post.uri)\"}".utf8))
}

func page(_ posts: [Post], next: Next = .after(Cursor("c"))) -> Page { Page(items: posts.map { item($0) }, next: next) }

/// A page of the posts with these numbers.
func page(_ numbers: any Sequence<Int>, next: Next = .after(Cursor("c"))) -> Page {
  page(numbers.map { post($0) }, next: next)
}
