import HTTP
import Posts
import Services
import Testing

/// What Tumblr is asked, how its pages are followed, and what its refusals mean.
struct TumblrRequestTests {
  private let server = Server("birds.example")!

  /// Posts by their ids and seconds.
  private func posts(_ posts: (Int, Int)...) -> String {
    posts.map { #"{"id":\#($0.0),"timestamp":\#($0.1),"blog_name":"birds"}"# }.joined(separator: ",")
  }

  private func refusal(_ status: Int, _ code: Int, _ detail: String = "no") -> Response {
    Response(
      status: status,
      body: Array(
        #"{"meta":{"status":\#(status),"msg":"No"},"response":[],"errors":[{"title":"No","code":\#(code),"detail":"\#(detail)"}]}"#
          .utf8))
  }

  @Test func `a tag and a blog are asked for at the host of the API, with the key in its field`() async throws {
    let blog = Response(#"{"meta":{"status":200},"response":{"blog":{},"posts":[],"total_posts":0}}"#)
    let desk = TumblrDesk(TumblrDesk.answer(""), blog, at: "tumblr.com", token: Secret("k3y"))
    _ = try await desk.page(.tag, "Red Panda", after: Cursor("12,13?1795165201"), size: 100)
    _ = try await desk.page(.user, "@Staff", size: 0)
    #expect(
      desk.answering.requests.map(\.url) == [
        "https://api.tumblr.com/v2/tagged?limit=20&tag=red%20panda&before=1795165201&npf=true",
        "https://api.tumblr.com/v2/blog/staff/posts?limit=1&npf=true",
      ])
    let request = try #require(desk.answering.requests.first)
    #expect((request.token, request.tokenPlacement) == (Secret("k3y"), .query(fields: ["api_key"])))
  }

  @Test func `a person is asked for with the token in a header, and without a key`() async throws {
    let desk = TumblrDesk(TumblrDesk.answer(""), at: "tumblr.com", token: Secret("t0ken"), isOfPerson: true)
    _ = try await desk.page(.tag, "cats")
    let request = try #require(desk.answering.requests.first)
    #expect(request.url == "https://api.tumblr.com/v2/tagged?limit=20&tag=cats&npf=true")
    #expect((request.token, request.tokenPlacement) == (Secret("t0ken"), .bearer))
  }

  @Test(arguments: ["..", "."])
  func `a blog that would lead to another path is not asked for`(name: String) async throws {
    let desk = TumblrDesk(TumblrDesk.answer(""))
    await #expect(throws: SourceError.self) { try await desk.page(.user, name) }
    #expect(desk.answering.requests.isEmpty)
  }

  @Test func `posts of one second are not lost where a page ends among them, and come once`() async throws {
    let desk = TumblrDesk(
      TumblrDesk.answer(posts((9, 900), (8, 800), (7, 800))), TumblrDesk.answer(posts((8, 800), (7, 800), (6, 800))),
      TumblrDesk.answer(posts((5, 700), (4, 600))), TumblrDesk.answer(posts((4, 600))), TumblrDesk.answer(""))
    var ids: [String?] = []
    var next = Next.after(Cursor("901"))
    while case .after(let cursor) = next {
      let page = try await desk.page(after: cursor)
      ids += page.items.map(\.id)
      next = page.next
    }
    #expect(ids == ["9", "8", "7", "6", "5", "4"])
    #expect(next == .horizon)
    let befores = desk.answering.requests.compactMap { Request.parameter("before", of: $0.url) }
    #expect(befores == ["901", "801", "800", "601", "600"])
  }

  @Test func `a featured tag is paged by the times of featuring`() async throws {
    let post = #"{"id":9,"timestamp":100,"featured_timestamp":900,"blog_name":"birds"}"#
    let page = try await TumblrDesk(TumblrDesk.answer(post)).page()
    #expect(page.next == .after(Cursor("9?901")))
  }

  @Test func `a page above its position is aside, and one without seconds leads nowhere`() async throws {
    let page = try await TumblrDesk(TumblrDesk.answer(posts((9, 900), (8, 800)))).page(after: Cursor("850"))
    #expect(page.next == .astray(reason: "its pages do not move on") && page.items.isEmpty && page.aside.count == 2)
    let blind = try await TumblrDesk(TumblrDesk.answer(#"{"id":9,"blog_name":"birds"},7"#)).page()
    #expect(blind.next == .refused(reason: "its next page cannot be named") && blind.items.count == 2)
    let end = Response(#"{"meta":{"status":200},"response":{"posts":[]}}"#)
    #expect(try await TumblrDesk(end).page(.user, "birds").next == .end)
  }

  @Test func `each refusal is reported with its cause`() async throws {
    let key = Secret("a-key-of-the-app-1234")
    let cases: [(Response, Secret?, SourceError)] = [
      (refusal(401, 1016), nil, .needsLogin(server)), (refusal(401, 1016), key, .tokenRefused(server)),
      (refusal(404, 0), key, .notFound(server, what: "user birds")),
      (refusal(404, 4012), nil, .needsLogin(server)),
      (
        refusal(404, 4012, "only in the dashboard"), key,
        .closed(server, what: "user birds", reason: "only in the dashboard")
      ),
      (refusal(400, 8001, "for a-key-of-the-app-1234"), key, .unreadable(server, reason: "status 400")),
      (refusal(503, 0), key, .serverFailed(server, status: 503)),
    ]
    for (answer, key, expected) in cases {
      await #expect(throws: expected, "\(answer.text)") {
        try await TumblrDesk(answer, token: key).page(.user, "birds")
      }
    }
  }

  @Test func `posts are looked up by blog and id, and only one that the API does not find is gone`() async throws {
    func single(_ id: Int, _ blog: String) -> Response {
      Response(
        #"{"meta":{"status":200},"response":{"posts":[{"id":\#(id),"timestamp":9,"blog":{"name":"x","uuid":"\#(blog)"}}]}}"#
      )
    }
    let desk = TumblrDesk(single(1, "t:a"), refusal(404, 0), refusal(404, 4012), single(4, "t:b"))
    let looked = try await desk.source.lookUp(["t:a/1", "t:a/2", "t:a/3", "t:a/4", "../5", "6"])
    #expect(looked.shown.map(\.id) == ["t:a/1"] && looked.gone == ["t:a/2"])
    #expect(desk.answering.requests.count == 4)
    #expect(
      desk.answering.requests.first?.url == "https://birds.example/v2/blog/t%3Aa/posts?id=1&npf=true")
    let web = Response(status: 404, body: Array("<html>".utf8))
    await #expect(throws: SourceError.self) { try await TumblrDesk(web).source.lookUp(["t:a/1"]) }
  }
}
