import HTTP
import Machine
import Posts
import PropertyTesting
import Services
import Testing

/// What is made of X's posts, by either API.
struct XMappingTests {
  private func recent() async throws -> Page {
    try await XDesk(Response(Dialect.file("recent.json", of: .x))).page()
  }

  private func statuses() async throws -> Page {
    try await XDesk(Response(Dialect.file("statuses.json", of: .x)), api: "1.1").page()
  }

  private func post(_ members: String, beside: String = "{}") async throws -> Post? {
    let body =
      #"{"data":[{"id":"7","created_at":"2026-11-20T09:00:00Z"\#(members)}],"includes":\#(beside),"meta":{}}"#
    return try await XDesk(Response(body)).page().items.first?.post
  }

  @Test(arguments: [
    ("a &amp;lt; b &amp;&amp; &lt;i&gt; &amp", "a &lt; b && <i> &amp"), ("&", "&"), ("&&gt;x", "&>x"),
    (#"  two\n\tlines \u00a0\u2003"#, "two\n\tlines"), (#"a\u0085b\u0000c\u007fd\u009b1m\r\ne"#, "abcd1m\ne"),
    (#"\u00a0é\u00c2\u00a0x"#, "é\u{C2}\u{A0}x"), ("Ünïcode 猫 🐈‍⬛", "Ünïcode 猫 🐈‍⬛"),
  ])
  func `text is unescaped once, and comes without controls`(sent: String, caption: String) async throws {
    #expect(try await post(#","text":"\#(sent)""#)?.caption == caption)
  }

  @Test func `an edited, long post is that of its first id, in its last words, whole`() async throws {
    let page = try await recent()
    let post = try #require(page.items[0].post)
    #expect(page.items.map(\.id) == ["1990000000000000300", "1980000000000000200", "1980000000000000100"])
    #expect(post.uri == "https://x.com/i/status/1990000000000000100")
    #expect(post.url == "https://x.com/birds/status/1990000000000000300")
    #expect(post.remoteID == "1990000000000000300")
    #expect(UTC.text(post.createdAt) == "2025-11-16T10:12:27.069Z")
    #expect(post.editedAt.map(UTC.text) == "2026-11-20T09:00:00.000Z")
    #expect(
      post.caption == "Robins & wrens, a long story <3 #Birds https://blog.example/robins?a=1&b=2, and more #snow")
    #expect(post.tags == ["birds", "snow"])
    #expect(post.language == "en")
    #expect(
      post.author
        == Author(
          uri: "https://x.com/i/user/783214", handle: "birds@x.com", name: "Birds of the World",
          url: "https://x.com/birds", avatarURL: "https://pbs.twimg.com/profile_images/1/birds_400x400.jpg"))
  }

