import HTTP
import Posts
import Services
import Testing

/// What X is asked, by either API, and how its pages are followed.
struct XRequestTests {
  private let fields =
    "&expansions=author_id%2Cattachments.media_keys%2Creferenced_tweets.id%2Creferenced_tweets.id.author_id%2C"
    + "referenced_tweets.id.attachments.media_keys&tweet.fields=attachments%2Cauthor_id%2Ccreated_at%2C"
    + "edit_history_tweet_ids%2Centities%2Clang%2Cnote_tweet%2Cpossibly_sensitive%2Creferenced_tweets"
    + "&media.fields=alt_text%2C"
    + "duration_ms%2Cheight%2Cpreview_image_url%2Ctype%2Curl%2Cvariants%2Cwidth&user.fields=name%2C"
    + "profile_image_url%2Cprotected%2Cusername"
  private let extended = "&tweet_mode=extended&include_entities=true&include_ext_alt_text=true"
  private let nothing = Response(#"{"meta":{"result_count":0}}"#)

  @Test func `a search and a tag are asked for whole`() async throws {
    let desk = XDesk(nothing, token: Secret("hush"))
    _ = try await desk.page(.search, "red panda")
    _ = try await desk.page(.tag, "Birds", after: "b26", size: 3)
    #expect(
      desk.urls == [
        "https://api.x.com/2/tweets/search/recent?query=red%20panda&max_results=100\(fields)",
        "https://api.x.com/2/tweets/search/recent?query=%23birds%20-is%3Aretweet&max_results=10\(fields)&next_token=b26",
      ])
    let request = try #require(desk.answering.requests.first)
    #expect(request.token == Secret("hush"))
    #expect(request.tokenPlacement == .bearer)
    #expect(request.limit == 8 << 20)
    #expect(!"\(request)".contains("hush"))
  }

