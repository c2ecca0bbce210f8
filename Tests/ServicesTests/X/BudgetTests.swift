import HTTP
import Posts
import Synchronization
import Testing

@testable import Services

struct BudgetTests {
  private let server = Server("x.com")!
  private var tag: Feed { Feed(source: .x, kind: .tag, value: "cats", server: server) }

  /// A source whose pages each have this number of posts by one author, with a picture each.
  private final class Shop: Source {
    private let posts: Int
    private let sold = Atomic(0)

    init(posts: Int) { self.posts = posts }

    var pages: Int { sold.load(ordering: .relaxed) }

    func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
      Page(items: sell((0..<posts).map(String.init)), next: .after(Cursor("next")))
    }

    var mostLookedUp: Int? { 100 }

    func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult { LookupResult(shown: sell(ids)) }

    private func sell(_ ids: [String]) -> [PageItem] {
      sold.add(1, ordering: .relaxed)
      return ids.map { id in
        let post = Post(
          source: .x, uri: "x:\(id)", author: Author(uri: "x:ada", handle: "ada@x.com", name: "Ada"),
          createdAt: .distantPast, caption: "", attachments: [Attachment(kind: .image, url: nil)])
        return PageItem(id: id, content: .post(post), raw: [])
      }
    }
  }

  @Test(
    arguments: [
      (Feed.Kind.tag, 100, 2, "up to 200 posts, about $2.00 (at most $21.00, "),
      (.search, 3, 1, "up to 10 posts, about $0.10 (at most $1.05, "),
      (.user, 3, 1, "up to 5 posts, about $0.05 (at most $0.495, "),
      (.user, 500, nil, "about $1.00 a page of 100 posts (at most $9.52, "),
    ] as [(Feed.Kind, Int?, Int?, String)])
  func `the possible cost of pages is announced before the pull`(kind: Feed.Kind, size: Int?, pages: Int?, text: String)
  {
    let feed = Feed(source: .x, kind: kind, value: "cats", server: server)
    let beside = "with authors, pictures, and the posts they repeat, quote or answer)"
    #expect(Prices.x.estimate(for: feed, pages: pages, size: size) == text + beside)
  }

  @Test func `every post of an answer is paid for, also those that were not asked for`() async throws {
    let page = Page(items: [], next: .end, contents: Page.Contents(posts: 3, authors: 2, attachments: 4))
    #expect(Prices.x.paid(page) == Price(mills: 3 * 5 + 2 * 10 + 4 * 5))
    let body = Dialect.file("referenced.json", of: .x)
    let held = try await XDesk(Response(body)).page(.search, "birds").contents
    #expect(held == Page.Contents(posts: 8, authors: 4, attachments: 1))
  }

  @Test func `pages are read while the next one cannot cost more than is left`() async throws {
    let shop = Shop(posts: 10)
    // A page of ten may cost $1.05, and costs $0.11.
    let source = BudgetedSource(shop, at: server, prices: .x, budget: Price(mills: 1270))
    for _ in 0..<3 { _ = try await source.page(of: tag, after: nil, size: 10) }
    let spent = SourceError.budgetSpent(server, left: Price(mills: 940), next: Price(mills: 1050))
    await #expect(throws: spent) { try await source.page(of: tag, after: nil, size: 10) }
    #expect(shop.pages == 3)
    #expect(spent.summary == "the next page of x.com may cost $1.05, and $0.94 of the budget is left")
    #expect(spent.exitCode == .done)
  }

  @Test func `posts are looked up while one more cannot cost more than is left`() async throws {
    let shop = Shop(posts: 0)
    // A post may cost $0.035; it costs $0.01 with its picture, and those of one answer $0.01 more for their author.
    let source = BudgetedSource(shop, at: server, prices: .x, budget: Price(mills: 120))
    for count in [3, 2, 1] {
      #expect(source.mostLookedUp == count)
      #expect(try await source.lookUp((0..<count).map(String.init)).shown.count == count)
    }
    #expect(source.mostLookedUp == 1)
    let spent = SourceError.lookUpsSpent(server, left: Price(mills: 30), next: Price(mills: 35))
    await #expect(throws: spent) { try await source.lookUp(["4"]) }
    #expect(shop.pages == 3)
    let rich = BudgetedSource(shop, at: server, prices: .x, budget: Price(mills: 1_000_000))
    #expect(rich.mostLookedUp == 100)
  }

  @Test(arguments: [
    ("1", 1000), ("$1.50", 1500), ("0.001", 1), ("1.2349", 1234), ("0", nil), ("-1", nil), ("$", nil), ("1e3", nil),
    ("", nil), ("nan", nil), ("1.5.0", nil), ("1000000000000000", nil),
  ])
  func `a sum is read as people write it`(text: String, mills: Int?) { #expect(Price(text)?.mills == mills) }
}
