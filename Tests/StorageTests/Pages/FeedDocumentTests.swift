import Foundation
import Posts
import PropertyTesting
import Testing

@testable import Storage

/// Posts of feed documents (RSS, Atom, JSON Feed), whose ids may all change and which show only their newest items.
struct FeedDocumentTests {
  private let feed = Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: birds)

  private func item(
    _ number: Int, id: String? = nil, link: String? = nil, dated: Bool = true, title: String? = nil
  ) -> PageItem {
    let link = link ?? "https://birds.example/posts/\(number)"
    let post = Post(
      source: .feed, uri: "feed://birds.example/feed#\(id ?? "\(number)")", identity: .page, url: link, server: birds,
      remoteID: WebIdentity.key(of: link),
      createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 3600),
      isDated: dated, title: title, caption: "post \(number)")
    return PageItem(id: post.uri, content: .post(post), raw: Array("<item/>".utf8))
  }

  private func page(_ numbers: [Int], visit: Visit? = nil) -> Page {
    Page(items: numbers.map { item($0) }, next: .horizon, visit: visit)
  }

  private func intervals(_ library: TestLibrary) throws -> [String] {
    try library.lines(
      """
      SELECT (SELECT group_concat(replace(remote_id, 'feed://birds.example/feed#', ''), ' ')
         FROM (SELECT remote_id FROM feed_post WHERE coverage = c.id ORDER BY place DESC, created_at DESC)), reached_end
      FROM coverage c ORDER BY id DESC
      """)
  }

  @Test func `the items of a feed document are covered, and its last item is not the feed's end`() throws {
    let library = try TestLibrary()
    try library.pull([page([5, 4, 3])], of: feed)
    #expect(try intervals(library) == ["5 4 3|0"])
    #expect(try library.store.gaps().isEmpty)
  }

  @Test func `a feed document that shows a known item has no gap`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])], of: feed)
    try library.pull([page([6, 5, 4, 3])], of: feed)
    #expect(try intervals(library) == ["6 5 4 3 2 1|0"])
  }

  @Test func `a feed document that shows no known item leaves a gap`() throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])], of: feed)
    try library.pull([page([9, 8, 7])], of: feed)
    #expect(try intervals(library) == ["9 8 7|0", "3 2 1|0"])
    let gap = try #require(try library.store.gaps(of: feed).first)
    #expect((gap.above, gap.below) == ("feed://birds.example/feed#7", "feed://birds.example/feed#3"))
    try library.pull([page([9, 8, 7, 6, 5, 4, 3])], of: feed)
    #expect(try library.store.gaps().isEmpty)
  }

  @Test(arguments: [
    ["https://birds.example/posts/%", "tag:birds.example,2026:%"],
    ["http://www.birds.example/posts/%/", "https://birds.example/posts/%"],
  ])
  func `a feed that changes its ids, its scheme and its slashes makes no post double`(forms: [String]) throws {
    let library = try TestLibrary()
    try library.pull([page([3, 2, 1])], of: feed)
    for form in forms {
      let items = (1...4).reversed().map { number in
        let address = form.replacing("%", with: "\(number)")
        return item(number, id: address, link: form.hasPrefix("http") ? address : nil)
      }
      try library.pull([Page(items: items, next: .horizon)], of: feed)
    }
    #expect(try library.store.posts().count == 4)
    #expect(try library.lines("SELECT count(*) FROM feed_post") == ["4"])
    #expect(try library.lines("SELECT count(*) FROM coverage") == ["1"])
    #expect(try library.store.gaps().isEmpty)
    for audit in library.store.audits { #expect(try library.store.findings(of: audit) == [], "\(audit.name)") }
  }

  /// The first and last number of each interval that windows make: windows that share an item are one.
  private func intervals(of windows: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    windows.reduce(into: []) { made, window in
      let met = made.filter { $0.overlaps(window) } + [window]
      made.removeAll { $0.overlaps(window) }
      made.append((met.map(\.lowerBound).min() ?? 0)...(met.map(\.upperBound).max() ?? 0))
    }.sorted { $0.lowerBound < $1.lowerBound }
  }

  @Test(arguments: PropertyTest.seeds(sample: 40, whole: 2000))
  func `coverage claims exactly what overlapping documents have shown`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let library = try TestLibrary()
    var (newest, form) = (5, "%")
    var windows: [ClosedRange<Int>] = []
    for _ in 0..<Int.random(in: 2...12, using: &dice) {
      newest += Int.random(in: 0...8, using: &dice)
      if Int.random(in: 0..<4, using: &dice) == 0 { form = "tag:birds.example,\(newest):%" }
      let window = max(1, newest - Int.random(in: 1...6, using: &dice))...newest
      windows.append(window)
      let items = window.reversed().map { item($0, id: form.replacing("%", with: "\($0)")) }
      try library.pull([Page(items: items, next: .horizon)], of: feed)
    }
    let expected = intervals(of: windows)
    let made = try library.lines(
      """
      SELECT min(p.caption), max(p.caption), count(*) FROM (
        SELECT coverage, substr('000' || substr(p.caption, 6), -3) AS caption
        FROM feed_post f JOIN post p ON p.id = f.post) p
      GROUP BY coverage ORDER BY 1
      """)
    let digits = { (number: Int) in String("00\(number)".suffix(3)) }
    #expect(made == expected.map { "\(digits($0.lowerBound))|\(digits($0.upperBound))|\($0.count)" }, "seed \(seed)")
    #expect(try library.store.gaps().count == expected.count - 1, "seed \(seed)")
    #expect(try library.store.posts(PostQuery(limit: nil)).count == Set(windows.joined()).count, "seed \(seed)")
  }

  /// One item as a feed shows it first, and then otherwise.
  private func moved(
    _ number: Int = 1, id: String, link: String, title: String? = "Robin", caption: String = "A bird", minute: Int = 1
  ) -> Post {
    var post = item(number, id: id, link: link, title: title).post!
    post.caption = caption
    post.remoteID = WebIdentity.page(of: link)
    post.createdAt = noon.addingTimeInterval(Double(minute) * 60)
    return post
  }

  @Test(arguments: [
    // Where the reader came from, and the number of the visit.
    ("b", "https://birds.example/1?utm_source=b&page=2", "Robin"),
    ("b", "https://birds.example/1;jsessionid=9?page=2", "Robin"),
    ("b", "https://birds.example/1?page=2&sid=0123456789abcdef0123", "Robin"),
    // A new id with an edited headline.
    ("b", "https://birds.example/1?page=2", "Robin, edited"),
    // Another site with the same words.
    ("b", "https://other.example/robin", "Robin"),
  ])
  func `a known item stays known, and deleted, under another name`(id: String, link: String, title: String) throws {
    let library = try TestLibrary()
    let first = try library.pull([moved(id: "a", link: "https://birds.example/1?page=2&utm_source=a")], of: feed).posts
    _ = try library.store.delete(first, now: noon)
    for _ in 1...2 {
      let saved = try library.pull([moved(id: id, link: link, title: title)], of: feed)
      #expect((saved.new, saved.deleted) == (0, 1))
    }
    #expect(try library.store.posts().isEmpty)
    #expect(try library.lines("SELECT count(*) FROM feed_post") == ["1"])
  }

  @Test(
    arguments: [
      // The id names the visit; headline and date are others.
      ("http%3A%2F%2Fbirds.example%2F1%3Futm_source%3Db", "https://birds.example/1?utm_source=b", "Robin, edited", 2),
      ("birds.example%2F1", "https://birds.example/1", "Robin, edited", 2),
      ("http%3A%2F%2Fbirds.example%2F1%23utm_source%3Db", "https://birds.example/1#utm_source=b", "Robin, edited", nil),
      // A new id with another date.
      ("b", "https://birds.example/1", "Robin", 2),
      // A new id and headline, without a date.
      ("b", "https://birds.example/1", "Robin, edited", nil),
    ] as [(String, String, String, Int?)])
  func `a known item stays known, and deleted, whatever its date`(id: String, link: String, title: String, minute: Int?)
    throws
  {
    let library = try TestLibrary()
    let known = "http%3A%2F%2Fbirds.example%2F1%3Futm_source%3Da"
    let first = try library.pull([moved(id: known, link: "https://birds.example/1?utm_source=a")], of: feed).posts
    _ = try library.store.delete(first, now: noon)
    var again = moved(id: id, link: link, title: title, minute: minute ?? 9)
    again.isDated = minute != nil
    for _ in 1...2 {
      let saved = try library.pull([again], of: feed)
      #expect((saved.new, saved.deleted) == (0, 1))
    }
  }

  @Test func `an item of a page that shows another each day is its own`() throws {
    let library = try TestLibrary()
    for day in 1...3 {
      var post = moved(id: "\(day)", link: "https://birds.example/today", minute: day)
      post.attachments = [picture("\(day)")]
      #expect(try library.pull([post], of: feed).new == 1)
    }
    // Two items of one document, whose ids differ in what otherwise is a visit's number.
    let talks = { (numbers: ClosedRange<Int>) in
      numbers.map { number in
        let address = "https://birds.example/talk?session_id=\(number)"
        return moved(number, id: address, link: address, title: "\(number)", caption: "\(number)", minute: number)
      }
    }
    try library.pull(talks(10...11), of: feed)
    #expect(try library.pull(talks(12...13), of: feed).new == 2)
    #expect(try library.pull(talks(14...14), of: feed).new == 1)
  }

  @Test func `items that differ are not one, whatever they share`() throws {
    let library = try TestLibrary()
    let first = moved(id: "a", link: "https://birds.example/1")
    try library.pull([first], of: feed)
    let others = [
      moved(id: "b", link: "https://birds.example/1", title: "Wren", minute: 2),
      moved(id: "c", link: "https://birds.example/3", title: "Wren"),
      moved(id: "d", link: "https://birds.example/4", caption: "Another bird"),
      moved(id: "e", link: "https://birds.example/5", minute: 3),
    ]
    #expect(try library.pull(others, of: feed).new == 4)
    // Equal words on another page are a post of their own if the document shows both.
    #expect(try library.pull([moved(id: "f", link: "https://birds.example/6"), first], of: feed).new == 1)
  }

  @Test func `a deleted post stays deleted although its id changes`() throws {
    let library = try TestLibrary()
    let post = try library.pull([page([1])], of: feed)[0].posts[0]
    _ = try library.store.delete([post], now: noon)
    let again = Page(items: [item(1, id: "urn:new:1")], next: .horizon)
    #expect(try library.pull([again], of: feed)[0].deleted == 1)
    #expect(try library.store.posts().isEmpty)
  }

  @Test func `another site cannot claim a page's address`() throws {
    let library = try TestLibrary()
    try library.pull([page([1])], of: feed)
    let evil = Server("https://evil.example")!
    let other = Feed(source: .feed, kind: .url, value: "https://evil.example/feed", server: evil)
    var claim = try #require(item(1, id: "urn:evil:1").post)
    (claim.server, claim.caption, claim.uri) = (evil, "evil", "feed://evil.example/feed#1")
    try library.pull(
      [Page(items: [PageItem(id: claim.uri, content: .post(claim), raw: [])], next: .horizon)], of: other)
    #expect(Set(try library.store.posts().map(\.caption)) == ["post 1", "evil"])
  }

  @Test func `a new page with an old headline is another item`() throws {
    let library = try TestLibrary()
    for number in 1...3 {
      let item = item(number, link: "https://birds.example/podcast", title: "Episode \(number)")
      try library.pull([Page(items: [item], next: .horizon)], of: feed)
    }
    #expect(try library.store.posts().map(\.title) == ["Episode 3", "Episode 2", "Episode 1"])
  }

  @Test func `daily pictures with the same page and headline are separate posts`() throws {
    let library = try TestLibrary()
    for number in 1...3 {
      let item = item(number, link: "https://birds.example/today", title: "Picture of the day")
      let saved = try library.pull([Page(items: [item], next: .horizon)], of: feed)[0]
      if number == 1 { _ = try library.store.delete(saved.posts, now: noon) }
    }
    #expect(try library.store.posts().map(\.caption) == ["post 3", "post 2"])
  }

  @Test func `an item without a date keeps its first assigned date`() throws {
    let library = try TestLibrary()
    try library.pull([Page(items: [item(1, dated: false)], next: .horizon)], of: feed)
    var later = try #require(item(1, dated: false).post)
    (later.createdAt, later.caption) = (noon, "edited")
    let page = Page(items: [PageItem(id: later.uri, content: .post(later), raw: [])], next: .horizon)
    #expect(try library.pull([page], of: feed)[0].updated == 1)
    #expect(try library.lines("SELECT created_at, caption FROM post") == ["2023-11-14T23:13:20.000Z|edited"])
    #expect(try library.lines("SELECT caption FROM revision") == ["post 1"])
  }

  @Test func `a visit is stored with its page, and a moved feed is known by its new address`() throws {
    let library = try TestLibrary()
    #expect(try library.store.visit(of: feed) == nil)
    var visit = Visit(
      address: "https://birds.example/b", location: "https://feeds.example/b", entityTag: "W/\"1\"", lastModified: "x",
      moving: nil, title: "Birds")
    try library.pull([page([1], visit: visit)], of: feed)
    #expect(try library.store.visit(of: feed) == visit)
    (visit.entityTag, visit.moving) = (nil, "https://c.example/")
    try library.pull([page([], visit: visit)], of: feed)
    #expect(try library.store.visit(of: feed) == visit)
    #expect(try library.store.feed(at: "https://www.birds.example/b") == nil)
    #expect(try library.store.feed(at: "https://birds.example/b") == feed)
    // A feed that moved to another host's address does not displace that host's own feed.
    visit.address = "https://feeds.example/b"
    try library.pull([page([], visit: visit)], of: feed)
    #expect(try library.store.feed(at: "https://feeds.example/b") == nil)
    #expect(try library.store.feed(at: feed.value) == feed)
    #expect(try library.store.feed(at: "https://else.example/") == nil)
    #expect(try library.store.feedTitles() == [feed.name: "Birds"])
  }

  @Test func `skipped pictures of a feed's posts become pending again`() throws {
    let library = try TestLibrary()
    var post = try #require(item(1).post)
    post.attachments = [picture("a")]
    let shown = Page(items: [PageItem(id: post.uri, content: .post(post), raw: [])], next: .horizon)
    try library.pull([shown], of: feed, pictures: false)
    #expect(try library.store.wantsPicturesAgain(of: feed, now: noon))
    let other = try TestLibrary()
    try other.pull([shown], of: feed)
    #expect(try !other.store.wantsPicturesAgain(of: feed, now: noon))
  }
}