  @Test func `a user is looked up once, and then read page by page`() async throws {
    let desk = XDesk(Response(#"{"data":{"id":"9","username":"Birds"}}"#), nothing)
    _ = try await desk.page(.user, "@Birds@x.com")
    _ = try await desk.page(.user, "birds", after: "7140", size: 1000)
    #expect(
      desk.urls == [
        "https://api.x.com/2/users/by/username/birds",
        "https://api.x.com/2/users/9/tweets?exclude=retweets&max_results=100\(fields)",
        "https://api.x.com/2/users/9/tweets?exclude=retweets&max_results=100\(fields)&pagination_token=7140",
      ])
  }

  @Test(arguments: [(Feed.Kind.tag, 1, 10), (.user, 1, 5), (.search, 50, 50), (.user, 1000, 100)])
  func `a wish for a size is kept within what X gives`(kind: Feed.Kind, size: Int, asked: Int) async throws {
    let desk = XDesk(Response(#"{"data":{"id":"9"},"meta":{}}"#), nothing)
    if kind != .user { _ = try? await desk.page(.user, "birds") }
    _ = try? await desk.page(kind, "birds", size: size)
    #expect(desk.urls.last?.contains("max_results=\(asked)&") == true)
  }

  @Test(arguments: ["x.com", "https://twitter.com", "api.x.com", "mobile.twitter.com"])
  func `X has many names and one host`(name: String) async throws {
    let desk = XDesk(nothing, at: name)
    _ = try await desk.page()
    #expect(desk.urls[0].hasPrefix("https://api.x.com/2/"))
  }

  @Test(arguments: ["http://x.com", "notx.com", "x.com.evil.example", "http://127.0.0.1:8080"])
  func `a server elsewhere is asked itself`(name: String) async throws {
    let desk = XDesk(nothing, at: name)
    _ = try await desk.page()
    #expect(desk.urls[0].hasPrefix("\(desk.server.origin)/2/"))
  }

  @Test func `the older API is asked in its extended mode`() async throws {
    let desk = XDesk(Response(#"{"statuses":[]}"#), api: "1.1")
    _ = try await desk.page(.search, "red panda", size: 1000)
    _ = try await desk.page(.tag, "birds", after: "17", size: 0)
    _ = try? await desk.page(.user, "birds", size: 1000)
    #expect(
      desk.urls == [
        "https://api.x.com/1.1/search/tweets.json?q=red%20panda&result_type=recent&count=100\(extended)",
        "https://api.x.com/1.1/search/tweets.json?q=%23birds%20-filter%3Aretweets&result_type=recent&count=1\(extended)"
          + "&max_id=17",
        "https://api.x.com/1.1/statuses/user_timeline.json?screen_name=birds&include_rts=true&count=200\(extended)",
      ])
  }

  @Test func `a server that has the older API alone is asked by that from then on; X itself never is`() async throws {
    let (none, status) = (Response(status: 404), #"{"statuses":[{"id_str":"9"}]}"#)
    let desk = XDesk(none, Response(status), Response(status.replacing("9", with: "7")), at: "birds.example")
    #expect(try await desk.page().next == .after(Cursor("8")))
    _ = try await desk.page(after: "8")
    #expect(desk.urls.map { $0.contains("/1.1/") } == [false, true, true])
    #expect(desk.source.cursor(below: "8") == Cursor("7"))
    for other in [XDesk(none, Response(status)), XDesk(Response(status: 410), none, at: "birds.example")] {
      #expect(await other.refusal() == .notFound(other.server, what: "tag birds"))
      #expect(other.source.cursor(below: "8") == nil)
    }
    let missing = #"{"errors":[{"type":"https://api.x.com/2/problems/resource-not-found"}]}"#
    let wordy = XDesk(Response(missing), Response(status), at: "birds.example")
    #expect(await wordy.refusal() == .notFound(wordy.server, what: "tag birds"))
    #expect(wordy.urls.count == 1)
  }

  private func statuses(_ ids: String...) -> Response {
    Response(#"{"statuses":[\#(ids.map { #"{"id_str":"\#($0)"}"# }.joined(separator: ","))]}"#)
  }

  @Test func `in the older API the next page begins below the lowest id, counted in 64 bits`() async throws {
    let cases: [([String], String?, Next)] = [
      (["18446744073709551615", "9223372036854775808"], nil, .after(Cursor("9223372036854775807"))),
      (["1000", "999"], nil, .after(Cursor("998"))), (["999", "1000"], "1000", .after(Cursor("998"))),
      (["9007199254740993"], nil, .after(Cursor("9007199254740992"))), (["0"], nil, .horizon), ([], nil, .horizon),
      (["1e3"], nil, .refused(reason: "its next page cannot be named")),
    ]
    for (ids, cursor, next) in cases {
      let body = "[\(ids.map { #"{"id_str":"\#($0)"}"# }.joined(separator: ","))]"
      #expect(try await XDesk(Response(body), api: "1.1").page(.user, after: cursor).next == next, "\(ids)")
    }
    let source = XFirstSource(server: XDesk.x, token: nil, transport: Answering(200, []).transport, time: XDesk.time)
    #expect(source.cursor(below: "9223372036854775808") == Cursor("9223372036854775807"))
    #expect(source.cursor(below: "0") == nil)
    #expect(source.cursor(below: "abc") == nil)
  }

  @Test func `a page that does not go below the cursor has no place in the feed`() async throws {
    let page = try await XDesk(statuses("1000", "998"), api: "1.1").page(.tag, after: "997")
    #expect(page.next == .astray(reason: "its pages do not move on"))
    #expect(page.items.isEmpty && page.aside.count == 2)
  }

  @Test(arguments: [#""https://evil.example""#, #""a b""#, #""x-hush-hush-hush-hush""#])
  func `an invalid cursor is not kept`(token: String) async throws {
    let desk = XDesk(Response(#"{"data":[],"meta":{"next_token":\#(token)}}"#), token: Secret("hush-hush-hush-hush"))
    #expect(try await desk.page().next == .refused(reason: "its next page cannot be named"))
  }
}

/// Requests pages from the X source.
struct XDesk {
  static let x = Server.x!
  static let time = TimeSource.fixed(at: "2026-11-21T10:00:00Z")
  let server: Server
  let answering: Answering
  let source: any Source

  init(_ answers: Response..., token: Secret? = nil, at server: String = "x.com", api: String? = nil) {
    self.server = Server(server)!
    answering = Answering(inTurn: answers)
    source =
      api == nil
      ? XSource(server: self.server, token: token, transport: answering.transport, time: Self.time)
      : XFirstSource(server: self.server, token: token, transport: answering.transport, time: Self.time)
  }

  func page(_ kind: Feed.Kind = .tag, _ value: String = "birds", after cursor: String? = nil, size: Int? = nil)
    async throws -> Page
  {
    let feed = Feed(source: .x, kind: kind, value: value, server: server)
    return try await source.page(of: feed, after: cursor.map { Cursor($0) }, size: size)
  }

  var urls: [String] { answering.requests.map(\.url) }

  /// Why there is no page.
  func refusal(_ kind: Feed.Kind = .tag, after cursor: String? = nil) async -> SourceError? {
    do {
      _ = try await page(kind, after: cursor)
      return nil
    } catch { return error as? SourceError }
  }
}
