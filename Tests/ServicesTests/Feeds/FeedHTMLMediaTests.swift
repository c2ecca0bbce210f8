import Posts
import Testing

@testable import Services

/// Pictures, films and sounds in the texts of items.
struct FeedHTMLMediaTests {
  private func attachments(_ html: String, _ more: String = "") async throws -> [Posts.Attachment] {
    let text = "<link>https://birds.example/posts/1</link><description><![CDATA[\(html)]]></description>\(more)"
    return try await FeedDesk.rss("<guid>a</guid>\(text)")[0].attachments
  }

  @Test(arguments: [
    (#"<video src="/a.mp4" poster="/a.jpg"></video>"#, Posts.Attachment.Kind.video, "a.mp4", "a.jpg" as String?),
    (
      #"<video controls><source src="a.webm" type="video/webm"><source src="/a.mp4"></video>"#, .video, "posts/a.webm",
      nil
    ),
    (#"<audio><source src="/a"></audio>"#, .audio, "a", nil),
  ])
  func `films and sounds are attachments, with their stills`(
    html: String, kind: Posts.Attachment.Kind, path: String, still: String?
  ) async throws {
    let expected = Posts.Attachment(
      kind: kind, url: "https://birds.example/\(path)", previewURL: still.map { "https://birds.example/\($0)" })
    #expect(try await attachments(html) == [expected])
  }

  @Test func `addresses in XHTML start at the base of their own element`() async throws {
    let content = """
      <div xmlns="http://www.w3.org/1999/xhtml"><img src="a.jpg"/>
      <p xml:base="two/"><img src="b.jpg" srcset="b.jpg 100w, c.jpg 200w"/><a href="x">x</a>
      <b xml:base="//other.example/"><img src="d.jpg"/></b></p><img src="/e.jpg"/></div>
      """
    let posts = try await FeedDesk.posts(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://birds.example/one/\"><entry><id>a</id>"
        + "<content type=\"xhtml\">\(content)</content></entry></feed>")
    #expect(
      posts[0].attachments.map(\.url)
        == [
          "birds.example/one/a.jpg", "birds.example/one/two/c.jpg", "other.example/d.jpg",
          "birds.example/e.jpg",
        ].map { "https://\($0)" })
    #expect(posts[0].captionHTML?.contains("<a href=\"https://birds.example/one/two/x\">") == true)
    #expect(posts[0].captionHTML?.contains("<img src=\"/e.jpg\">") == true)
  }

  @Test func `a film without an address is none, and sources of pictures are not films`() async throws {
    let html =
      #"<video></video><picture><source srcset="/a.webp" type="image/webp"><img src="/a.jpg"></picture>"#
      + #"<video poster="/b.jpg"></video><img src="/c.jpg"><source src="">"#
    #expect(try await attachments(html).map(\.url) == ["https://birds.example/a.jpg", "https://birds.example/c.jpg"])
  }

  @Test(arguments: [
    (#"<img src="/blank.gif" data-src="/a.jpg">"#, "a.jpg", nil as String?),
    (#"<img src="data:image/gif;base64,R0lGOD" data-original="/a.jpg">"#, "a.jpg", nil),
    (#"<img src="/blank.gif" data-lazy-srcset="/s.jpg 300w, /l.jpg 1200w">"#, "l.jpg", nil),
    (#"<img src="/blank.gif" data-src="/m.jpg" data-srcset="/s.jpg 300w, /l.jpg 1200w">"#, "l.jpg", "m.jpg"),
    (#"<img srcset="/a.jpg 1x, /b.jpg 2x">"#, "b.jpg", nil), (#"<img srcset="/a.jpg">"#, "a.jpg", nil),
    (
      #"<img src="/s.jpg" srcset="/w_9,c_fill/s.jpg 300w,/w_99,c_fill/l.jpg 1200w, /m.jpg 600w">"#, "w_99,c_fill/l.jpg",
      "s.jpg"
    ),
    (#"<img src="/s.jpg" srcset=" , /l.jpg, ">"#, "l.jpg", "s.jpg"),
    (#"<img src="/s.jpg" srcset=",,, 3w">"#, "posts/3w", "s.jpg"),
    (#"<img src="/m.jpg" srcset="/l.jpg 1024w" data-orig-file="/o.jpg">"#, "o.jpg", "m.jpg"),
    (#"<img src="/a.jpg" data-src="">"#, "a.jpg", nil),
  ])
  func `the largest size of a picture is taken, never the placeholder of one that is loaded late`(
    html: String, path: String, other: String?
  ) async throws {
    let found = try await attachments(html)
    #expect(found.map(\.url) == ["https://birds.example/\(path)"])
    #expect(found.map(\.alternateURL) == [other.map { "https://birds.example/\($0)" }])
  }

  @Test(arguments: [
    #"<itunes:image href="/cover.jpg"/>"#, "<image><url>https://birds.example/cover.jpg</url></image>",
    "<image>https://birds.example/cover.jpg</image>",
    #"<media:content><media:player url="/x"/><media:thumbnail url="/cover.jpg"/></media:content>"#,
  ])
  func `the cover of an item is its picture if it has no other`(cover: String) async throws {
    #expect(try await attachments("Hello", cover).map(\.url) == ["https://birds.example/cover.jpg"])
    #expect(try await attachments(#"<img src="/a.jpg">"#, cover).map(\.url) == ["https://birds.example/a.jpg"])
  }

  @Test func `an entry of Atom whose content is a picture elsewhere has that picture`() async throws {
    let contents = #"<content type="image/png" src="/a.png"/>"#
    let posts = try await FeedDesk.posts(
      #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>\#(contents)</entry></feed>"#)
    #expect(posts.flatMap(\.attachments).map(\.url) == ["https://birds.example/a.png"])
    let page = contents.replacing("image/png", with: "text/html")
    let others = try await FeedDesk.posts(
      #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>\#(page)</entry></feed>"#)
    #expect(others.map(\.attachments) == [[]])
  }
}
