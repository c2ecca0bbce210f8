import HTTP
import Posts
import Services
import Testing

/// Pages that are to cost memory and time: each is refused, or costs as much as a page of posts.
@Suite(.ceiling) struct HostilePageTests {
  private let server = Server("birds.example")!

  private func items(_ body: String) async throws -> [PageItem] {
    let source = MastodonSource(
      server: server,
      token: nil,
      transport: Answering(200, Array(body.utf8)).transport,
      time: .fixed(at: "2026-11-21T10:00:00Z")
    )
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
    return try await source.page(of: feed, after: nil, size: nil).items
  }

  private func status(_ id: Int, _ more: String = "") -> String {
    #"{"id":"\#(id)","uri":"https://a.example/\#(id)","created_at":"2026-11-20T09:00:00Z"\#(more)}"#
  }

  private func list(_ element: String, _ count: Int) -> String {
    "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
  }

  @Test func `a page of more than a thousand elements is refused, however many millions they are`() async throws {
    let reason = "it holds more than 1000 posts where 40 were asked for"
    for count in [1001, 4_000_000] {
      let body = list("1", count)
      let start = ContinuousClock.now
      await #expect(throws: SourceError.unreadable(server, reason: reason)) { try await items(body) }
      #expect(ContinuousClock.now - start < .seconds(2))
    }
    #expect(try await items(list("1", 1000)).count == 1000)
  }

  @Test func `half an emoji costs itself, not the text that it ends`() async throws {
    for (said, caption) in [
      (#"a long text \ud83d"#, "a long text \u{FFFD}"), (#"\uDE00 behind"#, "\u{FFFD} behind"),
      (#"\ud83d\ude00 whole"#, "😀 whole"), (#"\ud83d\ud83d\uDE00"#, "\u{FFFD}😀"), (#"C:\\ud83d"#, #"C:\ud83d"#),
      (#"\\\ud83d\n"#, "\\\u{FFFD}"), (#"\ud83d\"x"#, "\u{FFFD}\"x"),
    ] {
      let item = try await items("[\(status(1, #","content":"\#(said)""#))]")[0]
      #expect(item.post?.caption == caption, "\(said)")
      #expect(String(decoding: item.raw, as: UTF8.self).contains(said))
    }
  }

  @Test func `a token that the server repeats is not kept, and leads nowhere`() async throws {
    let token = Secret("hush-hush-hush-hush")
    let files = #"[{"id":"7","type":"image","url":"https://a.example/7.jpg?t=hush-hush-hush-hush"}]"#
    let body = "[\(status(1, #","content":"hush-hush-hush-hush","media_attachments":\#(files)"#))]"
    for link in ["1", "hush-hush-hush-hush"] {
      let source = MastodonSource(
        server: server, token: token,
        transport: Answering(
          200, Array(body.utf8), headers: ["Link": "<https://birds.example/x?max_id=\(link)>; rel=\"next\""]
        ).transport, time: .fixed(at: "2026-11-21T10:00:00Z"))
      let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
      let page = try await source.page(of: feed, after: nil, size: nil)
      let post = try #require(page.items[0].post)
      #expect(!String(decoding: page.items[0].raw, as: UTF8.self).contains("hush"))
      #expect(!post.caption.contains("hush"))
      #expect(post.attachments[0].url?.contains("hush") != true)
      let isRefused = page.next == .refused(reason: "its next page cannot be named")
      #expect(isRefused == (link != "1"))
    }
  }

  @Test func `a status that does not list its attachments does not say that there are none`() async throws {
    for (said, isListed) in [
      ("", false), (#","media_attachments":null"#, false), (#","media_attachments":"oops""#, false),
      (#","media_attachments":[]"#, true),
    ] {
      #expect(try await items("[\(status(1, said))]")[0].post?.listsAttachments == isListed, "\(said)")
    }
  }

  @Test func `an element beyond two megabytes is not read, its neighbours are`() async throws {
    let large = status(1, #","content":"\#(String(repeating: "x", count: 2 << 20))""#)
    let items = try await items("[\(large),\(status(2))]")
    guard case .unreadable(let reason) = items[0].content else {
      Issue.record("it was read")
      return
    }
    #expect(reason == "it is longer than 2097152 bytes")
    #expect(items[0].raw.count == large.utf8.count)
    #expect(items[1].post?.remoteID == "2")
  }

  @Test func `of lists within a post the first thousand attachments and tags are read`() async throws {
    let tags = (0..<1500).map { #"{"name":"tag\#($0)"}"# }.joined(separator: ",")
    let files = list(#"{"id":"7","type":"image","url":"https://a.example/7.jpg"}"#, 1500)
    let post = try await items("[\(status(1, #","tags":[\#(tags)],"media_attachments":\#(files)"#))]")[0].post
    #expect(post?.tags.count == 1000)
    #expect(post?.tags.last == "tag999")
    #expect(post?.attachments.count == 1000)
  }

  @Test func `elements that are not posts count as read, and cost their neighbours nothing`() async throws {
    let files = #"[null,7,[],{"id":"7","type":"image","url":"https://a.example/7.jpg"},"x"]"#
    let post = try await items("[\(status(1, #","media_attachments":\#(files)"#))]")[0].post
    #expect(post?.attachments.map(\.remoteID) == ["7"])
    let far = "[" + String(repeating: "7,", count: 1000) + #"{"id":"7","type":"image"}]"#
    #expect(try await items("[\(status(1, #","media_attachments":\#(far)"#))]")[0].post?.attachments == [])
  }

  @Test func `a page is not read on when its pull is stopped`() async throws {
    let body = list(status(1), 1000)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await items(body)
    }
    await #expect(throws: SourceError.cancelled) { try await task.value }
  }
}
