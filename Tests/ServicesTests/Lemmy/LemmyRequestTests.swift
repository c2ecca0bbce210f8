import HTTP
import Machine
import Posts
import Services
import Testing

/// What Lemmy and PieFed are asked, how their pages lead on, and what their refusals mean.
struct LemmyRequestTests {
  private let server = Server("birds.example")!
  private let unknown = LemmyDesk.unknown
  private let shown = "show_nsfw=true&show_read=true&show_hidden=true"

  private func refusal(_ status: Int, _ word: String, in member: String = "error") -> Response {
    Response(status: status, body: Array(#"{"\#(member)":"\#(word)"}"#.utf8))
  }

  private func error(_ answer: Response, token: Secret? = nil) async -> SourceError? {
    await #expect(throws: SourceError.self) { try await LemmyDesk(answer, token: token).page() }
  }

  // MARK: Which API

  @Test func `Lemmy 1.0 is asked for all feeds at one path`() async throws {
    let desk = LemmyDesk(Response(#"{"items":[],"next_page":null}"#), token: Secret("hush"))
    _ = try await desk.page(.user, "!Birds@far.example")
    _ = try await desk.page(.user, "@Ann@birds.example", after: "eyJp", size: 1000)
    _ = try await desk.page(.search, "red  panda", size: 5)
    let newest = "v4/post/list?\(shown)&sort=new&type_=all&mark_as_read=false"
    #expect(
      desk.asked == [
        "\(newest)&community_name=birds%40far.example&limit=50",
        "\(newest)&creator_username=ann&limit=50&page_cursor=eyJp",
        "\(newest)&search_term=red%20panda&limit=5",
      ])
    #expect(desk.answering.requests.allSatisfy { $0.token == Secret("hush") && $0.tokenPlacement == .bearer })
  }

  @Test func `Lemmy 0.19 is found once, and asked at its own paths`() async throws {
    let desk = LemmyDesk(unknown, LemmyDesk.posts(next: "null"))
    _ = try await desk.page()
    _ = try await desk.page(.user, "ann@far.example")
    _ = try await desk.page(.search, "red panda", after: "9?3")
    #expect(
      Array(desk.asked.dropFirst()) == [
        "v3/post/list?\(shown)&sort=New&type_=All&community_name=birds&limit=50",
        "v3/user?sort=New&username=ann%40far.example&limit=50&page=1",
        "v3/search?sort=New&type_=Posts&listing_type=All&q=red%20panda&limit=50&page=3",
      ])
  }

  @Test func `PieFed is found last`() async throws {
    let desk = LemmyDesk(unknown, unknown, LemmyDesk.posts(next: "null"))
    _ = try await desk.page()
    _ = try await desk.page(.user, "ann")
    _ = try await desk.page(.search, "red panda")
    _ = try await desk.page(.tag, "cats")
    let list = "alpha/post/list?sort=New&type_=All&nsfw=Include&ignore_sticky=true"
    #expect(
      Array(desk.asked.dropFirst(2)) == [
        "\(list)&community_name=birds&limit=50&page=1",
        "alpha/user?sort=New&include_content=true&username=ann&limit=50&page=1",
        "\(list)&q=red%20panda&limit=50&page=1", "\(list)&q=cats&limit=50&page=1",
      ])
  }

  @Test func `a server with none of the APIs has no such feed`() async throws {
    let desk = LemmyDesk(unknown)
    await #expect(throws: SourceError.notFound(server, what: "community !birds")) { try await desk.page() }
    #expect(desk.asked.map { $0.prefix { $0 != "/" } } == ["v4", "v3", "alpha"])
  }

  // MARK: Pages

  @Test func `counted pages go on until one is empty, and leave out what moved down`() async throws {
    let first = try await LemmyDesk(unknown, LemmyDesk.posts(9, 8, 7)).page(.user, "ann")
    #expect(first.next == .after(Cursor("7?2")))
    // Two posts came meanwhile.
    let second = try await LemmyDesk(unknown, LemmyDesk.posts(8, 7, 6)).page(.user, "ann", after: "7?2")
    #expect(second.items.map(\.id) == ["6"] && second.next == .after(Cursor("6?3")))
    let last = try await LemmyDesk(unknown, LemmyDesk.posts()).page(.user, "ann", after: "6?3")
    #expect(last.items.isEmpty && last.next == .horizon, "Lemmy 0.19 hides posts there")
  }

  @Test func `PieFed says which page is the last`() async throws {
    let last = try await LemmyDesk(unknown, unknown, LemmyDesk.posts(9, 8, next: "null")).page()
    #expect(last.items.count == 2 && last.next == .end)
    let first = try await LemmyDesk(unknown, unknown, LemmyDesk.posts(9, 8, next: #""7""#)).page()
    #expect(first.next == .after(Cursor("8?2")), "its count is not believed")
  }

  @Test func `a page that comes again for every number is not followed`() async throws {
    let page = try await LemmyDesk(unknown, LemmyDesk.posts(9, 8, 7)).page(.user, "ann", after: "7?2")
    #expect(page.next == .astray(reason: "its pages do not move on"))
    #expect(page.items.isEmpty && page.aside.count == 3)
  }

  @Test(arguments: ["7", "7?1", "7?0", "7?x", "7?-2", "7?2?3", "7?99999999999"])
  func `a number that is none is not asked for`(cursor: String) async throws {
    let desk = LemmyDesk(unknown, LemmyDesk.posts(9))
    await #expect(throws: SourceError.unreadable(server, reason: "its next page cannot be named")) {
      try await desk.page(.user, "ann", after: cursor)
    }
    #expect(desk.asked.count == 1)
  }

  @Test(arguments: ["{}", "[]", "true", #""https://evil.example/""#, #""a b""#, #""""#])
  func `a next page that makes no sense is no end`(next: String) async throws {
    let page = try await LemmyDesk(LemmyDesk.posts(9, next: next)).page()
    #expect(page.next == .refused(reason: "its next page cannot be named") && page.items.count == 1)
  }

  @Test func `a token in the name of the next page leads nowhere`() async throws {
    let answer = LemmyDesk.posts(9, next: #""x-hush-hush-hush-hush""#)
    let page = try await LemmyDesk(answer, token: Secret("hush-hush-hush-hush")).page()
    #expect(page.next == .refused(reason: "its next page cannot be named"))
  }

  @Test func `a tag is what a search finds and the text has, and is never complete`() async throws {
    let posts = ["#Cats here", "cats", "#catsup"].enumerated().map {
      #"{"post":{"id":\#($0),"name":"\#($1)","published":"2026-11-20T09:00:00Z"}}"#
    }
    let desk = LemmyDesk(Response(#"{"items":[\#(posts.joined(separator: ","))],"next_page":null}"#))
    let page = try await desk.page(.tag, "#Cats")
    #expect(page.items.map(\.id) == ["0"] && page.next == .horizon)
    #expect(desk.asked[0].contains("search_term=%23cats&"))
    let more = Response(#"{"items":[\#(posts[1])],"next_page":"x"}"#)
    #expect(try await LemmyDesk(more).page(.tag, "cats").next == .after(Cursor("x")))
  }

  // MARK: Refusals

  @Test func `each refusal is told by its word, whatever its status`() async {
    let token = Secret("hush-hush")
    let cases: [(Response, Secret?, SourceError)] = [
      (refusal(400, "instance_is_private"), nil, .needsLogin(server)),
      (refusal(400, "not_logged_in"), token, .tokenRefused(server)),
      (refusal(401, "incorrect_login"), token, .tokenRefused(server)),
      (refusal(400, "incorrect_login", in: "message"), token, .tokenRefused(server)),
      (refusal(400, "site_ban"), token, .forbidden(server, reason: "site_ban")),
      (
        refusal(400, "rate_limit_error"), nil,
        .rateLimited(server, until: nil, asked: UTC.date("2026-11-21T10:00:00Z")!)
      ),
      (refusal(400, "couldnt_find_community"), nil, .notFound(server, what: "community !birds")),
      (refusal(404, "not_found"), nil, .notFound(server, what: "community !birds")),
      (refusal(400, "post not found", in: "message"), nil, .notFound(server, what: "community !birds")),
      (
        refusal(400, "No row was found when one was required", in: "message"), nil,
        .notFound(server, what: "community !birds")
      ),
      (refusal(400, "couldnt_get_posts"), nil, .unreadable(server, reason: "it says: couldnt_get_posts")),
      (refusal(200, "couldnt_get_posts"), nil, .unreadable(server, reason: "it says: couldnt_get_posts")),
      (refusal(400, "for hush-hush"), token, .unreadable(server, reason: "it says: status 400")),
      (refusal(500, "unknown"), nil, .serverFailed(server, status: 500)),
    ]
    for (answer, token, wanted) in cases {
      let said = await error(answer, token: token)
      if case .unreadable(_, let reason) = wanted, reason.hasSuffix("status 400") {
        #expect(said?.exitCode == .unreadable && said?.description.contains("hush-hush") == false)
      } else {
        #expect(said == wanted, "\(answer.text)")
      }
    }
  }

  // MARK: Looking up again

  private func view(_ id: Int, _ fields: String = "") -> Response {
    Response(#"{"post_view":{"post":{"id":\#(id),"name":"p","published":"2026-11-20T09:00:00Z"\#(fields)}}}"#)
  }

  @Test func `posts are looked up one at a time, and what the server says is gone is gone`() async throws {
    let desk = LemmyDesk(
      unknown, view(1), view(2, #","deleted":true"#), refusal(404, "couldnt_find_post"), view(4, #","removed":true"#),
      refusal(404, "unknown"))
    let looked = try await desk.source.lookUp(["1", "2", "3", "4", "5"])
    #expect(looked.shown.map(\.id) == ["1"] && looked.shown[0].post?.remoteID == "1")
    #expect(looked.gone == ["2", "3", "4", "5"])
    #expect(desk.asked == ["v4/post?id=1"] + (1...5).map { "v3/post?id=\($0)" })
    let other = try await LemmyDesk(view(6)).source.lookUp(["5"])
    #expect(other.shown.isEmpty && other.gone.isEmpty, "another post says nothing of this one")
  }

  @Test func `nothing is gone where no API answers, or another refusal comes`() async throws {
    await #expect(throws: SourceError.notFound(server, what: "post 1")) {
      try await LemmyDesk(unknown).source.lookUp(["1"])
    }
    for answer in [refusal(400, "instance_is_private"), refusal(500, "x"), Response("{}"), Response("[]")] {
      await #expect(throws: SourceError.self) { try await LemmyDesk(answer).source.lookUp(["1"]) }
    }
    // A page that is not there is not the API's word, though the server spoke it before.
    let desk = LemmyDesk(view(1), unknown)
    await #expect(throws: SourceError.notFound(server, what: "post 2")) { try await desk.source.lookUp(["1", "2"]) }
  }
}
