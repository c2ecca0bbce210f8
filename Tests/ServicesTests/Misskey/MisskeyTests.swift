import FoundationEssentials
import HTTP
import Machine
import Posts
import Services
import Testing

/// What notes become.
struct MisskeyTests {
  private func items() async throws -> [PageItem] {
    try await MisskeyDesk(Response(status: 200, body: try fixture("page.json", of: .misskey))).page().items
  }

  @Test func `a note of the server keeps its facts`() async throws {
    let item = try #require(try await items().first)
    let post = try #require(item.post)
    #expect((item.id, post.remoteID) == ("9zc3k0a0b3", "9zc3k0a0b3"))
    #expect(post.uri == "https://birds.example/notes/9zc3k0a0b3")
    #expect(post.url == post.uri)
    #expect(post.createdAt == UTC.date("2026-11-20T09:00:00Z"))
    #expect(post.editedAt == UTC.date("2026-11-20T09:05:00Z"))
    #expect(post.caption == "Morning walk with #Cats & friends\nsee the map")
    #expect((post.warning, post.sensitive, post.visibility) == ("whiskers", true, .unlisted))
    #expect(post.tags == ["cats", "snow"])
    let author = try #require(post.author)
    #expect((author.uri, author.handle) == ("https://birds.example/users/8aa1", "Birds@birds.example"))
    #expect((author.name, author.url) == ("Birds :robin:", "https://birds.example/@Birds"))
    #expect(post.attachments.map(\.kind) == [.image, .video])
    let picture = post.attachments[0]
    #expect((picture.url, picture.alternateURL) == ("https://files.birds.example/9zf1.jpg", nil))
    #expect((picture.alt, picture.width, picture.height) == ("A cat in the snow", 1200, 800))
    #expect((picture.name, picture.byteCount, picture.remoteID) == ("cat.jpg", 81234, "9zf1"))
    #expect(picture.blurhash == "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH")
    #expect(picture.previewURL == "https://files.birds.example/thumbnail-9zf1.webp")
  }

  @Test func `a note of another server has the identity that it has there, and its pictures' originals`() async throws {
    let item = try await items()[1]
    let post = try #require(item.post)
    #expect(post.uri == "https://far.example/users/ann/statuses/77")
    #expect(post.url == "https://far.example/@ann/77")
    #expect((post.author?.handle, post.author?.name) == ("ann@far.example", "ann"))
    #expect(post.author?.url == "https://birds.example/@ann@far.example")
    #expect(post.caption == "Which one? #cats\n\n○ The red one\n○ Both")
    #expect((post.sensitive, post.visibility, post.editedAt) == (false, .public, nil))
    #expect(post.attachments.map(\.url) == ["https://far.example/media/far.png"])
    #expect(post.attachments[0].alternateURL?.hasPrefix("https://birds.example/proxy/image.webp?") == true)
  }

