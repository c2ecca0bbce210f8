import HTTP
import Posts
import Services
import Testing

/// What Flickr is asked, how its pages are followed, and what its refusals mean.
struct FlickrRequestTests {
  private let server = Server("birds.example")!
  private let none = FlickrDesk.photos([])

  @Test func `feeds are searches at the host of the API, with the key in its field`() async throws {
    let desk = FlickrDesk(FlickrDesk.photos([]), at: "flickr.com", token: Secret("k3y"))
    _ = try await desk.page(.tag, "Red Panda", after: Cursor("12,13?1795165201"), size: 1000)
    let request = try #require(desk.answering.requests.first)
    #expect(
      request.url.hasPrefix(
        "https://api.flickr.com/services/rest/?method=flickr.photos.search&format=json&nojsoncallback=1&"))
    #expect((request.token, request.tokenPlacement) == (Secret("k3y"), .query(fields: ["api_key"])))
    _ = try await desk.page(.tag, "cats,-dogs")
    _ = try await desk.page(.tag, "dc:title=cats")
    _ = try await desk.page(.search, "red panda", size: 0)
    #expect(desk.asked("tags") == ["red panda", "cats,-dogs"] && desk.asked("tag_mode") == ["all", "all"])
    #expect(desk.asked("machine_tags") == ["dc:title=cats"] && desk.asked("text") == ["red panda"])
    #expect(desk.asked("sort").allSatisfy { $0 == "date-posted-desc" })
    #expect(desk.asked("per_page") == ["500", "500", "500", "1"] && desk.asked("max_upload_date") == ["1795165201"])
    #expect(desk.asked("extras").allSatisfy { $0.contains("url_o,url_6k,") && $0.contains("license,date_upload") })
  }

  @Test func `a user is named by id, by the name in addresses, or by screen name`() async throws {
    let found = Response(#"{"user":{"id":"7@N00","username":{"_content":"Birds"}},"stat":"ok"}"#)
    let desk = FlickrDesk(none, found, none, none, FlickrDesk.failure(1, "User not found"), found, none)
    _ = try await desk.page(.user, "12037949754@N01")
    _ = try await desk.page(.user, "birds")
    _ = try await desk.page(.user, "birds")
    _ = try await desk.page(.user, "sea-birds")
    #expect(desk.asked("user_id") == ["12037949754@N01", "7@N00", "7@N00", "7@N00"])
    #expect(desk.asked("url") == ["https://birds.example/photos/birds", "https://birds.example/photos/sea-birds"])
    #expect(desk.asked("username") == ["sea-birds"])
    let missing = FlickrDesk(FlickrDesk.failure(1), FlickrDesk.failure(1))
    await #expect(throws: SourceError.notFound(server, what: "user birds")) { try await missing.page(.user, "birds") }
    let odd = FlickrDesk(Response(#"{"user":{"id":"../x"},"stat":"ok"}"#))
    await #expect(throws: SourceError.unreadable(server, reason: "it does not say which account birds is")) {
      try await odd.page(.user, "birds")
    }
  }

  @Test func `a group is named by id or by the name in its address, and is never read whole`() async throws {
    let found = Response(#"{"group":{"id":"9@N25","groupname":{"_content":"Birds"}},"stat":"ok"}"#)
    let desk = FlickrDesk(none, found, none, none)
    #expect(try await desk.page(.user, "!41@N25").next == .horizon)
    _ = try await desk.page(.user, "!birds of prey")
    _ = try await desk.page(.user, "!birds of prey")
    #expect(desk.asked("group_id") == ["41@N25", "9@N25", "9@N25"] && desk.asked("user_id") == [])
    #expect(desk.asked("url") == ["https://birds.example/groups/birds%20of%20prey/"])
    let missing = FlickrDesk(FlickrDesk.failure(1, "Group not found"))
    await #expect(throws: SourceError.notFound(server, what: "group !birds")) {
      try await missing.page(.user, "!birds")
    }
    let closed = FlickrDesk(FlickrDesk.failure(2, "Unknown group"), token: Secret("k3y"))
    await #expect(throws: SourceError.notFound(server, what: "group !9@n25")) { try await closed.page(.user, "!9@N25") }
    for address in ["https://www.flickr.com/groups/birds/", "https://www.flickr.com/groups/birds/pool/"] {
      #expect(
        Catalogue.feed(at: address)
          == Feed(source: .flickr, kind: .user, value: "!birds", server: Server("flickr.com")!))
    }
  }

  @Test func `photos of one second are not lost where a page ends among them, and come once`() async throws {
    let desk = FlickrDesk(
      FlickrDesk.photos([(9, 900), (8, 800), (7, 800)], pages: 9),
      FlickrDesk.photos([(8, 800), (7, 800), (6, 800)], pages: 9),
      FlickrDesk.photos([(8, 800), (7, 800), (6, 800), (5, 800)], pages: 2),
      FlickrDesk.photos([(4, 800)], pages: 2), FlickrDesk.photos([(3, 700), (2, 600)]), FlickrDesk.photos([(2, 600)]),
      none)
    var ids: [String?] = []
    var next = Next.after(Cursor("901"))
    while case .after(let cursor) = next {
      let page = try await desk.page(after: cursor, size: 3)
      ids += page.items.map(\.id)
      next = page.next
    }
    #expect(ids == ["9", "8", "7", "6", "5", "4", "3", "2"])
    #expect(next == .end)
    #expect(desk.asked("max_upload_date") == ["901", "800", "800", "800", "799", "600", "599"])
    // A second that fills a page is asked for by itself, in pages of one size.
    #expect(desk.asked("min_upload_date") == ["800", "800"] && desk.asked("page") == ["1", "2"])
    #expect(desk.asked("per_page") == ["3", "3", "500", "500", "3", "3", "3"])
  }

  @Test func `no more photos of a second are asked for than a query shows`() async throws {
    let desk = FlickrDesk(FlickrDesk.photos([(8, 800)], pages: .max))
    var next = Next.after(Cursor("p1?800"))
    while case .after(let cursor) = next, cursor.value.hasSuffix("?800") {
      next = try await desk.page(after: cursor).next
    }
    #expect(desk.asked("page") == (1...8).map(String.init))
    #expect(next == .after(Cursor("799")))
  }

  @Test func `a page above its second is aside, and none but what is said to be there is no end`() async throws {
    let page = try await FlickrDesk(FlickrDesk.photos([(9, 900), (8, 800)])).page(after: Cursor("850"))
    #expect(page.next == .astray(reason: "its pages do not move on") && page.items.isEmpty && page.aside.count == 2)
    let other = try await FlickrDesk(FlickrDesk.photos([(9, 700)])).page(after: Cursor("p2?800"))
    #expect(other.next == .astray(reason: "its pages do not move on"))
    let blind = try await FlickrDesk(FlickrDesk.answer(#"{"id":"9"},7"#)).page()
    #expect(blind.next == .refused(reason: "its next page cannot be named") && blind.items.count == 2)
    #expect(try await FlickrDesk(FlickrDesk.photos([], total: 70)).page(after: Cursor("850")).next == .horizon)
    #expect(try await FlickrDesk(FlickrDesk.photos([(9, 0)])).page().next == .horizon)
    #expect(try await FlickrDesk(FlickrDesk.photos([(9, 1)])).page(after: Cursor("1")).next == .horizon)
    for cursor in ["x", "0", "p0?0", "1?y"] {
      await #expect(throws: SourceError.self) { try await FlickrDesk(none).page(after: Cursor(cursor)) }
    }
  }

  @Test func `each refusal is reported with its cause, whatever its status`() async throws {
    let key = Secret("a-key-of-the-app-1234")
    let cases: [(Response, Secret?, SourceError)] = [
      (FlickrDesk.failure(100), nil, .needsLogin(server)), (FlickrDesk.failure(100), key, .tokenRefused(server)),
      (FlickrDesk.failure(98), key, .tokenRefused(server)), (FlickrDesk.failure(96), key, .tokenRefused(server)),
      (FlickrDesk.failure(99, "Insufficient permissions"), key, .forbidden(server, reason: "Insufficient permissions")),
      (FlickrDesk.failure(99), nil, .needsLogin(server)),
      (FlickrDesk.failure(2, "Unknown user"), key, .notFound(server, what: "tag cats")),
      (FlickrDesk.failure(105), key, .serverFailed(server, status: 503)),
      (FlickrDesk.failure(10), key, .serverFailed(server, status: 503)),
      (FlickrDesk.failure(18, "Illogical"), key, .unreadable(server, reason: "it says: Illogical")),
      (
        FlickrDesk.failure(3, "for a-key-of-the-app-1234"), key, .unreadable(server, reason: "it says: no reason given")
      ), (Response(status: 503), key, .serverFailed(server, status: 503)),
    ]
    for (answer, key, expected) in cases {
      await #expect(throws: expected, "\(answer.text)") { try await FlickrDesk(answer, token: key).page() }
    }
  }

  private static let sizes = """
    {"sizes":{"size":[
      {"label":"Medium 640","width":640,"height":"360","source":"https://live.example/1_z.jpg","media":"photo"},
      {"label":"Video Player","width":"9999","height":"9999","source":"https://www.example/v.swf","media":"video"},
      {"label":"Site MP4","width":"640","height":"360","source":"https://www.example/play/site/x/","media":"video"},
      {"label":"HD MP4","width":"1280","height":"720","source":"https://www.example/play/hd/x/","media":"video"},
      {"label":"720p","width":"9","height":"9","source":"ftp://www.example/","media":"video"}]},"stat":"ok"}
    """

  @Test func `the file of a video is asked for by itself, and one that is not shown stays open`() async throws {
    let videos = FlickrDesk.answer(
      [12, 13].map {
        #"{"id":"\#($0)","owner":"1@N00","dateupload":"9","media":"video","url_z":"https://live.example/1_z.jpg"}"#
      }
      .joined(separator: ","))
    let desk = FlickrDesk(videos, Response(Self.sizes), FlickrDesk.failure(2, "Permission denied"))
    let posts = try await desk.page().items.compactMap(\.post)
    #expect(posts.map { $0.attachments.map(\.kind) } == [[.video], [.video]])
    #expect(posts.map { $0.attachments.first?.url } == ["https://www.example/play/hd/x/", nil])
    #expect(
      posts.map { $0.attachments.first?.previewURL } == [
        "https://live.example/1_z.jpg", "https://live.example/1_z.jpg",
      ])
    #expect((posts[0].attachments[0].width, posts[0].attachments[0].height) == (1280, 720))
    #expect(desk.asked("photo_id") == ["12", "13"])
    let closed = FlickrDesk(videos, FlickrDesk.failure(98), token: Secret("k3y"))
    await #expect(throws: SourceError.tokenRefused(server)) { try await closed.page() }
  }

  private static let info = #"""
    {"photo":{"id":"1","secret":"s","dateuploaded":"1795165200","license":"4","safety_level":"1","media":"photo",
    "owner":{"nsid":"12345678@N01","username":"Birds","iconserver":"7312","iconfarm":8,"path_alias":"birds-of-the-bay"},
    "title":{"_content":"Morning"},"description":{"_content":"Light"},
    "visibility":{"ispublic":0,"isfriend":0,"isfamily":0},"dates":{"posted":"1795165200","lastupdate":"1795165201"},
    "tags":{"tag":[{"id":"1","raw":"Red Panda","_content":"redpanda"},{"_content":7}]}},"stat":"ok"}
    """#

  @Test func `photos are looked up with their files, and one that Flickr does not find is gone`() async throws {
    let sizes =
      #"{"sizes":{"size":[{"label":"Large","width":1024,"height":"768","source":"https://live.example/1_b.jpg"},{"label":"Original","width":10,"height":9,"source":"https://live.example/1_o.jpg"}]},"stat":"ok"}"#
    let desk = FlickrDesk(
      Response(Self.info), Response(sizes), FlickrDesk.failure(1, "Photo not found"), FlickrDesk.failure(99),
      token: Secret("k3y"))
    let looked = try await desk.source.lookUp(["1", "2", "3", "../5", "x"])
    #expect(looked.shown.map(\.id) == ["1"] && looked.gone == ["2"])
    #expect(desk.asked("photo_id") == ["1", "1", "2", "3"])
    let item = try #require(looked.shown.first)
    let post = try #require(item.post)
    #expect((post.title, post.caption, post.tags) == ("Morning", "Light", ["redpanda"]))
    #expect((post.sensitive, post.visibility, post.author?.name) == (true, .direct, "Birds"))
    #expect(post.uri == "https://birds.example/photos/12345678@N01/1")
    #expect(post.url == "https://birds.example/photos/birds-of-the-bay/1")
    #expect(post.attachments.map(\.url) == ["https://live.example/1_o.jpg"] && post.listsAttachments)
    #expect(Catalogue.visibility(of: .flickr, answer: item.raw, addresses: []) == .direct)
    // Files that are not shown do not go.
    let hidden = FlickrDesk(Response(Self.info), FlickrDesk.failure(1))
    #expect(try await hidden.source.lookUp(["1"]).shown.first?.post?.listsAttachments == false)
    for sizes in [FlickrDesk.failure(1), Response("<html>")] {
      let film = FlickrDesk(Response(Self.info.replacing(#""media":"photo""#, with: #""media":"video""#)), sizes)
      let post = try #require(try await film.source.lookUp(["1"]).shown.first?.post)
      #expect(post.attachments.first?.kind == .video && !post.listsAttachments)
    }
    let web = FlickrDesk(Response("<html>"))
    await #expect(throws: SourceError.unreadable(server, reason: "it is not a photo")) {
      try await web.source.lookUp(["1"])
    }
    await #expect(throws: SourceError.needsLogin(server)) {
      try await FlickrDesk(FlickrDesk.failure(100)).source.lookUp(["1"])
    }
  }
}
