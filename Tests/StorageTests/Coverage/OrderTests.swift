import Foundation
import Posts
import PropertyTesting
import Testing

@testable import Storage

struct OrderTests {
  private let local = Feed(source: .usual, kind: .tag, value: "cats", server: birds)

  private let dump = [
    """
    SELECT p.uri, p.url, p.server, p.remote_id, a.uri, p.created_at, p.caption, p.warning FROM post p
    LEFT JOIN author a ON a.id = p.author ORDER BY p.uri
    """,
    "SELECT uri, server, handle, name, url, avatar_url FROM author ORDER BY uri",
    """
    SELECT p.uri, a.position, a.kind, a.remote_id, a.url, a.alternate_url, a.alt, a.state FROM attachment a
    JOIN post p ON p.id = a.post ORDER BY p.uri, a.position
    """,
    """
    SELECT p.uri, t.name, k.position, k.created_at FROM post_tag k JOIN post p ON p.id = k.post
    JOIN tag t ON t.id = k.tag ORDER BY p.uri, k.position
    """,
    """
    SELECT f.name, b.remote_id, p.uri FROM feed_post b JOIN feed f ON f.id = b.feed JOIN post p ON p.id = b.post
    ORDER BY 1, 2
    """,
    "SELECT source, alias FROM post_alias ORDER BY alias",
  ]

  @Test func `any order and repetition of pages, from two servers, gives the same rows`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var dice = Dice(state: seed)
    var pages: [(Feed, Page)] = []
    for first in stride(from: 0, to: 40, by: 5) {
      pages.append((cats, Page(items: (first..<first + 5).map { item(shown($0, by: social)) }, next: .end)))
      pages.append((local, Page(items: (first..<first + 5).map { item(shown($0, by: birds)) }, next: .end)))
    }
    var expected: [String]?
    for _ in 0..<8 {
      let library = try TestLibrary()
      let again = (0..<6).map { _ in pages.randomElement(using: &dice)! }
      for (feed, page) in (pages + again).shuffled(using: &dice) { try library.pull([page], of: feed) }
      let rows = try dump.flatMap { try library.lines($0) }
      #expect(rows == expected ?? rows, "seed \(seed)")
      expected = rows
      try library.checkIndex()
    }
  }

  /// The same post as two servers show it: with different links and names.
  private func shown(_ number: Int, by server: Server) -> Post {
    let isOwn = server == birds
    let pictures = (0..<number % 3).map { index in
      Attachment(
        kind: .image,
        remoteID: "\(server.host)-m\(number)-\(index)",
        url: "\(server.origin)/\(number)-\(index).jpg",
        alt: isOwn ? "alt \(index)" : nil
      )
    }
    return post(
      number,
      caption: isOwn ? "own \(number)" : "copy \(number)",
      by: isOwn ? "Ada" : "ada",
      server: server,
      tags: number % 2 == 0 ? ["cats", "t\(number % 4)"] : [],
      attachments: pictures
    )
  }
}
