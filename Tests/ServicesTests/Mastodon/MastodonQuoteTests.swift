import HTTP
import Posts
import Services
import Testing

/// What statuses quote, and the polls below them.
struct MastodonQuoteTests {
  private static let quoted =
    #"{"id":"7","uri":"https://birds.example/users/ada/statuses/7","url":"https://birds.example/@ada/7","#
    + #""created_at":"2026-11-20T09:00:00Z","content":"<p>Snow</p>","account":{"acct":"ada"},"#
    + #""quote":{"state":"accepted","quoted_status":null}}"#

  private func item(_ more: String) async throws -> PageItem {
    let status = #""id":"9","uri":"https://cats.example/9","created_at":"2026-11-21T09:00:00Z","content":"Look""#
    let body = "[{\(status)\(more)}]"
    let source = MastodonSource(
      server: Dialect.server, token: nil, transport: Answering(200, Array(body.utf8)).transport,
      time: .fixed(at: "2026-11-21T10:00:00Z"))
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: Dialect.server)
    return try #require(try await source.page(of: feed, after: nil, size: nil).items.first)
  }

  @Test(arguments: [
    #","quote":{"state":"accepted","quoted_status":\#(quoted)}"#, #","quote":\#(quoted),"quote_id":"7""#,
    #","pleroma":{"quote":\#(quoted),"quote_url":"https://birds.example/users/ada/statuses/7"}"#,
    #","quote":null,"pleroma":{"quote":\#(quoted)}"#, #","quote":{"quoted_status":\#(quoted)}"#,
  ])
  func `a quoted status is a post of its own, however servers show it`(members: String) async throws {
    let item = try await item(members)
    let quoted = try #require(item.quoted)
    #expect(item.post?.caption == "Look")
    #expect(quoted.uri == "https://birds.example/users/ada/statuses/7")
    #expect(quoted.url == "https://birds.example/@ada/7")
    #expect(quoted.post?.caption == "Snow")
    #expect(quoted.post?.author?.handle == "ada@birds.example")
    #expect(String(decoding: quoted.slice, as: UTF8.self) == Self.quoted)
  }

  @Test func `a quotation that the server only names is kept by its address`() async throws {
    let item = try await item(#","pleroma":{"quote_url":"https://birds.example/notes/7","quote":null}"#)
    #expect((item.quoted?.uri, item.quoted?.post == nil) == ("https://birds.example/notes/7", true))
  }

  @Test(arguments: [
    "", #","quote":null"#, #","quote":7"#, #","quote":{"state":"accepted","quoted_status_id":"7"}"#,
    #","quote":{"state":"revoked","quoted_status":null}"#, #","quote":{"state":"pending","quoted_status":\#(quoted)}"#,
    #","quote":{}"#, #","pleroma":{"quote_url":"javascript:1"}"#,
  ])
  func `a hidden or unnamed post is not a quotation`(members: String) async throws {
    let item = try await item(members)
    #expect(item.post != nil)
    #expect(item.quoted == nil)
  }

  @Test func `of a repeated status the quotation counts, and none of the quoted one's`() async throws {
    let inner = #"{"uri":"https://cats.example/8","created_at":"2026-11-21T08:00:00Z","quote":\#(Self.quoted)}"#
    let item = try await item(#","account":{"acct":"me"},"reblog":\#(inner)"#)
    #expect(item.post?.uri == "https://cats.example/8")
    #expect(item.quoted?.post?.caption == "Snow")
  }

  @Test func `the answers that a poll offers stand below the text, and votes are not among them`() async throws {
    let polls = [3, 4].map {
      #","poll":{"id":"1","votes_count":\#($0),"options":[{"title":"Yes\n","votes_count":\#($0)},{"title":"No"},{},7]}"#
    }
    let captions = try await [item(polls[0]), item(polls[1])].map { $0.post?.caption }
    #expect(captions == ["Look\n\n○ Yes\n○ No", "Look\n\n○ Yes\n○ No"])
    #expect(try await item(#","poll":{"options":[]}"#).post?.caption == "Look")
    #expect(try await item(#","poll":[]"#).post?.caption == "Look")
  }

  @Test func `spaces and tabs in a status stay as they were typed`() async throws {
    let item = try await item(#","content":"<p>a  b<br />\t c</p>""#)
    #expect(item.post?.caption == "a  b\n\t c")
  }

  @Test func `the link that stands for a quotation is left out where the quotation is kept`() async throws {
    let content =
      #","content":"<p class=\"quote-inline\">RE: <a href=\"https://birds.example/@ada/7\">birds.example/@ada/7</a></p><p>Look</p>""#
    let item = try await item("\(content),\"quote\":\(Self.quoted)")
    #expect(item.post?.caption == "Look" && item.post?.captionHTML?.contains("RE: ") == true && item.quoted != nil)
    let bare = try await self.item(content)
    #expect(bare.post?.caption == "RE: birds.example/@ada/7\n\nLook" && bare.quoted == nil)
  }

  @Test func `a script that somebody typed at snac stays text, though snac does not escape it`() async throws {
    // snac's API shows a note as its own formatting left it: line ends are tags, tags are what was typed.
    let item = try await item(#","content":"try this:<br><script>alert(1)</script><br>or <b>not</b>""#)
    #expect(item.post?.caption == "try this:\n<script>alert(1)</script>\nor not")
  }
}
