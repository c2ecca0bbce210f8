import Foundation
import HTTP
import Machine
import Posts
import Services
import Testing

/// What becomes of posts of Lemmy and PieFed.
struct LemmyTests {
  private func items(_ fixture: String) async throws -> [PageItem] {
    let body = try ServicesTests.fixture(fixture, of: .lemmy)
    return try await LemmyDesk(Response(status: 200, body: body)).page().items
  }

  @Test func `a picture of Lemmy 0.19 keeps its facts`() async throws {
    let item = try #require(try await items("v3.json").first)
    let post = try #require(item.post)
    #expect((item.id, post.remoteID, item.pinned) == ("4004", "4004", false))
    #expect((post.uri, post.url) == ("https://birds.example/post/4004", "https://birds.example/post/4004"))
    #expect(post.createdAt == UTC.date("2026-11-20T09:00:00.123456Z"))
    #expect(post.editedAt == UTC.date("2026-11-20T09:05:00Z"))
    #expect(post.title == "A robin at the feeder #Birds")
    #expect(post.caption == "Seen this morning, see the map.\n\n#winter")
    #expect((post.tags, post.language, post.visibility) == (["birds", "winter"], "en", .public))
    #expect(!post.sensitive)
    let author = try #require(post.author)
    #expect((author.uri, author.handle) == ("https://birds.example/u/robin", "robin@birds.example"))
    #expect((author.name, author.avatarURL) == ("Robin Redbreast", "https://birds.example/pictrs/image/av.webp"))
    #expect(
      post.attachments.map(\.url) == ["https://birds.example/pictrs/image/r0b1n.jpeg", "https://far.example/fly.png"])
    let picture = post.attachments[0]
    #expect(picture.alternateURL == "https://birds.example/pictrs/image/r0b1n.jpeg?format=webp")
    #expect(picture.previewURL == "https://birds.example/pictrs/image/r0b1n.jpeg?format=webp&thumbnail=256")
    #expect((picture.alt, picture.width, picture.height) == ("A robin on a branch", 1600, 1200))
    #expect(post.attachments[1].alt == "in flight")
  }

  @Test func `a link to a page has no picture, and stands in the text`() async throws {
    let item = try await items("v3.json")[1]
    let post = try #require(item.post)
    #expect(item.pinned)
    #expect((post.caption, post.attachments.count, post.listsAttachments) == ("https://paper.example/sleep", 0, true))
    #expect((post.uri, post.author?.handle) == ("https://far.example/post/77", "ann@far.example"))
    #expect((post.sensitive, post.visibility, post.language) == (true, .local, nil))
  }

  @Test func `posts of Lemmy 1.0 have tags, proxied pictures and films`() async throws {
    let items = try await items("v4.json")
    let post = try #require(items[0].post)
    #expect(post.tags == ["garden birds", "winter"])
    #expect((post.language, post.visibility) == ("de", .followers))
    let picture = try #require(post.attachments.first)
    #expect(picture.url == "https://far.example/robin.png")
    #expect(picture.alternateURL?.hasPrefix("https://birds.example/api/v4/image/proxy?") == true)
    #expect((picture.width, picture.blurhash) == (800, "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH"))
    let film = try #require(items[1].post)
    #expect(film.attachments.map(\.kind) == [.video])
    #expect((film.attachments[0].url, film.visibility) == ("https://films.example/1.mp4", .unlisted))
    #expect(film.caption == "https://films.example/watch/1")
  }

  @Test func `posts of PieFed have its names`() async throws {
    let items = try await items("piefed.json")
    let post = try #require(items[0].post)
    #expect((post.title, post.caption, post.tags) == ("A robin", "Look at it.", ["birds", "night sky"]))
    #expect((post.language, post.visibility, post.sensitive) == (nil, nil, false))
    #expect((post.author?.handle, post.author?.name) == ("robin@birds.example", "Robin Redbreast"))
    let picture = try #require(post.attachments.first)
    #expect((picture.kind, picture.url) == (.image, "https://birds.example/static/media/posts/robin"))
    #expect((picture.alt, picture.width) == ("A robin on a branch", 1600))
    let poll = try #require(items[1].post)
    #expect((poll.caption, poll.sensitive) == ("○ The red one\n○ Both", true))
  }

  @Test(arguments: ["deleted", "removed"])
  func `what is left of a post that is gone replaces nothing`(word: String) async throws {
    let item = try await LemmyDesk.item(#","\#(word)":true"#)
    #expect(item.post == nil && item.id == "7")
    #expect(try await LemmyDesk.item(#","\#(word)":false"#).post != nil)
  }

  @Test(
    arguments: [
      ("", nil), (#","community":{"visibility":"Public"}"#, .public),
      (#","community":{"visibility":"unlisted"}"#, .unlisted),
      (#","community":{"visibility":"LocalOnly"}"#, .local),
      (#","community":{"visibility":"local_only_public"}"#, .local),
      (#","community":{"visibility":"local_only_private"}"#, .local),
      (#","community":{"visibility":"private"}"#, .followers),
      (#","community":{"visibility":"unheard-of"}"#, .direct), (#","community":{"visibility":7}"#, .direct),
      (#","community":{"visibility":null}"#, nil), (#","community":{"hidden":true}"#, .followers),
      (#","community":{"hidden":false}"#, nil),
    ] as [(String, Visibility?)])
  func `who may see it is known, also from the stored answer`(more: String, visibility: Visibility?) async throws {
    let item = try await LemmyDesk.item(beside: more)
    #expect(item.post?.visibility == visibility)
    #expect(Catalogue.visibility(of: .mastodon, answer: item.raw, addresses: []) == visibility)
  }

  @Test(
    arguments: [
      (#""url":"https://a.example/1.PNG""#, "https://a.example/1.PNG"),
      (#""url":"https://w.example/File:Cat.jpg","url_content_type":"text/html""#, nil),
      (#""url":"https://a.example/1","url_content_type":"video/mp4""#, "https://a.example/1"),
      (#""url":"https://a.example/1""#, nil), (#""url":"javascript:1.png""#, nil),
      (#""url":"https://a.example/api/v3/image_proxy?url=https%3A%2F%2Fb.example%2F1.png""#, "https://b.example/1.png"),
      (
        #""url":"https://a.example/api/v3/image_proxy?url=file%3A%2F%2Fb.png","url_content_type":"image/png""#,
        "https://a.example/api/v3/image_proxy?url=file%3A%2F%2Fb.png"
      ),
      (#""embed_video_url":"https://films.example/embed/1","url":"https://films.example/1""#, nil),
    ] as [(String, String?)])
  func `a file is told from a page`(fields: String, file: String?) async throws {
    let post = try #require(try await LemmyDesk.item(",\(fields)").post)
    #expect(post.attachments.first?.url == file)
    #expect(post.caption.isEmpty || file == nil)
  }

  @Test func `the size of a thumbnail is not that of the picture`() async throws {
    let details = #","image_details":{"link":"https://a.example/small.webp","width":256,"height":256}"#
    let post = try await LemmyDesk.item(#","url":"https://a.example/1.png""#, beside: details).post
    #expect(post?.attachments.count == 1 && post?.attachments[0].width == nil)
  }

  @Test func `wrong types and huge values cost themselves alone`() async throws {
    for (fields, more) in [
      (
        #","body":[],"url":{},"tags":7,"poll":[],"updated":{},"nsfw":"x","language_id":9999"#,
        #","creator":7,"community":[]"#
      ),
      (
        #","language_id":-1,"body":"![](javascript:x) ![a](https://a b)""#,
        #","tags":[null,7,{"name":[]}],"image_details":7"#
      ),
      ("", #","creator":{"name":"a@b"},"image_details":{"width":1e99,"height":-5}"#),
      (#","url":"https://a.example/1.png""#, #","image_details":{"width":1e99,"height":-5,"blurhash":"x"}"#),
    ] {
      let post = try #require(try await LemmyDesk.item(fields, beside: more).post, "\(fields)")
      #expect((post.uri, post.language) == ("https://far.example/post/7", nil))
      #expect(post.attachments.allSatisfy { $0.width == nil && $0.height == nil && $0.blurhash == nil })
      #expect(post.author == nil)
    }
    let long = String(repeating: "x", count: 1_500_000)
    #expect(try await LemmyDesk.item(#","body":"\#(long)""#).post?.caption.utf8.count == 1 << 20)
    let many = String(repeating: "![a](https://a.example/1.png)", count: 3000)
    #expect(try await LemmyDesk.item(#","body":"\#(many)""#).post?.attachments.count == 1)
  }
}
