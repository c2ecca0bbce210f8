import Foundation
import Posts
import Testing

@testable import Storage

/// The posts that others quote.
struct QuoteTests {
  private func quoting(_ number: Int, _ quoted: Quotation) -> PageItem {
    var item = item(post(number))
    item.quoted = quoted
    return item
  }

  private func quotation(_ number: Int, tags: [String] = []) -> Quotation {
    let quoted = post(number, tags: tags, attachments: [picture("snow")])
    return Quotation(of: quoted, slice: Array("{\"uri\":\"\(quoted.uri)\"}".utf8)[...])
  }

  private func whole(_ shelf: Shelf, _ number: Int) throws -> WholePost {
    let line = try shelf.lines("SELECT id FROM post WHERE uri LIKE '%/statuses/\(number)'")[0]
    let id = try #require(Int64(line))
    return try #require(try shelf.store.post(id))
  }

  @Test func `a quoted post is one of its own, is told by the one that quotes it, and is not the feed's`() throws {
    let shelf = try Shelf()
    let saved = try shelf.pull([Page(items: [quoting(2, quotation(1))], next: .end)])[0]
    #expect((saved.new, saved.updated, saved.unchanged, saved.posts.count) == (1, 0, 0, 2))
    let quoted = try whole(shelf, 1)
    #expect(quoted.feeds.isEmpty)
    #expect(quoted.raw != nil)
    #expect(quoted.post.attachments.count == 1)
    #expect(quoted.post.quote == nil)
    let quote = try #require(try whole(shelf, 2).post.quote)
    #expect((quote.post, quote.uri, quote.url) == (quoted.post.id, quoted.post.uri, quoted.post.url))
    #expect(try shelf.lines("SELECT count(*) FROM feed_post") == ["1"])
    let again = try shelf.pull([Page(items: [quoting(2, quotation(1))], next: .end)])[0]
    #expect((again.new, again.updated, again.unchanged) == (0, 0, 1))
    #expect(try shelf.lines("SELECT count(*) FROM quote") == ["1"])
    #expect(try shelf.lines("SELECT count(*) FROM revision") == ["0"])
  }

  @Test func `pictures of a quoted post are missing of the feed that brought it`() throws {
    let shelf = try Shelf()
    try shelf.pull([Page(items: [quoting(2, quotation(1))], next: .end)])
    #expect(try shelf.store.missingPictures(of: cats, .due, now: noon).count == 1)
    #expect(try shelf.store.countsOfMissingPictures(now: noon) == [cats.name: 1])
    #expect(try shelf.store.countOfMissingPictures(of: cats, now: noon) == 1)
    try shelf.store.fail([PictureFailure(owner: .attachment(1), reason: "no")], now: noon)
    #expect(try shelf.store.missingPictures(of: cats, .due, now: noon + 900).count == 1)
    #expect(try shelf.store.missingPictures(of: cats, .all, now: noon).count == 1)
    // A post that is quoted twice, and also brought by itself, counts as missing once.
    let quoted = try #require(quotation(1).post)
    try shelf.pull([Page(items: [quoting(3, quotation(1)), quoting(2, quotation(1)), item(quoted)], next: .end)])
    #expect(try shelf.store.countsOfMissingPictures(now: noon) == [cats.name: 1])
    #expect(try shelf.store.missingPictures(of: adas, .wanted, now: noon).isEmpty)
  }

  @Test func `a post that is quoted above its own position on the page is new`() throws {
    let shelf = try Shelf()
    let quoted = try #require(quotation(1).post)
    let saved = try shelf.pull([Page(items: [quoting(2, quotation(1)), item(quoted)], next: .end)])[0]
    #expect((saved.new, saved.unchanged, saved.posts.count) == (2, 0, 2))
    let again = try shelf.pull([Page(items: [quoting(2, quotation(1)), item(quoted)], next: .end)])[0]
    #expect((again.new, again.unchanged) == (0, 2))
  }

  @Test func `a post that is quoted with another date than it came with is listed at the later date`() throws {
    let shelf = try Shelf()
    var moved = post(1)
    moved.createdAt += 30
    let quoting = quoting(2, Quotation(of: moved, slice: Array("{}".utf8)[...]))
    try shelf.pull([Page(items: [item(post(1)), quoting], next: .end)])
    #expect(try shelf.store.findings(of: .orders) == [])
    #expect(
      try shelf.lines(
        "SELECT count(*) FROM feed_post b JOIN post p ON p.id = b.post WHERE b.created_at <> p.created_at")
        == ["0"])
  }

  @Test func `a post that is quoted, deleted and quoted again stays deleted`() throws {
    let shelf = try Shelf()
    try shelf.pull([Page(items: [quoting(2, quotation(1))], next: .end)])
    let id = try whole(shelf, 1).post.id
    _ = try shelf.store.delete([id], now: noon)
    let saved = try shelf.pull([Page(items: [quoting(2, quotation(1))], next: .end)])[0]
    #expect(saved.posts.contains(id) == false)
    #expect(try whole(shelf, 1).post.isDeleted)
  }

  @Test func `a quoted post that was only named is found once the library has it`() throws {
    let shelf = try Shelf()
    let named = Quotation(uri: post(1).uri, url: nil)
    try shelf.pull([Page(items: [quoting(2, named)], next: .end)])
    #expect(try whole(shelf, 2).post.quote == StoredQuote(post: nil, uri: post(1).uri, url: nil))
    try shelf.pull([post(1)])
    #expect(try whole(shelf, 2).post.quote?.post == (try whole(shelf, 1).post.id))
  }

  @Test func `a quotation that a server no longer sends stays`() throws {
    let shelf = try Shelf()
    try shelf.pull([Page(items: [quoting(2, quotation(1))], next: .end)])
    let quote = try whole(shelf, 2).post.quote
    try shelf.pull([post(2)])
    #expect(try whole(shelf, 2).post.quote == quote)
    #expect(quote != nil)
  }
}
