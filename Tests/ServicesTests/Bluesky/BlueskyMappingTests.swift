import HTTP
import Machine
import Posts
import Services
import Testing

/// What is made of Bluesky's posts.
struct BlueskyMappingTests {
  private static let did = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"
  private static let other = "did:plc:bbbbbbbbbbbbbbbbbbbbbbbb"

  private func items() async throws -> [PageItem] {
    try await BlueskyDesk(Response(Dialect.file("page.json", of: .bluesky))).page().items
  }

  private func post(_ text: String, more: String) async throws -> Post {
    let desk = BlueskyDesk(BlueskyDesk.answer([BlueskyDesk.post("3a", text: text, more: more)]))
    return try #require(try await desk.page().items.first?.post)
  }

  private func facet(_ start: String, _ end: String, _ feature: String) -> String {
    #"{"index":{"byteStart":\#(start),"byteEnd":\#(end)},"features":[{\#(feature)}]}"#
  }

  @Test func `a post keeps its facts`() async throws {
    let post = try #require(try await items()[0].post)
    #expect(post.uri == "at://\(Self.did)/app.bsky.feed.post/3mcats0000004")
    #expect(post.remoteID == post.uri)
    #expect(post.url == "https://bsky.app/profile/robin.birds.example/post/3mcats0000004")
    #expect(UTC.text(post.createdAt) == "2026-11-20T09:00:00.123Z")
    #expect(
      post.caption == "Zoë 🐈 #Cats at https://example.org/a-very-long-address?of=a+page with @wren.birds.example")
    #expect(post.tags == ["cats", "harbour"])
    #expect(post.language == "en")
    #expect(
      post.author
        == Author(
          uri: Self.did, handle: "robin.birds.example", name: "Robin of the Bay",
          url: "https://bsky.app/profile/robin.birds.example",
          avatarURL: "https://cdn.bsky.app/img/avatar/plain/\(Self.did)/bafkreirobin@jpeg"))
  }

  @Test func `only a bridge's account names the original of a post`() async throws {
    let told = #","bridgyOriginalUrl":"https://birds.example/@ada/1""#
    #expect(try await post("#cats", more: told).original == nil)
    for (handle, original) in [
      ("ada.birds.example.ap.brid.gy", "https://birds.example/@ada/1"), ("brid.gy.birds.example", nil),
      ("notbrid.gy", nil),
    ] {
      let text = BlueskyDesk.post("3a", more: told).replacing("robin.birds.example", with: handle)
      let post = try await BlueskyDesk(BlueskyDesk.answer([text])).page().items.first?.post
      #expect(post?.original == original)
    }
    let bad = BlueskyDesk.post("3a", more: #","bridgyOriginalUrl":"javascript:alert(1)""#)
      .replacing("robin.birds.example", with: "ada.birds.example.ap.brid.gy")
    #expect(try await BlueskyDesk(BlueskyDesk.answer([bad])).page().items.first?.post?.original == nil)
  }

  @Test func `pictures are the author's own bytes, and the server's copy stands in`() async throws {
    let attachments = try #require(try await items()[0].post?.attachments)
    let cid = "bafkreicyqcbkbmlxq7mxpzxzqfzuwvwrmrvx7j6tuqxhzxfwgkzq7jwxjm"
    let copies = "https://cdn.bsky.app/img"
    #expect(
      attachments.first
        == Attachment(
          kind: .image, remoteID: cid,
          url: "https://bsky.social/xrpc/com.atproto.sync.getBlob?did=\(Self.did)&cid=\(cid)",
          alternateURL: "\(copies)/feed_fullsize/plain/\(Self.did)/one@jpeg",
          previewURL: "\(copies)/feed_thumbnail/plain/\(Self.did)/one@jpeg", alt: "A grey cat on a boat", width: 1600,
          height: 1067, byteCount: 271_828))
    #expect(attachments.count == 2)
    // As blobs were named until 2023.
    #expect(attachments[1].remoteID == "bafkreidgvpkjawlxz6sffxzwgooowe5yt7i6wsyg236mfoks77nywkptdq")
    #expect(attachments[1].alt == nil)
  }

  @Test func `a video is its file, and no list of its parts`() async throws {
    let video = try #require(try await items()[1].post?.attachments.first)
    #expect(video.kind == .video)
    #expect(video.url?.contains("getBlob?did=did:plc:bbbbbbbbbbbbbbbbbbbbbbbb&cid=bafkreihdwdcefgh4") == true)
    #expect(video.alternateURL == nil)
    #expect(video.previewURL?.hasSuffix("thumbnail.jpg") == true)
    #expect(video.alt == "A cat that jumps")
    #expect(video.height == 1920)
  }

  @Test func `labels of the author and of moderators warn, once each, and one that was taken back does not`()
    async throws
  {
    let posts = try await items().compactMap(\.post)
    #expect(posts.map(\.warning) == ["Non-sexual Nudity, Graphic Media", "", ""])
    #expect(posts.map(\.sensitive) == [true, false, false])
  }

  @Test func `what an author asks to be shown to members alone is not for everybody`() async throws {
    let items = try await items()
    #expect(items.map(\.post?.visibility) == [.local, .public, .public])
    for item in items {
      #expect(Catalogue.visibility(of: .bluesky, answer: item.raw, addresses: []) == item.post?.visibility)
    }
  }

  @Test func `a date that an author claims counts unless it is to come`() async throws {
    let dates = try await items().compactMap { $0.post.map { UTC.text($0.createdAt) } }
    #expect(dates == ["2026-11-20T09:00:00.123Z", "2026-11-20T08:00:00.000Z", "1970-01-01T00:00:00.000Z"])
  }

  @Test func `an account whose handle does not lead back to it is named by its identity`() async throws {
    let post = try #require(try await items()[1].post)
    #expect(post.author?.handle == Self.other)
    #expect(post.url == "https://bsky.app/profile/\(Self.other)/post/3mcats0000003")
  }

  @Test func `the address of a card stands below a text that does not name it`() async throws {
    #expect(try await items()[2].post?.caption == "A card\n\nhttps://walks.example/cats")
    let card = #","embed":{"external":{"uri":"https://walks.example/cats"}}"#
    #expect(try await post("see https://walks.example/cats", more: card).caption == "see https://walks.example/cats")
  }

  @Test func `a quoted post is a post of its own, to which the quoting one refers`() async throws {
    let quoted = try #require(try await items()[0].quoted)
    #expect(quoted.uri == "at://\(Self.other)/app.bsky.feed.post/3mwren0000009")
    #expect(quoted.post?.caption == "What was quoted")
    #expect(quoted.post?.author?.name == "wren.birds.example")
    #expect(String(decoding: quoted.slice, as: UTF8.self).contains("#viewRecord"))
  }

  @Test(arguments: [
    ("#viewNotFound", #""notFound":true"#, true), ("#viewBlocked", #""blocked":true"#, true),
    ("#viewDetached", #""detached":true"#, false),
  ])
  func `a quote that is not shown is named, unless it was withdrawn`(
    type: String, mark: String, isNamed: Bool
  ) async throws {
    let uri = "at://\(Self.other)/app.bsky.feed.post/3mwren0000009"
    let view =
      #""embed":{"$type":"app.bsky.embed.record#view","record":{"$type":"app.bsky.embed.record\#(type)","uri":"\#(uri)",\#(mark)}},"#
    let answer = BlueskyDesk.answer([BlueskyDesk.post("3a")]).replacing("\"author\"", with: view + "\"author\"")
    let item = try #require(try await BlueskyDesk(answer).page().items.first)
    #expect(item.quoted?.uri == (isNamed ? uri : nil))
    #expect(item.quoted?.post == nil)
  }

  @Test(arguments: [
    ("-1", "5"), ("0", "900"), ("5", "3"), ("0", "1.5"), ("\"0\"", "5"), ("0", "99999999999999999999"), ("1", "3"),
  ])
  func `a link whose bytes are none of the text leaves the text readable`(start: String, end: String) async throws {
    let facets = facet(start, end, #""uri":"https://long.example/address""#)
    let post = try await post("Zoë...", more: #","facets":[\#(facets)]"#)
    #expect(post.caption == "Zoë...")
  }

  @Test func `links that overlap are replaced once`() async throws {
    let link = #""uri":"https://long.example/address""#
    let facets = [facet("0", "6", link), facet("2", "6", link), facet("0", "6", link)].joined(separator: ",")
    let post = try await post("abc... and on", more: #","facets":[\#(facets)]"#)
    #expect(post.caption == "https://long.example/address and on")
  }

  @Test(arguments: [
    "at://did:plc:bbbbbbbbbbbbbbbbbbbbbbbb/app.bsky.feed.post/3a", "at://robin.birds.example/app.bsky.feed.post/3a",
    "https://birds.example/3a", "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/../x",
    "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/", "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa",
  ])
  func `a post under the identity of another, or under none, is no post`(uri: String) async throws {
    let answer = BlueskyDesk.answer([BlueskyDesk.post("3a")])
      .replacing("at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3a", with: uri)
    let item = try #require(try await BlueskyDesk(answer).page().items.first)
    #expect(item.post == nil)
  }

  @Test func `a repeat is the post that it repeats, with who repeated it`() async throws {
    let by = #"{"did":"\#(Self.other)","handle":"wren.birds.example"}"#
    let reason = #"{"$type":"app.bsky.feed.defs#reasonRepost","by":\#(by),"indexedAt":"2026-11-20T10:00:00Z"}"#
    let posts = [BlueskyDesk.post("3a"), BlueskyDesk.post("3b")]
    let answer = Response(#"{"feed":[{"post":\#(posts[0]),"reason":\#(reason)},{"post":\#(posts[1])}]}"#)
    let page = try await BlueskyDesk(answer).page(.user, "wren.birds.example")
    #expect(page.items.map(\.repetition?.by.handle) == ["wren.birds.example", nil])
    #expect(page.items[0].post?.author?.handle == "robin.birds.example")
    #expect(page.items[0].id != page.items[0].post?.uri)
    #expect(page.next == .end)
  }
}
