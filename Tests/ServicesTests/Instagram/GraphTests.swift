import Foundation
import HTTP
import Machine
import Posts
import Services
import Synchronization
import Testing

/// What is special to Instagram's Graph API; the rest is the contract's.
struct GraphTests {
  private let server = Server("birds.example")!
  private let page = Dialect.file("graph.json", of: .instagram)

  private func source(
    _ answering: Answering, at server: Server? = nil, user: String? = "17841", hashtags: (any HashtagBudgetStore)? = nil
  ) -> GraphSource {
    GraphSource(
      server: server ?? self.server, caller: Caller(token: Secret("hush"), user: user, hashtags: hashtags),
      transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  private func feed(_ kind: Feed.Kind, _ value: String, at server: Server? = nil) -> Feed {
    Feed(source: .instagram, kind: kind, value: value, server: server ?? self.server)
  }

  // MARK: Mapping

  @Test func `posts have no author, the tags of their captions, and the permalink as identity`() async throws {
    let answering = Answering(200, Array(page.utf8))
    let posts = try await source(answering, hashtags: KnownHashtags()).page(of: feed(.tag, "cats"), after: nil, size: 9)
      .items.compactMap(\.post)
    #expect(posts.map(\.author) == [nil, nil, nil])
    #expect(posts.map(\.tags) == [["cats", "snow"], [], []])
    #expect(posts.map(\.caption) == ["First snow & a cat\n#Cats #snow #cats", "", ""])
    // The same as by the first API.
    #expect(posts[0].uri == "https://instagram.com/p/BNcA1")
    #expect(UTC.text(posts[1].createdAt) == "2026-11-20T09:30:00.000Z")
    let album = posts[1].attachments
    #expect(album.map(\.remoteID) == ["17931", "17932", "17933"])
    #expect(album.map(\.url) == ["https://files.birds.example/v/2a.jpg", nil, "https://files.birds.example/v/2c.mp4"])
    #expect(album.map(\.kind) == [.image, .image, .video])
    // A child to which somebody else has the rights keeps its index, without an address.
    #expect(posts[2].attachments == [Attachment(kind: .video, remoteID: "17907", url: nil)])
  }

  @Test(arguments: ["", "[]", #"[{"id":"2","media_type":"CAROUSEL_ALBUM"}]"#])
  func `an album that has an address of its own and no children keeps that picture`(children: String) async throws {
    let address = #""media_url":"https://files.birds.example/album.jpg","timestamp":"2026-11-20T09:00:00+0000""#
    let parts = children.isEmpty ? "" : #","children":{"data":\#(children)}"#
    let body = #"{"data":[{"id":"1","media_type":"CAROUSEL_ALBUM",\#(address)\#(parts)}]}"#
    let page = try await source(Answering(200, Array(body.utf8)), hashtags: KnownHashtags())
      .page(of: feed(.tag, "cats"), after: nil, size: nil)
    let album = Attachment(kind: .image, remoteID: "1", url: "https://files.birds.example/album.jpg")
    #expect(page.items.first?.post?.attachments == [album])
  }

  @Test func `a post without a permalink is known by its number, one without a date is none`() async throws {
    let date = #""timestamp":"2026-11-20T09:00:00+0000""#
    let body = #"{"data":[{"id":"18088",\#(date)},{"id":"18089","media_type":"IMAGE"},{\#(date)}]}"#
    let items = try await source(Answering(200, Array(body.utf8)), hashtags: KnownHashtags())
      .page(of: feed(.tag, "cats"), after: nil, size: nil).items
    #expect(items.map { $0.post?.uri } == ["https://birds.example/media/18088", nil, nil])
    #expect(items[0].post?.url == nil)
  }

  @Test func `tags end where no letter, digit or mark follows`() async throws {
    let caption = ##"#a_1 ＃Ünïcode,#x#y# #! (#猫)#日本語。#a_1"##
    let body =
      #"{"data":[{"id":"1","permalink":"https://i.example/p/1","timestamp":"2026-11-20T09:00:00+0000","#
      + #""caption":"\#(caption)"}]}"#
    let page = try await source(Answering(200, Array(body.utf8)), hashtags: KnownHashtags())
      .page(of: feed(.tag, "cats"), after: nil, size: nil)
    #expect(page.items.first?.post?.tags == ["a_1", "ünïcode", "x", "y", "猫", "日本語"])
  }

  // MARK: Requests

  @Test func `a hashtag's id is asked for once, and kept; a search for a tag asks for its top posts`() async throws {
    let id = Response(#"{"data":[{"id":"178430"}]}"#)
    let answering = Answering(inTurn: [id, Response(page), Response(page), Response(page)])
    let book = Book()
    let source = source(answering, hashtags: book)
    let first = try await source.page(of: feed(.tag, "cats"), after: nil, size: nil)
    #expect(first.next == .after(Cursor("QVFIUmNEWUg5")))
    _ = try await source.page(of: feed(.tag, "cats"), after: Cursor("QVFIUmNEWUg5"), size: 500)
    _ = try await source.page(of: feed(.search, "#Cats"), after: nil, size: 10)
    #expect(book.said == ["ask cats 17841", "keep cats 178430"])
    let fields = "&fields=id%2Ccaption%2Cmedia_type%2Cmedia_url%2Cpermalink%2Ctimestamp%2Cchildren%7Bid%2C"
    let base = "https://birds.example/v25.0"
    let urls = answering.requests.map(\.url)
    #expect(urls[0] == "\(base)/ig_hashtag_search?user_id=17841&q=cats")
    #expect(urls[1].hasPrefix("\(base)/178430/recent_media?user_id=17841\(fields)"))
    #expect(urls[1].hasSuffix("&limit=50"))
    #expect(urls[2].hasSuffix("&limit=50&after=QVFIUmNEWUg5"))
    #expect(urls[3].hasPrefix("\(base)/178430/top_media?"))
    #expect(answering.requests.allSatisfy { $0.tokenPlacement == .query(fields: ["access_token"]) })
  }

  @Test func `Instagram's own posts are asked for at Meta's host`() async throws {
    let instagram = try #require(Server("instagram.com"))
    let answering = Answering(200, Array(page.utf8))
    let page = try await source(answering, at: instagram, hashtags: KnownHashtags())
      .page(of: feed(.tag, "cats", at: instagram), after: nil, size: nil)
    #expect(answering.requests.first?.url.hasPrefix("https://graph.facebook.com/v25.0/17843826142012701/") == true)
    #expect(page.items.first?.post?.server == instagram)
  }

  @Test(arguments: [#"{"id":"178430"}"#, #"{"data":[{"id":178430}]}"#])
  func `an id may come bare, or as a number`(body: String) async throws {
    let answering = Answering(inTurn: [Response(body), Response(page)])
    _ = try await source(answering).page(of: feed(.tag, "cats"), after: nil, size: nil)
    #expect(answering.requests.last?.url.contains("/178430/recent_media") == true)
  }

  @Test(arguments: [#"{"data":[]}"#, #"{"data":[{"id":"../me"}]}"#, #"{"data":[{"id":"17 8"}]}"#, "[]", ""])
  func `an invalid id is not used`(body: String) async throws {
    let answering = Answering(inTurn: [Response(body), Response(page)])
    await #expect(throws: SourceError.unreadable(server, reason: "it does not say which hashtag cats is")) {
      try await source(answering).page(of: feed(.tag, "cats"), after: nil, size: nil)
    }
    #expect(answering.requests.count == 1)
  }

  @Test func `impossible requests are not made: nobody's tags, searches for words, a tag too many`() async throws {
    let answering = Answering(200, Array(page.utf8))
    await #expect(throws: SourceError.needsLogin(server)) {
      try await source(answering, user: nil).page(of: feed(.tag, "cats"), after: nil, size: nil)
    }
    let text = await #expect(throws: SourceError.self) {
      try await source(answering).page(of: feed(.search, "red panda"), after: nil, size: nil)
    }
    #expect(text?.exitCode == .unavailable)
    let spent = SourceError.tagsSpent(server, tag: "#cats", until: nil, asked: .distantPast, others: ["#owls"])
    await #expect(throws: spent) {
      try await source(answering, hashtags: Book(refusing: spent)).page(of: feed(.tag, "cats"), after: nil, size: nil)
    }
    #expect(answering.requests.isEmpty)
  }

  // MARK: Limits

  @Test func `the last page is a horizon, and a way on that has no name is refused`() async throws {
    let cut = page.replacing(#""cursors": { "after": "QVFIUmNEWUg5" },"#, with: "")
    let nameless = cut.replacing("&after=QVFIUmNEWUg5", with: "")
    let cases: [(String, Next)] = [
      (page.replacing("\"next\"", with: "\"previous\""), .horizon), (cut, .after(Cursor("QVFIUmNEWUg5"))),
      (nameless, .refused(reason: "its next page cannot be named")),
    ]
    for (body, next) in cases {
      let source = source(Answering(200, Array(body.utf8)), hashtags: KnownHashtags())
      #expect(try await source.page(of: feed(.tag, "cats"), after: nil, size: nil).next == next)
    }
  }

  @Test func `a cursor that is too old leads to the horizon, a first page never does`() async throws {
    let body = #"{"error":{"message":"(#100) Invalid cursors values","type":"OAuthException","code":100}}"#
    let source = source(Answering(400, Array(body.utf8)), hashtags: KnownHashtags())
    let page = try await source.page(of: feed(.tag, "cats"), after: Cursor("a"), size: nil)
    #expect((page.items.isEmpty, page.next) == (true, .horizon))
    await #expect(throws: SourceError.self) { try await source.page(of: feed(.tag, "cats"), after: nil, size: nil) }
  }

  @Test(arguments: [
    (#"{"call_count":94,"total_time":20,"total_cputime":5}"#, nil),
    (#"{"call_count":28,"total_time":95,"total_cputime":5}"#, "2026-11-21T11:00:00.000Z"),
  ])
  func `when nearly all that an app may use is used, nothing more is asked`(usage: String, end: String?) async throws {
    let answering = Answering(200, Array(page.utf8), headers: ["X-App-Usage": usage])
    let source = source(answering, hashtags: KnownHashtags())
    _ = try await source.page(of: feed(.tag, "cats"), after: nil, size: nil)
    do {
      _ = try await source.page(of: feed(.tag, "cats"), after: Cursor("a"), size: nil)
      #expect(end == nil)
    } catch {
      let now = try #require(UTC.date("2026-11-21T10:00:00Z"))
      #expect(error == .rateLimited(server, until: end.flatMap(UTC.date), asked: now))
    }
    #expect(answering.requests.count == (end == nil ? 2 : 1))
  }

  @Test(
    arguments: [
      (1, nil, 69, "fails"), (2, nil, 69, "fails"), (4, nil, 75, "no more requests"), (17, nil, 75, "no more requests"),
      (32, nil, 75, "no more requests"), (613, nil, 75, "no more requests"), (80_002, nil, 75, "no more requests"),
      (190, 463, 77, "refused the token"), (102, nil, 77, "refused the token"),
      (10, nil, 77, "refuses this account (words)"), (200, nil, 77, "refuses this account"),
      (368, nil, 77, "refuses this account"), (100, nil, 65, "it says: words"), (100, 33, 69, "has no tag cats"),
      (24, 2_207_024, 69, "has no tag cats"), (18, 2_207_034, 75, "30 tags in 7 days are spent"),
      (9999, nil, 65, "words"),
    ] as [(Int, Int?, Int32, String)])
  func `each code of an error is sorted by what people can do`(
    code: Int, subcode: Int?, exit: Int32, text: String
  ) async throws {
    let fields = #""message":"words","code":\#(code)"# + (subcode.map { #","error_subcode":\#($0)"# } ?? "")
    let answering = Answering(400, Array(#"{"error":{\#(fields),"type":"OAuthException"}}"#.utf8))
    let error = await #expect(throws: SourceError.self) {
      try await source(answering, hashtags: KnownHashtags()).page(of: feed(.tag, "cats"), after: nil, size: nil)
    }
    #expect(error?.exitCode.rawValue == exit)
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
  }

  @Test func `a temporary error is reported as temporary, and a token in its text is not shown`() async throws {
    for (fields, text) in [
      (#""code":77,"is_transient":true"#, "fails (status 500)"), (#""code":10,"message":"of hush""#, "no reason given"),
    ] {
      let answering = Answering(400, Array(#"{"error":{\#(fields)}}"#.utf8))
      let error = await #expect(throws: SourceError.self) {
        try await source(answering, hashtags: KnownHashtags()).page(of: feed(.tag, "cats"), after: nil, size: nil)
      }
      #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }
  }
}

/// Records what it was given.
private final class Book: HashtagBudgetStore {
  private let notes = Mutex<[String]>([])
  private let refusal: SourceError?

  init(refusing refusal: SourceError? = nil) { self.refusal = refusal }

  var said: [String] { notes.withLock { $0 } }

  func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String? {
    if let refusal { throw refusal }
    notes.withLock { $0.append("ask \(name) \(account)") }
    return nil
  }

  func keep(_ id: String, of name: String, at server: Server) async throws(SourceError) {
    notes.withLock { $0.append("keep \(name) \(id)") }
  }
}
