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

  private func whole(_ library: TestLibrary, _ number: Int) throws -> WholePost {
    let line = try library.lines("SELECT id FROM post WHERE uri LIKE '%/statuses/\(number)'")[0]
    let id = try #require(Int64(line))
    return try #require(try library.store.post(id))
  }

  @Test func `a quoted post is stored by itself, is named by the post that quotes it, and does not belong to the feed`()
    throws
  {
    let library = try TestLibrary()
    let saved = try library.pull([Page(items: [quoting(2, quotation(1))], next: .end)])[0]
    #expect((saved.new, saved.updated, saved.unchanged, saved.posts.count) == (1, 0, 0, 2))
    let quoted = try whole(library, 1)
    #expect(quoted.feeds.isEmpty)
    #expect(quoted.raw != nil)
    #expect(quoted.post.attachments.count == 1)
    #expect(quoted.post.quote == nil)
    let quote = try #require(try whole(library, 2).post.quote)
    #expect((quote.post, quote.uri, quote.url) == (quoted.post.id, quoted.post.uri, quoted.post.url))
    #expect(try library.lines("SELECT count(*) FROM feed_post") == ["1"])
    let again = try library.pull([Page(items: [quoting(2, quotation(1))], next: .end)])[0]
    #expect((again.new, again.updated, again.unchanged) == (0, 0, 1))
    #expect(try library.lines("SELECT count(*) FROM quote") == ["1"])
    #expect(try library.lines("SELECT count(*) FROM revision") == ["0"])
  }

  @Test func `pictures of a quoted post are missing of the feed that brought it`() throws {
    let library = try TestLibrary()
    try library.pull([Page(items: [quoting(2, quotation(1))], next: .end)])
    #expect(try library.store.missingPictures(of: cats, .due, now: noon).count == 1)
    #expect(try library.store.countsOfMissingPictures(now: noon) == [cats.name: 1])
    #expect(try library.store.countOfMissingPictures(of: cats, now: noon) == 1)
    try library.store.fail([PictureFailure(owner: .attachment(1), reason: "no")], now: noon)
    #expect(try library.store.missingPictures(of: cats, .due, now: noon + 900).count == 1)
    #expect(try library.store.missingPictures(of: cats, .all, now: noon).count == 1)
    // A post that is quoted twice, and also brought by itself, counts as missing once.
    let quoted = try #require(quotation(1).post)
    try library.pull([Page(items: [quoting(3, quotation(1)), quoting(2, quotation(1)), item(quoted)], next: .end)])
    #expect(try library.store.countsOfMissingPictures(now: noon) == [cats.name: 1])
    #expect(try library.store.missingPictures(of: adas, .wanted, now: noon).isEmpty)
  }

  @Test func `a post that is quoted above its own position on the page is new`() throws {
    let library = try TestLibrary()
    let quoted = try #require(quotation(1).post)
    let saved = try library.pull([Page(items: [quoting(2, quotation(1)), item(quoted)], next: .end)])[0]
    #expect((saved.new, saved.unchanged, saved.posts.count) == (2, 0, 2))
    let again = try library.pull([Page(items: [quoting(2, quotation(1)), item(quoted)], next: .end)])[0]
    #expect((again.new, again.unchanged) == (0, 2))
  }

  @Test func `a post that is quoted with another date than it came with is listed at the later date`() throws {
    let library = try TestLibrary()
    var moved = post(1)
    moved.createdAt += 30
    let quoting = quoting(2, Quotation(of: moved, slice: Array("{}".utf8)[...]))
    try library.pull([Page(items: [item(post(1)), quoting], next: .end)])
    #expect(try library.store.findings(of: .orders) == [])
    #expect(
      try library.lines(
        "SELECT count(*) FROM feed_post b JOIN post p ON p.id = b.post WHERE b.created_at <> p.created_at")
        == ["0"])
  }

  @Test func `a post that is quoted, deleted and quoted again stays deleted`() throws {
    let library = try TestLibrary()
    try library.pull([Page(items: [quoting(2, quotation(1))], next: .end)])
    let id = try whole(library, 1).post.id
    _ = try library.store.delete([id], now: noon)
    let saved = try library.pull([Page(items: [quoting(2, quotation(1))], next: .end)])[0]
    #expect(saved.posts.contains(id) == false)
    #expect(try whole(library, 1).post.isDeleted)
  }

  @Test func `a quoted post that was only named is found once the library has it`() throws {
    let library = try TestLibrary()
    let named = Quotation(uri: post(1).uri, url: nil)
    try library.pull([Page(items: [quoting(2, named)], next: .end)])
    #expect(try whole(library, 2).post.quote == StoredQuote(post: nil, uri: post(1).uri, url: nil))
    try library.pull([post(1)])
    #expect(try whole(library, 2).post.quote?.post == (try whole(library, 1).post.id))
  }

  @Test func `a quotation that a server no longer sends stays`() throws {
    let library = try TestLibrary()
    try library.pull([Page(items: [quoting(2, quotation(1))], next: .end)])
    let quote = try whole(library, 2).post.quote
    try library.pull([post(2)])
    #expect(try whole(library, 2).post.quote == quote)
    #expect(quote != nil)
  }
}
