import Foundation
import HTTP
import JSONReading
import Posts
import Testing

@testable import Services

/// Who may see a post, as each source says it, and as the library finds it in what it stored.
struct VisibilityTests {
  private func seen(_ json: String, of source: SourceName = .mastodon, by addresses: [String] = []) -> Visibility? {
    Catalogue.visibility(of: source, answer: Array(json.utf8), addresses: addresses)
  }

  @Test(arguments: [
    ("public", Visibility.public), ("unlisted", .unlisted), ("private", .followers), ("direct", .direct),
    ("local", .local), ("home", .unlisted), ("followers", .followers), ("specified", .direct), ("list", .direct),
    ("mutuals_only", .followers), ("Public", .public), ("circle", .direct), ("", .direct),
  ])
  func `a word of Mastodon's kin is a visibility, and one that nobody knows the narrowest`(
    word: String, visibility: Visibility
  ) async throws {
    let status =
      "{\"id\":\"1\",\"uri\":\"https://b.example/1\",\"created_at\":\"2026-11-20T09:00:00Z\",\"visibility\":\"\(word)\"}"
    let source = MastodonSource(
      server: try #require(Server("b.example")), token: nil,
      transport: Answering(200, Array("[\(status)]".utf8)).transport,
      time: .fixed(at: "2026-11-21T10:00:00Z"))
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: try #require(Server("b.example")))
    let item = try #require(try await source.page(of: feed, after: nil, size: nil).items.first)
    #expect(item.post?.visibility == visibility)
    #expect(seen(String(decoding: item.raw, as: UTF8.self)) == visibility)
  }

  @Test func `a status that does not say who may see it says nothing, and another type than a word is unknown`() {
    #expect(seen("{}") == nil && seen("{\"visibility\":null}") == nil && seen("no JSON") == nil)
    #expect(seen("{\"visibility\":1}") == .direct)
  }

  @Test func `what stays on its server is for its people`() {
    #expect(seen("{\"visibility\":\"public\",\"local_only\":true}") == .local)
    #expect(seen("{\"visibility\":\"private\",\"local_only\":true}") == .followers)
  }

  @Test func `a boost is seen by those who may see what it repeats`() {
    #expect(seen("{\"visibility\":\"public\",\"reblog\":{\"visibility\":\"unlisted\"}}") == .unlisted)
  }

