import Foundation
import HTTP
import Machine
import Posts
import PropertyTesting
import Services
import Testing

/// What is made of the answers of Instagram's first API.
struct InstagramTests {
  private func page(_ body: String, token: Secret? = nil) async throws -> Page {
    try await InstagramDesk(Response(body), token: token).page()
  }

  private func posts() async throws -> [Post] {
    try await page(Dialect.file("page.json", of: .instagram)).items.compactMap(\.post)
  }

  private func post(_ more: String) async throws -> Post? {
    let link = #""link":"https://instagram.com/p/A","created_time":"1795165200""#
    return try await page(#"{"data":[{"id":"1",\#(link)\#(more)}]}"#).items.first?.post
  }

  @Test func `a picture keeps its facts`() async throws {
    let post = try await posts()[0]
    #expect(post.uri == "https://instagram.com/p/BNcA1")
    #expect(post.url == "https://www.instagram.com/p/BNcA1/?taken-by=birds")
    #expect(post.remoteID == "1108_3")
    #expect(post.caption == "First snow & a cat\n#Cats #snow")
    #expect(post.tags == ["cats", "snow"])
    #expect(UTC.text(post.createdAt) == "2026-11-20T09:00:00.000Z")
    #expect(
      post.author
        == Author(
          uri: "acct:birds@birds.example", handle: "birds@birds.example", name: "Ada of the Birds",
          avatarURL: "https://files.birds.example/birds.jpg"))
    #expect(
      post.attachments == [
        Attachment(
          kind: .image, remoteID: "1108_3", url: "https://files.birds.example/1-640.jpg",
          previewURL: "https://files.birds.example/1-320.jpg", width: 640, height: 800)
      ])
  }

  @Test func `a video keeps the largest film and the picture that stands for it; no caption is an empty one`()
    async throws
  {
    let post = try await posts()[1]
    #expect(post.uri == "https://instagram.com/p/BNcA2")
    #expect(post.caption == "")
    #expect(post.author?.name == "grace")
    #expect(post.author?.avatarURL == nil)
    #expect(post.attachments.map(\.kind) == [.video])
    #expect(post.attachments[0].url == "https://files.birds.example/2-640.mp4")
    #expect(post.attachments[0].previewURL == "https://files.birds.example/2-640.jpg")
  }

  @Test func `a post of several keeps each, in order, in the largest size whatever it is called`() async throws {
    let post = try await posts()[2]
    #expect(post.attachments.map(\.kind) == [.image, .video])
    #expect(
      post.attachments.map(\.url) == [
        "https://files.birds.example/3a-1080.jpg", "https://files.birds.example/3b.mp4",
      ])
    #expect(post.attachments.map(\.remoteID) == ["1106_3/1", "1106_3/2"])
  }

  @Test func `the high resolution is the one that is kept, measured or not`() async throws {
    let sizes = ["high", "standard", "low"].map { #""\#($0)_resolution":{"url":"https://a.example/\#($0).jpg"}"# }
    let measured: [String] = zip(sizes, [1080, 640, 320]).map { size, pixels in
      size.replacing("}", with: #","width":\#(pixels),"height":\#(pixels)}"#)
    }
    let pairs: [[String]] = [sizes, measured, [sizes[0], sizes[2]], [measured[2], measured[0]]]
    for images in pairs {
      let post = try await post(#","images":{\#(images.joined(separator: ","))}"#)
      #expect(post?.attachments.map(\.url) == ["https://a.example/high.jpg"])
      #expect(post?.attachments.first?.previewURL == "https://a.example/low.jpg")
    }
  }

  @Test func `a name that is left out is not said to be another one; an empty one is none`() async throws {
    var authors: [Author?] = []
    for name in [#","full_name":"Ada"#, #","full_name":""#, nil, #","first_name":"Grace"#] {
      authors.append(try await post(#","user":{"username":"ada"\#(name.map { $0 + "\"" } ?? "")}"#)?.author)
    }
    #expect(authors.map(\.?.name) == ["Ada", "ada", "ada", "Grace"])
    #expect(authors.map(\.?.isNamed) == [true, true, false, true])
  }

  @Test func `a post of 2010 is read, with bare addresses, a bare caption and two names`() async throws {
    let post = try await posts()[3]
    #expect(post.remoteID == "1105")
    #expect(post.caption == "Hello from 2010")
    #expect(post.author?.name == "Old Timer")
    #expect(post.attachments.map(\.url) == ["http://files.birds.example/4-612.jpg"])
    #expect(UTC.text(post.createdAt) == "2010-10-17T07:20:00.000Z")
  }

  @Test(arguments: [
    "http://www.instagram.com/p/A/", "https://instagram.com/p/A?x=1", "https://INSTAGRAM.com/p/A#x",
    "http://instagram.com/p/A",
  ])
  func `a post is the same however its link was written`(link: String) async throws {
    let body = #"{"data":[{"id":"1","link":"\#(link)","created_time":1795165200}]}"#
    #expect(try await page(body).items.first?.post?.uri == "https://instagram.com/p/A")
  }

  @Test func `a post without a link is known by its number`() async throws {
    let posts = try await page(
      #"{"data":[{"id":"1","created_time":"1","link":null},{"id":"3","created_time":"1","link":"x:y"}]}"#
    ).items.map(\.post)
    #expect(posts.map(\.?.uri) == ["https://birds.example/media/1", "https://birds.example/media/3"])
    #expect(posts.map(\.?.url) == [nil, nil])
  }

  @Test func `an item without identity or date is unreadable, and a mistyped field costs itself alone`() async throws {
    let page = try await page(
      #"{"data":[{"created_time":"1"},{"id":"2","link":"https://a.example/p"},7,null,{"id":{},"link":"x:y"}]}"#)
    #expect(page.items.map(\.id) == [nil, "2", nil, nil, nil])
    #expect(page.items.allSatisfy { $0.post == nil })
    let post = try #require(
      try await post(#","user":7,"caption":[],"images":{"standard_resolution":{"url":"javascript:1"}},"tags":{}"#))
    #expect(post.author == nil)
    #expect(post.attachments == [])
    #expect(post.caption == "")
  }

  @Test func `lists within a post are read within bounds`() async throws {
    let file = #"{"type":"image","images":{"standard_resolution":"https://a.example/1.jpg"}}"#
    let files = Array(repeating: file, count: 1500).joined(separator: ",")
    let tags = (0..<1500).map { "\"t\($0)\"" }.joined(separator: ",")
    let post = try await post(#","tags":[\#(tags)],"carousel_media":[\#(files)]"#)
    #expect(post?.tags.count == 1000)
    #expect(post?.attachments.count == 1000)
  }

  @Test func `a token that the server writes into a post is in nothing that is kept`() async throws {
    let token = Secret("12345678.hush.hush")
    let post = #"{"id":"1","link":"https://a.example/p","created_time":"1","caption":"12345678.hush.hush"}"#
    // One that is too long to be read is kept as it came, but for the token.
    let long = #"{"id":"2","caption":"12345678.hush.hush\#(String(repeating: "a", count: 2 << 20))"}"#
    let items = try await page(#"{"data":[\#(post),\#(long)]}"#, token: token).items
    #expect(items.map(\.post?.caption) == ["<secret>", nil])
    #expect(items.allSatisfy { !String(decoding: $0.raw, as: UTF8.self).contains("hush") })
  }

  @Test(arguments: PropertyTest.seeds(sample: 200, whole: 20_000))
  func `damaged pages cost what is damaged, and nothing falls over`(seed: UInt64) async throws {
    var random = Dice(state: seed)
    var damaged = try fixture("page.json", of: .instagram)
    for _ in 0..<Int.random(in: 1...4, using: &random) { damaged.mutate(with: "[]{}\"\\,: 0\n", &random) }
    let desk = InstagramDesk(Response(status: 200, body: damaged), token: Secret(Dialect.token))
    guard let page = try? await desk.page() else { return }
    #expect(page.items.allSatisfy { !$0.raw.isEmpty })
    for post in page.items.compactMap(\.post) {
      #expect(post.uri.hasPrefix("https://"))
      #expect(post.attachments.allSatisfy { $0.url?.hasPrefix("http") == true })
    }
  }
}

/// Requests pages from the Instagram source.
struct InstagramDesk {
  static let server = Server("birds.example")!
  let answering: Answering
  let source: InstagramSource

  init(_ answers: Response..., token: Secret? = nil) {
    answering = Answering(inTurn: answers)
    source = InstagramSource(
      server: Self.server, token: token, transport: answering.transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
  }

  func page(_ kind: Feed.Kind = .tag, _ value: String = "cats", after cursor: String? = nil, size: Int? = nil)
    async throws -> Page
  {
    let feed = Feed(source: .instagram, kind: kind, value: value, server: Self.server)
    return try await source.page(of: feed, after: cursor.map { Cursor($0) }, size: size)
  }

  /// The requested addresses, relative to the server.
  var paths: [String] { answering.requests.map { String($0.url.dropFirst(Self.server.origin.count)) } }

  /// Why there is no page.
  func refusal(_ kind: Feed.Kind = .tag, _ value: String = "cats") async -> SourceError? {
    do {
      _ = try await page(kind, value)
      return nil
    } catch { return error as? SourceError }
  }
}