  @Test func `a quoted note is a post of its own, a boosted one is the post with who repeated it`() async throws {
    let items = try await items()
    #expect(items[1].quoted?.uri == "https://birds.example/notes/9z99k0a0b1")
    #expect(items[1].quoted?.post?.caption == "Two cats")
    #expect(items[1].repetition == nil)
    let boosted = items[2]
    #expect((boosted.id, boosted.post?.remoteID) == ("9za1k0a0b0", "9z77k0a0b7"))
    #expect(boosted.post?.uri == "https://far.example/notes/9z77")
    #expect(
      (boosted.post?.author?.handle, boosted.repetition?.by.handle) == ("cleo@far.example", "Birds@birds.example"))
    #expect(boosted.post?.visibility == .unlisted)
    #expect(boosted.quoted == nil)
  }

  @Test func `what gallery-dl writes of a note is the note, with the files that it fetched`() throws {
    let note =
      #""id":"9z1","createdAt":"2026-11-20T09:00:00.000Z","user":{"id":"8a","username":"ann","host":null},"#
      + #""visibility":"followers","tags":["cats"],"category":"birds","instance":"birds.example""#
    func file(_ id: String) -> [UInt8] {
      Array(
        #"{\#(note),"text":"two","fileIds":["f1","f2"],"num":1,"file":{"id":"\#(id)","type":"image/png","url":"https://files.example/\#(id).png"}}"#
          .utf8)
    }
    let post = try #require(
      Catalogue.fetchedPost([file("f1"), file("f2")], from: [nil, nil], changed: .distantPast).post)
    #expect((post.source, post.uri) == (.mastodon, "https://birds.example/notes/9z1"))
    #expect((post.caption, post.visibility, post.tags) == ("two", .followers, ["cats"]))
    #expect(post.attachments.map(\.url) == ["https://files.example/f1.png", "https://files.example/f2.png"])
    // A note of files alone that quotes another one is no boost, though they stand beside it.
    let quoting = #"{\#(note),"fileIds":["f1"],"renoteId":"9y","renote":{\#(note),"text":"theirs"}}"#
    #expect(Catalogue.downloadedPost([Array(quoting.utf8)]).post?.caption == "")
    let boost = #"{\#(note),"fileIds":[],"renoteId":"9y","renote":{\#(note),"text":"theirs"}}"#
    #expect(Catalogue.downloadedPost([Array(boost.utf8)]).post?.caption == "theirs")
  }

  @Test(arguments: [
    #","text":"mine""#, #","cw":"""#, #","files":[{"id":"1","url":"https://a.example/1.png"}]"#,
    #","poll":{"choices":[{"text":"a"}]}"#, #","replyId":"9z0""#,
  ])
  func `a note that has something of its own is no boost`(own: String) async throws {
    let renote = #"{"id":"9y1","createdAt":"2026-11-19T09:00:00.000Z","text":"theirs"}"#
    let item = try await MisskeyDesk.item(#","renoteId":"9y1","renote":\#(renote)\#(own)"#)
    #expect(item.post?.remoteID == "9z1")
    #expect(item.repetition == nil && item.quoted?.post?.remoteID == "9y1")
  }

  @Test(arguments: [
    #","text":null,"cw":null,"files":[],"isHidden":true"#, #","renoteId":"9y1""#,
    #","renoteId":"9y1","renote":{"id":"9y1","createdAt":"2026-11-19T09:00:00.000Z","isHidden":true}"#,
  ])
  func `a note without its text is no post, so what is stored of it stays`(fields: String) async throws {
    let item = try await MisskeyDesk.item(fields)
    #expect(item.post == nil && item.id == "9z1")
  }

  @Test(
    arguments: [
      ("", nil), (#","visibility":"public""#, .public), (#","visibility":"home""#, .unlisted),
      (#","visibility":"followers""#, .followers), (#","visibility":"specified""#, .direct),
      (#","visibility":"unheard-of""#, .direct), (#","visibility":7"#, .direct),
      (#","visibility":"public","localOnly":true"#, .local),
      (#","visibility":"followers","localOnly":true"#, .followers),
    ] as [(String, Visibility?)])
  func `who may see it is known, also from the stored answer`(fields: String, visibility: Visibility?) async throws {
    let item = try await MisskeyDesk.item(fields)
    #expect(item.post?.visibility == visibility)
    #expect(Catalogue.visibility(of: .mastodon, answer: item.raw, addresses: []) == visibility)
  }

  @Test func `a warning without words hides the files, too`() async throws {
    let post = try await MisskeyDesk.item(#","cw":"""#).post
    #expect((post?.warning, post?.sensitive) == ("", true))
    #expect(try await MisskeyDesk.item("").post?.sensitive == false)
    #expect(try await MisskeyDesk.item(#","files":[{"isSensitive":true}]"#).post?.sensitive == true)
  }

  @Test func `wrong types and huge values cost themselves alone`() async throws {
    let deep = String(repeating: #"{"renote":"#, count: 60) + "1" + String(repeating: "}", count: 60)
    for fields in [
      #","text":[],"cw":{},"tags":"x","files":{},"user":[],"poll":7,"updatedAt":{},"visibility":null"#,
      #","files":[null,7,{"url":"javascript:x","properties":[],"size":"big"}],"tags":[1,null,"a b","cats"]"#,
      #","text":"x","renote":\#(deep)"#, #","user":{"username":"a@b"},"uri":"no-scheme","url":"ftp://x""#,
      #","files":[{"url":"https://a.example/1.png","properties":{"width":-5,"height":1e99},"blurhash":"x"}]"#,
    ] {
      let post = try #require(try await MisskeyDesk.item(fields).post, "\(fields)")
      #expect(post.uri == "https://birds.example/notes/9z1")
      #expect(post.attachments.allSatisfy { $0.width == nil && $0.height == nil && $0.blurhash == nil })
    }
    #expect(try await MisskeyDesk.item(#","files":7"#).post?.listsAttachments == false)
    #expect(try await MisskeyDesk.item(#","tags":["a b","Cats"]"#).post?.tags == ["cats"])
    let long = String(repeating: "x", count: 1_500_000)
    #expect(try await MisskeyDesk.item(#","text":"\#(long)""#).post?.caption.utf8.count == 1 << 20)
  }
}