  @Test(arguments: [
    (
      #"{"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":["https://b.example/users/a/followers"]}"#,
      Visibility.public
    ),
    (#"{"to":"as:Public"}"#, .public),
    (
      #"{"to":["https://b.example/users/a/followers"],"cc":["https://www.w3.org/ns/activitystreams#Public"]}"#,
      .unlisted
    ),
    (#"{"to":["https://b.example/users/a/followers"],"cc":["https://b.example/users/bob"]}"#, .followers),
    (#"{"to":["https://b.example/users/bob"],"cc":[]}"#, .direct), (#"{"to":[],"cc":[]}"#, .direct),
    (#"{"to":["https://b.example/#Public"],"cc":["https://b.example/users/a/followers"]}"#, .local),
    (#"{"type":"Create","to":["as:Public"],"object":{"to":["https://b.example/users/bob"]}}"#, .direct),
    (#"{"type":"Create","to":["as:Public"],"object":{"type":"Note"}}"#, Visibility.public),
  ])
  func `the addressees of a note say who may see it`(note: String, visibility: Visibility) {
    #expect(seen(note) == visibility)
  }

  @Test func `posts of protected accounts are for followers`() {
    #expect(seen(#"{"user":{"protected":true}}"#, of: .x) == .followers)
    #expect(seen(#"{"user":{"protected":false}}"#, of: .x) == .public)
    #expect(seen(#"{"user":{"protected":true},"retweeted_status":{"user":{"protected":false}}}"#, of: .x) == .public)
    #expect(seen(#"{"id":"1","text":"v2 names no user"}"#, of: .x) == nil)
    #expect(seen(#"[{"author":{"protected":true}},{}]"#, of: .x) == .followers)
    #expect(seen(#"{"user":{"is_private":true}}"#, of: .instagram) == .followers)
    #expect(seen(#"{"node":{"owner":{"is_private":false}},"instaloader":{}}"#, of: .instagram) == .public)
    #expect(seen(#"{"user":{}}"#, of: .instagram) == nil)
  }

  @Test func `a post of X v2 is for those who may see its author's posts`() throws {
    let server = try #require(Server.x)
    for (protected, visibility) in [("true", Visibility.followers), ("false", .public)] {
      let line = """
        {"data":[{"id":"1500000000000000000","text":"t","author_id":"9","created_at":"2022-03-05T07:00:00Z"}],
        "includes":{"users":[{"id":"9","username":"ada","protected":\(protected)}]}}
        """
      let items = XArchive.items(try #require(JSONObject(Array(line.utf8))), Array(line.utf8), on: server)
      #expect(items.first?.post?.visibility == visibility)
    }
  }

  @Test func `what a download program says of a site's post counts`() {
    #expect(seen(#"{"visibility":"specified","category":"misskey"}"#, of: .feed) == .direct)
    #expect(seen(#"{"availability":"needs_auth"}"#, of: .feed) == .followers)
    #expect(seen(#"{"availability":"unlisted"}"#, of: .feed) == .unlisted)
    #expect(seen(#"{"availability":"private"}"#, of: .feed) == .direct)
    #expect(seen(#"{"visibility":{"ispublic":1}}"#, of: .feed) == nil)
    #expect(seen(#"{"visibility":0}"#, of: .feed) == .direct)
  }

  @Test
  func `a document whose address holds a key is for those whom its author lets in, unless another shows the same`() {
    let open = "https://pod.example/rss", closed = "https://pod.example/rss?token=abc"
    #expect(seen("<item/>", of: .feed, by: [closed]) == .followers)
    #expect(seen("<item/>", of: .feed, by: ["https://ada:word@pod.example/rss"]) == .followers)
    #expect(seen("<item/>", of: .feed, by: [open]) == nil)
    #expect(seen("<item/>", of: .feed, by: [open, closed]) == nil)
    #expect(seen("<item/>", of: .feed) == nil)
    #expect(seen("<item/>", of: .feed, by: ["https://pod.example/rss?channel_id=abc"]) == nil)
  }

  @Test(arguments: [
    ("?access_key=a", true), ("?Auth-Key=a", true), ("?rss_key=a", true), ("?userkey=a", true), ("?api-key=a", true),
    ("?secret_token=a", true), ("?session_token=a", true), ("?jwt=a", true), ("?credential=a", true),
    ("?user=ada&pass=word", true), ("?username=ada&pwd=word", true), ("?X-Amz-Signature=a", true),
    ("?feed=0123456789abcdef0123456789abcdef01234567&user=ada", true), ("/secret:0123/u:ada", true),
    ("/private/0123.rss", true), ("/private-0123/basic.ics", true), ("", false), ("?keyword=cats", false),
    ("?id=0123456789abcdef", false), ("/privateer/feed", false),
    ("/0123456789abcdef0123456789abcdef01234567/rss", true), ("/0123456789abcdef0123456789abcdef/rss", false),
    ("?bearer=a", true), ("?tags=private", false), ("?author=secret", false),
  ])
  func `an address with a key is told by the names of parameters and of folders, and by what nobody guesses`(
    rest: String, holdsKey: Bool
  ) {
    #expect((seen("<item/>", of: .feed, by: ["https://pod.example/rss\(rest)"]) == .followers) == holdsKey)
  }

  @Test(
    arguments: [
      (.mastodon, #"{"visibility":"public","quote":{"quoted_status":{"visibility":"direct"}}}"#, true),
      (.mastodon, #"{"visibility":"public","quote":{"quoted_status":{"visibility":"unlisted"}}}"#, false),
      (.mastodon, #"[{"visibility":"public"}]"#, false), (.mastodon, "{}", false), (.feed, "<item/>", false),
      (.misskey, #"{"visibility":"public","renote":{"renote":{"visibility":"specified"}}}"#, true),
      (.misskey, #"{"visibility":"public","channels":[[{"visibility":"followers"}]]}"#, true),
      (.mastodon, #"{"visibility":"private","reblog":{"visibility":"public"}}"#, true),
      (.mastodon, #"{"visibility":"unlisted","reblog":{"visibility":"public"}}"#, false),
      (.misskey, #"{"visibility":"followers","renote":{"visibility":"public"}}"#, true),
      (.x, #"{"user":{"protected":false},"quoted_status":{"user":{"protected":true}}}"#, true),
    ] as [(SourceName, String, Bool)])
  func `an answer quotes what not everybody may see, however deep it stands`(
    source: SourceName, answer: String, isPrivate: Bool
  ) {
    #expect(Catalogue.quotesPrivate(source, answer: Array(answer.utf8)) == isPrivate)
  }

  @Test(
    arguments: [
      ("https://pod.example/rss?auth=x", false, Visibility.followers), ("https://pod.example/rss", true, .followers),
      ("https://pod.example/rss", false, nil),
    ] as [(String, Bool, Visibility?)])
  func `the items of a document that was opened by a login are for those whom its author lets in`(
    address: String, hasLogin: Bool, visibility: Visibility?
  ) async throws {
    let rss = "<rss><channel><title>t</title><item><guid>1</guid><title>one</title></item></channel></rss>"
    var response = Response(status: 200, headers: ["Content-Type": "application/rss+xml"], body: Array(rss.utf8))
    response.hasLogin = hasLogin
    let server = try #require(Server("pod.example"))
    // What a login leads to is no less private than what it opens.
    var redirect = Response(status: 302, headers: ["Location": "https://files.example/signed/1.xml"])
    redirect.hasLogin = hasLogin
    let open = Response(status: 200, headers: response.headers, body: response.body)
    for answers in [[response], [redirect, open]] {
      let source = FeedSource(
        server: server, token: nil, transport: Answering(inTurn: answers).transport,
        time: .fixed(at: "2026-11-21T10:00:00Z"))
      let feed = Feed(source: .feed, kind: .url, value: address, server: server)
      let post = try #require(try await source.page(of: feed, after: nil, size: nil).items.first?.post)
      #expect(post.visibility == visibility)
    }
  }
}
