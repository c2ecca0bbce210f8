import HTTP
import Machine
import Posts
import Services
import Testing

/// What Tumblr's posts become.
struct TumblrTests {
  private func items() async throws -> [PageItem] {
    try await TumblrDesk(Response(status: 200, body: try fixture("page.json", of: .tumblr))).page().items
  }

  @Test func `a post of blocks keeps its facts`() async throws {
    let item = try #require(try await items().first)
    let post = try #require(item.post)
    #expect((item.id, post.remoteID) == ("792345678901234567", "t:Abc_123/792345678901234567"))
    #expect(post.uri == "https://birds.example/post/792345678901234567")
    #expect(post.url == "https://birds.tumblr.com/post/792345678901234567/morning")
    #expect(post.createdAt == UTC.date("2026-11-20T09:00:00Z"))
    #expect(
      post.caption
        == "Morning\n\n- milk\n- fish\n\nhttps://video.example/watch?v=1\n\nWhere we were\nhttps://walks.example/")
    #expect(post.tags == ["cats", "red panda"])
    #expect((post.sensitive, post.warning, post.visibility) == (true, "sexual themes", .public))
    let author = try #require(post.author)
    #expect((author.uri, author.handle) == ("https://birds.example/blog/t:Abc_123", "birds@birds.example"))
    #expect((author.name, author.url) == ("Birds of the Bay", "https://birds.tumblr.com/"))
    #expect(author.avatarURL == "https://64.media.tumblr.example/avatar_512.pnj")
    #expect(post.attachments.map(\.kind) == [.image, .video])
    let picture = post.attachments[0]
    #expect(picture.url == "https://64.media.tumblr.example/a/s2048x3072/cat.jpg")
    #expect((picture.alt, picture.width, picture.height) == ("A cat in the snow", 2048, 1536))
    #expect(picture.previewURL == "https://64.media.tumblr.example/a/s540x810/cat.jpg")
    #expect(post.attachments[1].previewURL == "https://64.media.tumblr.example/cat_frame1.jpg")
    #expect(item.quoted == nil)
  }

  @Test func `a reblog is its blog's own post, with what it reblogs below, and names the first one`() async throws {
    let item = try await items()[1]
    let post = try #require(item.post)
    #expect(post.caption == "So good\n\ncleo:\nMy cats\n\ngone:\nNice")
    #expect((post.author?.handle, post.author?.name) == ("ann@birds.example", "ann"))
    #expect(post.attachments.map(\.url) == ["https://64.media.tumblr.example/b/cats.png"])
    #expect(item.repetition == nil)
    // The answer lacks its tags, so nothing of it is stored that could replace them.
    let quoted = try #require(item.quoted)
    #expect((quoted.uri, quoted.post == nil) == ("https://birds.example/post/792000000000000001", true))
    #expect(quoted.url == "https://birds.example/cleo/792000000000000001")
  }

  @Test func `a post of an older kind is read, too`() async throws {
    let post = try #require(try await items()[2].post)
    #expect(post.caption == "my arm is tired & cold")
    #expect((post.remoteID, post.visibility) == ("old/7431599279", .direct))
    #expect(post.attachments.map(\.url) == ["https://66.media.tumblr.example/o1_1280.jpg"])
    #expect((post.attachments[0].alt, post.attachments[0].width) == ("An arm", 1280))
    #expect(post.attachments[0].previewURL == "https://66.media.tumblr.example/o1_500.jpg")
  }

  @Test(arguments: [
    (#""type":"text","title":"A title","body":"<p>Body</p>""#, "Body"),
    (#""type":"quote","text":"Said","source":"<a href=\"https://a.example\">Who</a>""#, "Said\n\nWho"),
    (
      #""type":"link","title":"There","url":"https://a.example/","description":"<p>why</p>""#,
      "why\n\nhttps://a.example/"
    ),
    (#""type":"answer","question":"Why?","answer":"<p>So</p>""#, "Why?\n\nSo"),
    (#""type":"video","caption":"<p>Film</p>","video_url":"https://a.example/1.mp4""#, "Film"),
  ])
  func `the older kinds have their texts in fields of their own`(fields: String, caption: String) async throws {
    let post = try #require(try await TumblrDesk.item(fields).post)
    #expect(post.caption == caption)
    #expect(post.title == (fields.contains("title") ? fields.contains("There") ? "There" : "A title" : nil))
    #expect(post.attachments.map(\.kind) == (fields.contains("mp4") ? [.video] : []))
  }

  @Test(
    arguments: [
      ("", nil), (#""state":"published""#, .public), (#""state":"published","is_paywalled":true"#, .followers),
      (#""state":"private""#, .direct), (#""state":"queued""#, .direct), (#""state":"unheard-of""#, .direct),
    ] as [(String, Visibility?)])
  func `who may see it is known, also from the stored answer`(fields: String, visibility: Visibility?) async throws {
    let item = try await TumblrDesk.item(fields)
    #expect(item.post?.visibility == visibility)
    #expect(Catalogue.visibility(of: .tumblr, answer: item.raw, addresses: []) == visibility)
    // A person is shown hidden blogs, too, and no post says whether its blog is one.
    let seen = try #require(try await TumblrDesk.item(fields, isOfPerson: true).post)
    #expect(seen.visibility == (visibility == .direct ? .direct : .followers))
    #expect(seen.assumesVisibility == (visibility == nil || visibility == .public))
    #expect(item.post?.assumesVisibility == false)
  }

  @Test func `wrong types and huge values cost themselves alone`() async throws {
    for fields in [
      #""content":[7,null,{"type":"image","media":"x"},{"type":"image","media":[{"url":"javascript:x"}]},{"type":[]}]"#,
      #""content":[{"type":"image","media":[{"url":"https://a.example/1","width":1e99,"height":-1}]}]"#,
      #""content":{},"photos":{},"tags":"x","trail":7,"blog":[],"community_labels":[]"#,
      #""content":[],"trail":[{},7,{"post":[],"blog":7,"content":"x"}],"tags":[1,null,""],"post_url":"ftp://x""#,
    ] {
      let post = try #require(try await TumblrDesk.item(fields).post, "\(fields)")
      #expect(post.attachments.allSatisfy { $0.width == nil && $0.height == nil })
      #expect(post.uri == "https://birds.example/post/12" && post.tags.isEmpty)
    }
    let many = Array(repeating: #"{"type":"text","text":"\#(String(repeating: "x", count: 1000))"}"#, count: 1200)
    let post = try await TumblrDesk.item(#""content":[\#(many.joined(separator: ","))]"#).post
    #expect((post?.caption.utf8.count ?? 0) <= 1 << 20)
    #expect(try await TumblrDesk.item(#""id_string":"../x""#).post == nil)
  }
}

/// A source at a server of Tumblr's API, and what it was asked.
struct TumblrDesk {
  let server: Server
  let answering: Answering
  let source: TumblrSource

  init(
    _ answers: Response..., at server: String = "birds.example", token: Secret? = nil, isOfPerson: Bool = false
  ) {
    self.server = Server(server)!
    answering = Answering(inTurn: answers)
    source = TumblrSource(
      server: self.server, token: token, isOfPerson: isOfPerson, transport: answering.transport,
      time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  func page(_ kind: Feed.Kind = .tag, _ value: String = "cats", after cursor: Cursor? = nil, size: Int? = nil)
    async throws -> Page
  {
    try await source.page(
      of: Feed(source: .tumblr, kind: kind, value: value, server: server), after: cursor, size: size)
  }

  static func answer(_ posts: String) -> Response {
    Response(#"{"meta":{"status":200,"msg":"OK"},"response":[\#(posts)]}"#)
  }

  /// The item of an answer with one post of these fields.
  static func item(_ fields: String, isOfPerson: Bool = false) async throws -> PageItem {
    let more = fields.isEmpty ? "" : ",\(fields)"
    let post = #"{"id":12,"timestamp":1795165200,"blog_name":"birds"\#(more)}"#
    return try #require(try await TumblrDesk(answer(post), isOfPerson: isOfPerson).page().items.first)
  }
}