  @Test func `pictures come in the size they were posted, with their descriptions`() async throws {
    let post = try #require(try await recent().items[0].post)
    #expect(
      post.attachments == [
        Attachment(
          kind: .image, remoteID: "201", url: "https://pbs.twimg.com/media/robin.jpg?name=orig",
          alternateURL: "https://pbs.twimg.com/media/robin.jpg",
          previewURL: "https://pbs.twimg.com/media/robin.jpg?name=small", alt: "A robin in the snow", width: 1200,
          height: 800), Attachment(kind: .image, remoteID: "202", url: "https://pics.example/wren.png"),
      ])
  }

  @Test func `of a video the mp4 of most bits is taken, and its link is not text`() async throws {
    let post = try #require(try await recent().items[1].post)
    #expect(post.caption == "")
    #expect(post.sensitive)
    #expect(post.language == nil)
    #expect(post.editedAt == nil)
    #expect(post.author?.name == "ada")
    #expect(post.attachments.map(\.url) == ["https://video.twimg.com/203/720.mp4"])
    #expect(post.attachments.map(\.kind) == [.video])
    #expect(post.attachments[0].previewURL == "https://pbs.twimg.com/ext_tw_video_thumb/203/pu/img/still.jpg")
  }

  @Test func `a post without an author is a post all the same`() async throws {
    let post = try #require(try await recent().items[2].post)
    #expect(post.author == nil)
    #expect(post.url == "https://x.com/i/web/status/1980000000000000100")
  }

  @Test func `both APIs give the same post`() async throws {
    let post = try #require(try await statuses().items[0].post)
    #expect(post.uri == "https://x.com/i/status/1990000000000000300")
    #expect(post.caption == "Robins & wrens #Birds https://blog.example/robins")
    #expect(UTC.text(post.createdAt) == "2026-11-20T09:00:00.000Z")
    #expect(post.author?.uri == "https://x.com/i/user/783214")
    #expect(post.attachments.map(\.kind) == [.image, .gifv])
    #expect(post.attachments[0].url == "https://pbs.twimg.com/media/robin.jpg?name=orig")
    #expect(post.attachments[0].remoteID == "201")
    #expect(post.attachments[0].alt == "A robin in the snow")
    #expect(post.attachments[1].url == "https://video.twimg.com/tweet_video/wren.mp4")
    #expect(post.tags == ["birds"])
  }

  @Test func `of a retweet the post inside is kept whole, and who passed it on`() async throws {
    let item = try await statuses().items[1]
    #expect(item.id == "1980000000000000200")
    #expect(item.post?.uri == "https://x.com/i/status/1970000000000000900")
    #expect(item.post?.caption == "Snow, and more snow")
    #expect(item.repetition?.by.handle == "birds@x.com")
    #expect(item.repetition.map { UTC.text($0.at) } == "2026-11-20T08:00:00.000Z")
  }

  private func referenced(_ at: String = "x.com") async throws -> [PageItem] {
    try await XDesk(Response(Dialect.file("referenced.json", of: .x)), at: at).page(.search, "birds").items
  }

  @Test func `of a retweet of the newer API the post beside it is kept whole, and who passed it on`() async throws {
    let items = try await referenced()
    #expect(items.map(\.id) == (5...9).reversed().map { "1990000000000000\($0)00" })
    let post = try #require(items[0].post)
    #expect(post.uri == "https://x.com/i/status/1970000000000000100")
    #expect(post.caption == "Snow, and more snow than anybody has seen, all of it in one long text & no dots")
    #expect(post.author?.handle == "ada@x.com")
    #expect(post.attachments.map(\.url) == ["https://pbs.twimg.com/media/snow.jpg?name=orig"])
    #expect(post.tags == ["snow"])
    #expect(items[0].repetition?.by.handle == "birds@x.com")
    #expect(items[0].repetition.map { UTC.text($0.at) } == "2026-11-20T09:00:00.000Z")
    #expect(String(decoding: items[0].raw, as: UTF8.self).contains(#""id": "1970000000000000100""#))
    // The same post, passed on by somebody else.
    #expect(items[1].post == post)
    #expect(items[1].repetition?.by.handle == "grace@x.com")
  }

  @Test func `a retweet of what X does not show stays what it is, and one that answers or quotes is its own`()
    async throws
  {
    let items = try await referenced()
    #expect(items[2].post?.caption == "RT @gone: What is no longer sh…")
    #expect(items[3...].map { $0.post?.caption } == ["I agree", "Look at this"])
    #expect(items[2...].allSatisfy { $0.repetition == nil })
  }

  @Test func `a quoted post of either API stands beside the quoting one as a post, or by name`() async throws {
    let quoted = try #require(try await referenced()[4].quoted)
    #expect(quoted.uri == "https://x.com/i/status/1970000000000000400")
    #expect(quoted.post?.author?.handle == "linus@x.com")
    #expect(quoted.post?.caption == "Thirty degrees below")
    #expect(try await referenced()[3].quoted == nil)
    let named =
      #"{"data":[{"id":"1990000000000000500","#
      + #""referenced_tweets":[{"type":"quoted","id":"1970000000000000400"}]}]}"#
    let item = try #require(try await XDesk(Response(named)).page().items.first)
    #expect((item.quoted?.uri, item.quoted?.post == nil) == ("https://x.com/i/status/1970000000000000400", true))
    let older =
      #"{"statuses":[{"id_str":"1990000000000000500","full_text":"Look","quoted_status":"#
      + #"{"id_str":"1970000000000000400","full_text":"Thirty","user":{"id_str":"15","screen_name":"linus"}}}]}"#
    let first = try #require(try await XDesk(Response(older), api: "1.1").page().items.first)
    #expect(first.post?.caption == "Look")
    #expect(first.quoted?.uri == "https://x.com/i/status/1970000000000000400")
    #expect(first.quoted?.post?.caption == "Thirty")
  }

  @Test(arguments: [false, true])
  func `a post that came in compatibility mode is read whole`(isRepeated: Bool) async throws {
    let status = """
      {"id_str":"9","created_at":"Fri Nov 20 09:00:00 +0000 2026","text":"Robins, a long sto… https://t.co/self",
       "truncated":true,"entities":{"hashtags":[],"urls":[{"url":"https://t.co/self","expanded_url":
       "https://x.com/i/web/status/9"}]},"user":{"id_str":"3","screen_name":"birds"},"extended_tweet":{
       "full_text":"Robins, a long story #Snow https://t.co/pic","display_text_range":[0,26],
       "entities":{"hashtags":[{"text":"Snow"}],"media":[{"url":"https://t.co/pic"}]},
       "extended_entities":{"media":[{"id_str":"1","type":"photo","url":"https://t.co/pic",
       "media_url_https":"https://pbs.twimg.com/media/a.jpg"},{"id_str":"2","type":"photo",
       "media_url_https":"https://pbs.twimg.com/media/b.jpg"}]}}}
      """
    let repeating =
      #"{"id_str":"10","text":"RT @birds: Robins, a l…","user":{"id_str":"4","screen_name":"ada"},"#
      + #""created_at":"Fri Nov 20 10:00:00 +0000 2026","retweeted_status":\#(status)}"#
    let body = #"{"statuses":[\#(isRepeated ? repeating : status)]}"#
    let post = try #require(try await XDesk(Response(body), api: "1.1").page().items[0].post)
    #expect(post.uri == "https://x.com/i/status/9")
    #expect(post.caption == "Robins, a long story #Snow")
    #expect(post.tags == ["snow"])
    #expect(post.attachments.map(\.remoteID) == ["1", "2"])
  }

  @Test(arguments: [
    ("a &amp;amp; b &lt;i&gt; &#39; &quot;", "a &amp; b <i> &#39; &quot;"),
    (
      "see https://t.co/a1, https://t.co/a1b and https://t.co/zz",
      "see https://one.example/?a=1&b=2, https://t.co/a1b and https://t.co/zz"
    ),
    ("of old http://t.co/b2", "of old https://two.example/"), ("tp://t.co/b2", "tp://t.co/b2"),
    ("https://t.co/", "https://t.co/"), ("a\\u0000b\\u0007", "ab"), ("  ", ""),
  ])
  func `text is read as people see it`(sent: String, caption: String) async throws {
    let urls =
      #"{"url":"https://t.co/a1","expanded_url":"https://one.example/?a=1&b=2"},"#
      + #"{"url":"http://t.co/b2","expanded_url":"https://two.example/"}"#
    let other = #"{"url":"https://t.co/a1b","expanded_url":"javascript:two"},{"url":"https://t.co/q"},7"#
    let post = try await post(#","text":"\#(sent)","entities":{"urls":[\#(urls),\#(other)]}"#)
    #expect(post?.caption == caption)
  }

  @Test func `links that would blow a text up are bounded`() async throws {
    let long = "https://one.example/" + String(repeating: "x", count: 4000)
    let text = String(repeating: "https://t.co/a ", count: 100_000)
    let post = try await post(
      #","text":"\#(text)","entities":{"urls":[{"url":"https://t.co/a","expanded_url":"\#(long)"}]}"#)
    #expect(post.map { $0.caption.utf8.count <= 1 << 20 } == true)
  }

  @Test func `if only id and text are given, the id gives the date`() async throws {
    let id = "1990000000000000100"
    let body = #"{"data":[{"id":"\#(id)","text":"Robins","edit_history_tweet_ids":["\#(id)"]}]}"#
    let post = try #require(try await XDesk(Response(body)).page().items.first?.post)
    #expect(UTC.text(post.createdAt) == "2025-11-16T10:12:27.069Z")
    #expect((post.isDated, post.editedAt, post.author, post.caption) == (false, nil, nil, "Robins"))
  }

  @Test func `a mistyped field costs itself alone, and a post without id or date is unreadable`() async throws {
    let date = #""created_at":"2026-11-20T09:00:00Z""#
    let body = #"{"data":[7,{"id":"8"},{"id":"x",\#(date)},{\#(date)}],"meta":{}}"#
    let page = try await XDesk(Response(body)).page()
    #expect(page.items.map(\.id) == [nil, "8", nil, nil])
    #expect(page.items.allSatisfy { $0.post == nil })
    let members =
      #","author_id":"1","attachments":{"media_keys":["3_1",4]},"entities":[],"edit_history_tweet_ids":["a"]"#
    let beside = #"{"users":[{"id":"1","username":"a/b"}],"media":[{"media_key":"3_1","type":"photo","url":"x:y"}]}"#
    let post = try #require(try await post(members, beside: beside))
    #expect(post.uri == "https://x.com/i/status/7")
    #expect(post.author == nil)
    #expect(post.attachments == [])
  }

  @Test func `at another server a post is that server's own`() async throws {
    let desk = XDesk(Response(Dialect.file("statuses.json", of: .x)), at: "birds.example", api: "1.1")
    let post = try await desk.page().items[0].post
    #expect(post?.uri == "https://birds.example/i/status/1990000000000000300")
    #expect(post?.author?.handle == "birds@birds.example")
  }

  @Test(arguments: ["recent.json", "statuses.json"], PropertyTest.seeds(sample: 150, whole: 10_000))
  func `damaged pages cost what is damaged, and nothing falls over`(name: String, seed: UInt64) async throws {
    var random = Dice(state: seed)
    var damaged = try fixture(name, of: .x)
    for _ in 0..<Int.random(in: 1...4, using: &random) { damaged.mutate(with: "[]{}\"\\,: 0\n", &random) }
    let desk = XDesk(Response(status: 200, body: damaged), api: name == "statuses.json" ? "1.1" : nil)
    guard let page = try? await desk.page() else { return }
    for post in page.items.compactMap(\.post) {
      #expect(post.uri.hasPrefix("https://x.com/i/status/"))
      #expect(post.attachments.allSatisfy { $0.url?.hasPrefix("http") == true })
    }
  }
}
