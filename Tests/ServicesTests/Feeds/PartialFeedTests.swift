import HTTP
import Posts
import Services
import Testing

/// Documents of which not all can be read, or is.
@Suite(.timeLimit(.minutes(10))) struct PartialFeedTests {
  private let next = "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"/2\"/>"
  private let complete = "<fh:complete xmlns:fh=\"http://purl.org/syndication/history/1.0\"/>"

  private func document(_ items: String, head: String = "") -> String {
    "<rss version=\"2.0\"><channel>\(head)<title>x</title>\(items)</channel></rss>"
  }

  /// Items of which each is a second younger than the one before.
  private func rising(_ count: Int) -> String {
    (0..<count).map { number in
      let clock = [number / 3600, number / 60 % 60, number % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      let date = "2026-11-20T\(clock.joined(separator: ":"))Z"
      return "<item><guid>\(number)</guid><pubDate>\(date)</pubDate></item>"
    }.joined()
  }

  @Test func `of more items than are taken the newest are, and below them is a horizon`() async throws {
    for head in [next, complete] {
      var page = try await FeedDesk.page(document(rising(20_100), head: head))
      try expectLeftOut("100 items", of: &page)
      #expect(page.items.count == 20_000)
      #expect(page.items.first?.id == "feed://birds.example/feed#20099")
      #expect(page.items.last?.id == "feed://birds.example/feed#100")
      #expect(page.next == .horizon)
    }
    #expect(try await FeedDesk.page(document(rising(50), head: complete)).next == .end)
  }

  /// What stands for the items that were not read is the last one.
  private func expectLeftOut(_ number: String, of page: inout Page) throws {
    let popped = page.items.popLast()
    let last = try #require(popped)
    guard case .unreadable(let reason) = last.content, last.id == nil else {
      Issue.record("\(last.content)")
      return
    }
    #expect(reason.contains(number))
  }

  @Test func `a JSON feed is cut likewise`() async throws {
    let items = (0..<20_100).map { "{\"id\": \"\($0)\", \"content_text\": \"x\"}" }.joined(separator: ",")
    var page = try await FeedDesk.page(
      "{\"version\": \"https://jsonfeed.org/version/1.1\", \"next_url\": \"/2\", \"items\": [\(items)]}")
    try expectLeftOut("100 items", of: &page)
    #expect(page.items.count == 20_000)
    #expect(page.items.first?.id == "feed://birds.example/feed#0")
    #expect(page.next == .horizon)
  }

  @Test func `a fault in the head says nothing about what is below`() async throws {
    let item = "<item><guid>a</guid></item>"
    for head in [next, complete] {
      let page = try await FeedDesk.page(document(item, head: head + "<image></wrong>"))
      #expect(page.items.compactMap(\.post).count == 1)
      #expect(page.next == .horizon)
    }
  }

  @Test func `a text that is longer than the parser takes costs the rest of the head alone`() async throws {
    let long = "<description>\(String(repeating: "long ", count: 2_200_000))</description>"
    let page = try await FeedDesk.page(document("<item><guid>a</guid></item>", head: complete + long))
    #expect(page.items.compactMap(\.post).count == 1)
    #expect(page.next == .horizon)
  }

  @Test(arguments: [
    "<enclosure url=\"https://birds.example/b.png/>", "<enclosure url=\"x'>text</enclosure>", "<a href=x\" />",
    "<a href='x'", "<a title='\(String(repeating: "x", count: 70_000))'/>",
  ])
  func `a missing quote costs its item alone`(fault: String) async throws {
    let bad = (0..<300).map { "<item><guid>bad\($0)</guid>\(fault)<title>t</title></item>" }.joined()
    let page = try await FeedDesk.page(
      document("<item><guid>a</guid></item>\(bad)<item><guid title='1 < 2'>b</guid></item>"))
    #expect(page.items.first?.post != nil)
    #expect(page.items.last?.id == "feed://birds.example/feed#b")
  }

  @Test func `a vocabulary of a megabyte is looked at once, not for each element`() async throws {
    let long = String(repeating: "A", count: 1 << 20)
    let elements = String(repeating: "<b/>", count: 90_000)
    let page = try await FeedDesk.page(
      document("<item><guid>a</guid><x xmlns=\"\(long)\">\(elements)</x></item><item><guid>b</guid></item>"))
    #expect(page.items.count == 2)
    #expect(page.items.last?.id == "feed://birds.example/feed#b")
    let short = try await FeedDesk.page(
      document("<item><guid>a</guid><title xmlns=\"\(long.prefix(300))\">t</title></item>"))
    #expect(short.items.map { $0.post?.title } == [nil])
  }

  @Test func `a date more than a day ahead does not count`() async throws {
    let dates = ["2026-11-22T09:00:00Z", "2026-11-22T11:00:00Z", "2027-01-01"]
    let items = dates.map { "<item><guid>\($0)</guid><pubDate>\($0)</pubDate></item>" }.joined()
    #expect(try await FeedDesk.posts(document(items)).map(\.isDated) == [true, false, false])
  }
}
