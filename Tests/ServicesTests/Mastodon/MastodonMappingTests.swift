import Foundation
import HTTP
import Machine
import Posts
import PropertyTesting
import Services
import Testing

struct MastodonMappingTests {
  private let server = Server("birds.example")!

  private func items(_ body: [UInt8]) async throws -> [PageItem] {
    let source = MastodonSource(
      server: server,
      token: nil,
      transport: Answering(200, body).transport,
      time: .fixed(at: "2026-11-21T10:00:00Z")
    )
    return try await source.page(
      of: Feed(source: .mastodon, kind: .tag, value: "cats", server: server),
      after: nil,
      size: nil
    )
    .items
  }

  private func post(_ json: String) async throws -> Post {
    let items = try await items(Array("[\(json)]".utf8))
    return try #require(items.first?.post)
  }

  private func reason(_ json: String) async throws -> String? {
    guard case .unreadable(let reason) = try await items(Array("[\(json)]".utf8))[0].content else { return nil }
    return reason
  }

  @Test(arguments: [
    (#""type":"unknown","url":null,"remote_url":"https://pix.example/m/a.jpg""#, Posts.Attachment.Kind.image),
    (
      #""type":"unknown","url":"https://birds.example/media_proxy/1/original","remote_url":"https://b.example/a.mp4?x""#,
      .video
    ),
    (#""type":"Image","url":"https://birds.example/1""#, .image),
    (#""type":"unknown","url":"https://birds.example/1","pleroma":{"mime_type":"audio/ogg"}"#, .audio),
    (#""type":null,"url":"https://birds.example/a.webp""#, .image),
    (#""type":"gifv","url":"https://birds.example/a.mp4""#, .gifv),
    (#""type":"unknown","url":"https://birds.example/a.pdf""#, .file),
    (#""type":"unknown","url":"https://birds.example/media.jpg/1""#, .file),
  ])
  func `a file of an unknown type is what its media type or its address says`(
    fields: String, kind: Posts.Attachment.Kind
  ) async throws {
    let status =
      #"{"uri":"https://birds.example/1","created_at":"2026-11-20T09:00:00Z","media_attachments":[{\#(fields)}]}"#
    #expect(try await post(status).attachments.map(\.kind) == [kind])
  }

  @Test(arguments: [
    (
      "https://bsky.brid.gy/convert/ap/at://did:plc:abc/app.bsky.feed.post/3k", "at://did:plc:abc/app.bsky.feed.post/3k"
    ),
    ("https://bsky.brid.gy/convert/ap/https://birds.example/1", nil),
    ("https://birds.example/convert/ap/at://did:plc:abc/app.bsky.feed.post/3k", nil),
  ])
  func `a copy that a bridge made of a Bluesky post names it`(uri: String, original: String?) async throws {
    #expect(try await post(#"{"uri":"\#(uri)","created_at":"2026-11-20T09:00:00Z"}"#).original == original)
  }

  @Test func `a status becomes a post with all its facts`() async throws {
    let item = try #require(try await items(fixture("page.json")).first)
    let expected = Post(
      source: .mastodon,
      uri: "https://birds.example/users/birds/statuses/1103",
      url: "https://birds.example/@birds/1103",
      server: server,
      remoteID: "1103",
      author: Author(
        uri: "https://birds.example/users/birds",
        handle: "birds@birds.example",
        name: "Birds :robin:",
        url: "https://birds.example/@birds",
        avatarURL: "https://files.birds.example/avatars/7.png"
      ),
      createdAt: try #require(UTC.date("2026-11-20T09:00:00Z")),
      editedAt: UTC.date("2026-11-20T09:05:00Z"),
      caption: "Morning walk with #Cats & friends\nit's cold",
      captionHTML: """
        <p>Morning walk with <a href="https://birds.example/tags/Cats" class="mention hashtag" rel="tag">#<span>Cats</span>\
        </a> &amp; friends<br />it&#39;s cold</p>
        """,
      warning: "whiskers",
      sensitive: true,
      language: "en",
      visibility: .public,
      tags: ["cats", "snow"],
      attachments: [
        Attachment(
          kind: .image,
          remoteID: "501",
          url: "https://files.birds.example/media/501.jpg",
          previewURL: "https://files.birds.example/media/501-small.jpg",
          alt: "A cat in the snow",
          width: 1200,
          height: 800,
          blurhash: "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH"
        ),
        Attachment(
          kind: .gifv,
          remoteID: "502",
          url: "https://far.example/media/502.mp4",
          alternateURL: "https://birds.example/media_proxy/502/original",
          previewURL: "https://birds.example/media_proxy/502/small"
        ),
      ]
    )
    #expect(item.post == expected)
    #expect(item.id == "1103")
    #expect(item.repetition == nil)
  }

  @Test func `a boost is the post it repeats, and says who repeated it when`() async throws {
    let item = try await items(fixture("page.json"))[1]
    #expect(item.id == "1102")
    #expect(item.post?.uri == "https://far.example/objects/abc")
    #expect(item.post?.remoteID == "0900")
    #expect(item.post?.author?.handle == "fox@far.example")
    #expect(item.repetition?.by.handle == "hen@birds.example")
    #expect(item.repetition?.by.name == "hen")
    #expect(item.repetition?.at == UTC.date("2026-11-20T08:59:00Z"))
  }

  @Test func `an item that is not a post keeps its index, its id and its bytes`() async throws {
    let body = try fixture("page.json")
    let items = try await items(body)
    #expect(items.map(\.id) == ["1103", "1102", "1101", "1100"])
    #expect(items.map { $0.post == nil } == [false, false, true, false])
    for item in items {
      #expect(item.raw.first == UInt8(ascii: "{"))
      #expect(body.firstRange(of: item.raw) != nil)
    }
  }

  @Test func `deviations of other servers are read all the same`() async throws {
    let items = try await items(fixture("dialects.json"))
    #expect(
      items.map(\.id) == ["524216615476909436", "AJmoVikzI3SkyITyim", "01J5QVB9VC76NPPRQ207GG4DRZ", "5", nil, nil, nil]
    )
    #expect(items.map { $0.post != nil } == [true, true, true, false, false, false, false])
    let photo = try #require(items[0].post)
    #expect(photo.author?.name == "robin")
    #expect(photo.attachments.map(\.remoteID) == ["77"])
    #expect(photo.attachments.map(\.width) == [nil])
    let letters = try #require(items[1].post)
    #expect(letters.author?.handle == "wren@letters.example")
    #expect(letters.tags == ["books"])
    #expect(letters.attachments.map(\.kind) == [.file])
    #expect(letters.attachments.map(\.url) == ["https://letters.example/m/book.pdf?name=book.pdf"])
    let bare = try #require(items[2].post)
    #expect(bare.createdAt == Date(timeIntervalSince1970: 1_789_000_000))
    #expect(bare.url == bare.uri)
    #expect(bare.author == Author(uri: "acct:owl@quiet.example", handle: "owl@quiet.example", name: "owl"))
  }

  @Test func `a post without identity or date says so`() async throws {
    #expect(try await reason(#"{"id":"1","created_at":"2026-11-20T09:00:00Z"}"#) == "it has neither uri nor url")
    #expect(try await reason(#"{"uri":"https://a.example/1"}"#) == "it has no usable created_at")
    #expect(
      try await reason(#"{"uri":"https://a.example/1","created_at":"2026-13-45T09:00:00Z"}"#)
        == "it has no usable created_at"
    )
    #expect(try await reason(#"{"uri":"https://a.example/1","created_at":1e300}"#) == "it has no usable created_at")
    #expect(try await reason(#"{"uri":"https://a.example/1","created_at":"nan"}"#) == "it has no usable created_at")
    #expect(try await reason("7") == "it is not a status")
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "https://user:pass@a.example/", "https://a.example@evil.example/",
    "//a.example/",
    "https://", "https:///x", "ftp://a.example/", "data:image/png;base64,AA", "", "https://a.example/\\u0000", " ",
  ])
  func `only http addresses without a user are taken`(url: String) async throws {
    let post = try await post(
      """
      {"uri":"tag:a.example,2026:1","url":"\(url)","created_at":"2026-11-20T09:00:00Z",
       "account":{"acct":"a","url":"\(url)","avatar":"\(url)"},
       "media_attachments":[{"type":"image","url":"\(url)","remote_url":"\(url)","preview_url":"\(url)"}]}
      """
    )
    #expect(post.url == nil)
    #expect(post.author?.url == nil)
    #expect(post.author?.avatarURL == nil)
    #expect(post.attachments == [Attachment(kind: .image, url: nil)])
  }

  @Test func `an address with letters of its own script is encoded`() async throws {
    let post = try await post(
      #"{"uri":"https://a.example/1","url":"https://a.example/猫 cat","created_at":"2026-11-20T09:00:00Z"}"#
    )
    #expect(post.url == "https://a.example/%E7%8C%AB%20cat")
  }

  @Test func `values beyond all measure are cut or left out, the post stays`() async throws {
    let long = String(repeating: "é", count: 40_000)
    let novel = String(repeating: "é", count: 600_000)
    let post = try await post(
      """
      {"id":"\(long)","uri":"https://a.example/1","url":"https://a.example/\(long)","created_at":"2026-11-20T09:00:00Z",
       "content":"<p>\(novel)</p>","spoiler_text":"\(long)","language":"\(long)","tags":[{"name":"\(long)"}],
       "account":{"acct":"a","display_name":"\(long)"},
       "media_attachments":[{"type":"image","description":"\(long)","blurhash":"\(long)",
         "meta":{"original":{"width":1e99,"height":-5}}}]}
      """
    )
    #expect(post.remoteID == nil)
    #expect(post.url == "https://a.example/1")
    #expect(post.caption.utf8.count <= 1 << 20)
    #expect((post.captionHTML ?? "").utf8.count <= 1 << 20)
    #expect(post.warning.utf8.count <= 64 << 10)
    #expect(post.language == nil)
    #expect(post.tags == [])
    #expect((post.author?.name.utf8.count ?? 0) <= 512)
    let picture = try #require(post.attachments.first)
    #expect(picture.width == nil && picture.height == nil && picture.blurhash == nil)
    #expect((picture.alt ?? "").utf8.count <= 64 << 10)
  }

  @Test func `names are one line without control characters`() async throws {
    let post = try await post(
      """
      {"uri":"https://a.example/1","created_at":"2026-11-20T09:00:00Z","content":"a\\u001b[2Jb\\u0000\\u0301",
       "account":{"acct":"a b","username":"robin","display_name":" Red\\n\\u001b[31m Robin "}}
      """
    )
    #expect(post.author?.name == "Red [31m Robin")
    #expect(post.author?.handle == "robin@birds.example")
    #expect(post.caption == "a[2Jb\u{301}")
    #expect(post.captionHTML?.utf8.contains(0) == false)
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `any mutation of a page gives items or a reason`(seed: UInt64) async throws {
    var random = Dice(state: seed)
    let base = try fixture("page.json") + fixture("dialects.json")
    for _ in 0..<20 {
      var bytes = Array(base.prefix(Int.random(in: 0...base.count, using: &random)))
      for _ in 0...Int.random(in: 0..<6, using: &random) { bytes.mutate(with: "[]{}\"\\,: 0\n", &random) }
      do {
        let items = try await items(bytes)
        let isSound = items.allSatisfy { !$0.raw.isEmpty && $0.post?.uri.isEmpty != true }
        #expect(isSound, "seed \(seed)")
      } catch let error as SourceError {
        #expect(error.exitCode == .unreadable, "seed \(seed)")
      }
    }
  }

  @Test func `a status nested as deep as is read costs itself at most`() async throws {
    let deep = String(repeating: #"{"reblog":"#, count: 500) + "null" + String(repeating: "}", count: 500)
    let last = #"{"id":"2","uri":"https://a.example/2","created_at":"2026-11-20T09:00:00Z"}"#
    let items = try await items(Array("[\(deep),\(last)]".utf8))
    #expect(items.map { $0.post != nil } == [false, true])
  }
}
