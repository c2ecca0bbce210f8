import HTTP
import Posts
import Services
import Testing

/// What Misskey is asked, and what its refusals mean.
struct MisskeyRequestTests {
  private let server = Server("birds.example")!
  private let nothing = Response("[]")

  private func refusal(_ status: Int, _ code: String, _ message: String = "no") -> Response {
    Response(
      status: status, body: Array(#"{"error":{"message":"\#(message)","code":"\#(code)","kind":"client"}}"#.utf8))
  }

  private func error(_ answer: Response, _ kind: Feed.Kind = .tag, token: Secret? = nil) async -> SourceError? {
    await #expect(throws: SourceError.self) { try await MisskeyDesk(answer, token: token).page(kind) }
  }

  @Test func `a tag and a search are asked for by POST that may be repeated`() async throws {
    let desk = MisskeyDesk(nothing, token: Secret("hush"))
    _ = try await desk.page(.tag, "#Cats")
    _ = try await desk.page(.search, "red  panda", after: "9zb2", size: 1000)
    #expect(desk.paths == ["notes/search-by-tag", "notes/search"])
    #expect(desk.bodies == [#"{"limit":100,"tag":"cats"}"#, #"{"limit":100,"query":"red panda","untilId":"9zb2"}"#])
    let request = try #require(desk.answering.requests.first)
    #expect(request.method == .post && request.isSafePost)
    #expect((request.token, request.tokenPlacement) == (Secret("hush"), .bearer))
    #expect(request.headers["Content-Type"] == "application/json")
  }

  @Test func `a user is looked up once, and then read with boosts and replies`() async throws {
    let desk = MisskeyDesk(Response(#"{"id":"8bb2","username":"ann","host":"far.example"}"#), nothing)
    _ = try await desk.page(.user, "@Ann@far.example")
    _ = try await desk.page(.user, "ann@far.example", after: "9zb2", size: 5)
    #expect(desk.paths == ["users/show", "users/notes", "users/notes"])
    let notes = #""userId":"8bb2","withChannelNotes":true,"withRenotes":true,"withReplies":true}"#
    #expect(
      desk.bodies == [
        #"{"host":"far.example","username":"ann"}"#, #"{"limit":100,\#(notes)"#,
        #"{"limit":5,"untilId":"9zb2",\#(notes)"#,
      ])
    let own = MisskeyDesk(Response(#"{"id":"8aa1"}"#), nothing)
    _ = try await own.page(.user, "birds@birds.example")
    #expect(own.bodies.first == #"{"username":"birds"}"#)
  }

  @Test(arguments: ["{}", #"{"id":[]}"#, #"{"id":"a b"}"#])
  func `a user without a usable id is not asked for`(answer: String) async throws {
    let desk = MisskeyDesk(Response(answer))
    await #expect(throws: SourceError.self) { try await desk.page(.user, "ann") }
    #expect(desk.paths == ["users/show"])
  }

  @Test func `each refusal is told by its code, whatever its status`() async {
    let token = Secret("hush-hush")
    let cases: [(Response, Secret?, SourceError)] = [
      (refusal(400, "SIGNIN_REQUIRED"), nil, .needsLogin(server)),
      (refusal(401, "CREDENTIAL_REQUIRED"), nil, .needsLogin(server)),
      (refusal(403, "AUTHENTICATION_FAILED"), token, .tokenRefused(server)),
      (refusal(401, "AUTHENTICATION_FAILED"), token, .tokenRefused(server)),
      (refusal(403, "YOUR_ACCOUNT_SUSPENDED"), token, .forbidden(server, reason: "no")),
      (refusal(400, "PERMISSION_DENIED", "for hush-hush"), token, .forbidden(server, reason: "no reason given")),
      (refusal(400, "UNAVAILABLE"), nil, .searchIsOff(server)),
      (refusal(400, "UNAVAILABLE"), token, .searchIsOff(server)),
      (refusal(500, "FAILED_TO_RESOLVE_REMOTE_USER"), nil, .notFound(server, what: "tag cats")),
      (refusal(404, "NO_SUCH_USER"), nil, .notFound(server, what: "tag cats")),
      (refusal(400, "INVALID_PARAM"), nil, .unreadable(server, reason: "it says: no")),
      (refusal(200, "INTERNAL_ERROR"), nil, .unreadable(server, reason: "it says: no")),
      (refusal(500, "INTERNAL_ERROR"), nil, .serverFailed(server, status: 500)),
    ]
    for (answer, token, expected) in cases {
      #expect(await error(answer, token: token) == expected, "\(answer.text)")
    }
    guard case .rateLimited? = await error(refusal(429, "RATE_LIMIT_EXCEEDED")) else {
      Issue.record("429 is not told as a limit")
      return
    }
  }

  @Test func `a search that is switched off sends nobody to log in`() async {
    let error = await error(refusal(400, "UNAVAILABLE"), .search)
    #expect(
      error?.description
        == "birds.example lets nobody search its posts, or not this account: pull a tag or a user there")
    #expect(error?.exitCode == .unavailable && error?.loginServer == nil)
  }

  @Test func `a page that repeats is aside, one whose last note has no id goes on below the one before`() async throws {
    let note = { (id: String) in #"{"id":\#(id),"createdAt":"2026-11-20T09:00:00.000Z","text":"x"}"# }
    let again = Response("[\(note("\"9b\"")),\(note("\"9a\""))]")
    let page = try await MisskeyDesk(again).page(after: "9a")
    #expect(page.next == .astray(reason: "its pages do not move on"))
    #expect(page.items.isEmpty && page.aside.count == 2)
    let broken = Response("[\(note("\"9b\"")),\(note("null")),7]")
    #expect(try await MisskeyDesk(broken).page().next == .after(Cursor("9b")))
    #expect(
      try await MisskeyDesk(Response("[7]")).page().next == .refused(reason: "its next page cannot be named"))
    let secret = Secret("a-token-of-sixteen-letters")
    let leaking = Response("[\(note("\"a-token-of-sixteen-letters\""))]")
    guard case .after(let cursor) = try await MisskeyDesk(leaking, token: secret).page().next else {
      Issue.record("the page leads nowhere")
      return
    }
    #expect(!cursor.value.contains("sixteen"))
  }

  @Test func `notes are looked up one by one, and only one that the server does not know is gone`() async throws {
    let shown = Response(#"{"id":"9a","createdAt":"2026-11-20T09:00:00.000Z","text":"x"}"#)
    let hidden = Response(#"{"id":"9d","createdAt":"2026-11-20T09:00:00.000Z","isHidden":true}"#)
    let desk = MisskeyDesk(shown, refusal(400, "NO_SUCH_NOTE"), refusal(400, "SIGNIN_REQUIRED"), hidden)
    let looked = try await desk.source.lookUp(["9a", "9b", "9c", "9d"])
    #expect(looked.shown.map(\.id) == ["9a", "9d"] && looked.shown.map { $0.post != nil } == [true, false])
    #expect(looked.gone == ["9b"])
    #expect(desk.paths == Array(repeating: "notes/show", count: 4))
    #expect(desk.bodies.first == #"{"noteId":"9a"}"#)
  }

  @Test(arguments: [404, 410, 500, 401])
  func `an answer that is not about the note leaves it undecided`(status: Int) async throws {
    await #expect(throws: SourceError.self) {
      try await MisskeyDesk(Response(status: status, body: Array("<html>".utf8))).source.lookUp(["9a"])
    }
  }
}
