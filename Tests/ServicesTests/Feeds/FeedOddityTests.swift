import HTTP
import Machine
import Posts
import Testing

@testable import Services

/// What the feeds of real sites do that no format has foreseen.
struct FeedOddityTests {
  @Test(arguments: [
    ("live.staticflickr.com/65535/51_0a1b_m.jpg", "live.staticflickr.com/65535/51_0a1b_b.jpg"),
    ("farm1.static.flickr.com/7/51_0a1b_m.jpg", "farm1.staticflickr.com/7/51_9f9f_o.jpg"),
    ("live.staticflickr.com/65535/51_0a1b.jpg", "live.staticflickr.com/65535/51_0a1b_z.jpg"),
    ("birds.example/robin-300x200.jpg", "birds.example/robin.jpg"),
    ("birds.example/robin-300x200.jpg", "birds.example/robin-1024x683.jpg"),
  ])
  func `two sizes of one picture are one, the larger, with what is said of either`(
    small: String, large: String
  ) async throws {
    let shown = "<description>&lt;img src=\"https://\(small)\" alt=\"A robin\" width=\"240\"&gt;</description>"
    let media =
      "<media:content xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"https://\(large)\" medium=\"image\"/>"
    let other =
      "<description>&lt;img src=\"https://\(large)\"&gt;&lt;img src=\"https://\(small)\" alt=\"A robin\"&gt;"
      + "</description>"
    let enclosed =
      "<enclosure url=\"https://\(small)\" type=\"image/jpeg\"/><description>"
      + "&lt;img src=\"https://\(large)\" alt=\"A robin\"&gt;</description>"
    for item in [shown + media, other, enclosed] {
      let attachments = try await FeedDesk.rss("<guid>a</guid>\(item)")[0].attachments
      #expect(attachments.map(\.url) == ["https://\(large)"])
      #expect(attachments.map(\.alt) == ["A robin"])
      #expect(attachments.map(\.width) == [nil])
      #expect(attachments.map(\.alternateURL) == ["https://\(small)"])
    }
  }

  @Test func `of three sizes the largest is taken, and the next one stands in for it`() async throws {
    let names = ["-300x200", "-150x100", "", "-1024x683"].map { "https://birds.example/robin\($0).jpg" }
    let images = names.map { "&lt;img src=\"\($0)\"&gt;" }.joined()
    let attachments = try await FeedDesk.rss("<guid>a</guid><description>\(images)</description>")[0].attachments
    #expect(attachments.map(\.url) == [names[2]] && attachments.map(\.alternateURL) == [names[3]])
  }

  @Test func `people of one name are distinguished by their mail, which is not stored`() async throws {
    let posts = try await FeedDesk.rss(
      "<guid>1</guid><author>ada@a.example</author>", "<guid>2</guid><author>ada@b.example</author>",
      "<guid>3</guid><author>ada@a.example (ada)</author>", "<guid>4</guid><author>ADA@a.example </author>")
    let authors = posts.compactMap(\.author)
    #expect(authors.map { $0.name.lowercased() } == ["ada", "ada", "ada", "ada"])
    #expect(authors[0].uri != authors[1].uri && authors[0].uri == authors[2].uri && authors[0].uri == authors[3].uri)
    #expect(!"\(authors)".contains("a.example") && !"\(authors)".contains("b.example"))
    let atom = try await FeedDesk.posts(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><author><name>Ada</name><email>ada@a.example</email>
      </author></entry><entry><id>2</id><author><name>Ada</name><email>ada@b.example</email></author></entry>
      <entry><id>3</id><author><email>eve@b.example</email></author></entry></feed>
      """
    ).compactMap(\.author)
    #expect(atom.map(\.name) == ["Ada", "Ada", "eve"] && Set(atom.map(\.uri)).count == 3)
    #expect(!"\(atom)".contains("a.example") && !"\(atom)".contains("@b.example"))
  }

  @Test(arguments: ["<br />\n<b>Warning</b>: no database in line 3<br />\n", "Notice: undefined\n", "&nbsp;<!-- x -->"])
  func `a feed is found below the warnings of the program that made it`(warning: String) async throws {
    let feed = "<?xml version=\"1.0\"?><rss><channel><item><guid>a</guid></item></channel></rss>"
    #expect(try await FeedDesk.posts(warning + feed).count == 1)
    let cut = Response(warning + feed.replacing("</channel></rss>", with: ""))
    #expect(await FeedDesk.refusal(cut) == "it is not a feed")
    let page = Response("<html><body>\(warning)\(feed)</body></html>")
    #expect(await FeedDesk.refusal(page) == "it is a web page")
  }

  @Test(arguments: [
    ("one<br>two <img src=\"/a.jpg\" title=\"a > b\"> three", "one\ntwo three", 1), ("<b><i>x</b></i> y", "x y", 0),
    ("<p>a<p>b <br/>c", "a\n\nb\nc", 0), ("<![CDATA[<b>]]></u> <img src='/a.jpg'><hr>z", "z", 1),
    ("<p>well-formed <img src=\"/a.jpg\"/></p>", "well-formed", 1),
  ])
  func `HTML that its author forgot to escape and to close is read`(
    html: String, caption: String, pictures: Int
  ) async throws {
    let posts = try await FeedDesk.rss(
      "<title>x</title><guid>a</guid><description>\(html)</description></content><pubDate>20 Nov 2020</pubDate>",
      "<guid>b</guid>")
    #expect(posts.map(\.uri) == ["a", "b"].map { "feed://birds.example/feed#\($0)" })
    #expect(posts[0].caption.hasSuffix(caption))
    #expect(posts[0].attachments.count == pictures)
    #expect(UTC.text(posts[0].createdAt) == "2020-11-20T00:00:00.000Z")
  }

  @Test func `a date in an element that a program wrote small is read`() async throws {
    let posts = try await FeedDesk.rss("<guid>a</guid><pubdate>20 Nov 2020 09:00:00 GMT</pubdate>")
    #expect(posts.map { UTC.text($0.createdAt) } == ["2020-11-20T09:00:00.000Z"])
  }

  @Test func `pictures with other numbers, or elsewhere, are others`() async throws {
    let images = [
      "https://live.staticflickr.com/65535/51_0a1b_m.jpg", "https://live.staticflickr.com/65535/52_0a1b_m.jpg",
      "https://birds.example/51_0a1b_m.jpg", "https://birds.example/51_0a1b_b.jpg",
      "https://notstaticflickr.com/51_0a1b_b.jpg",
    ]
    let text = images.map { "&lt;img src=\"\($0)\"&gt;" }.joined()
    #expect(try await FeedDesk.rss("<description>\(text)</description>")[0].attachments.map(\.url) == images)
  }

  @Test func `an item whose date cannot be read stands with those around it, not with what is new`() async throws {
    let dates = ["20 Nov 2020 09:00:00 GMT", "the day after", "18 Nov 2020 09:00:00 GMT"]
    let items = dates.enumerated().map { "<item><guid>\($0)</guid><pubDate>\($1)</pubDate></item>" }
    let posts = try await FeedDesk.posts("<rss><channel>\(items.joined())</channel></rss>")
    #expect(posts.map(\.isDated) == [true, false, true])
    #expect(posts.map(\.createdAt) == posts.map(\.createdAt).sorted(by: >))
    #expect(UTC.text(posts[1].createdAt).hasPrefix("2020-11-20T08:59:59"))
    let first = try await FeedDesk.posts("<rss><channel>\(items[1])\(items[2])</channel></rss>")
    #expect(UTC.text(first[0].createdAt).hasPrefix("2020-11-18"))
    let pages = [items.joined(), "\(items[0])<item><guid>9</guid></item>"].map { "<rss><channel>\($0)</channel></rss>" }
    #expect(try await FeedDesk.page(pages[0]).misdated == 1)
    #expect(try await FeedDesk.page(pages[1]).misdated == 0)
    let bare = try await FeedDesk.rss("<guid>1</guid>", "<guid>2</guid><pubDate>20 Nov 2020 09:00 GMT</pubDate>")
    #expect(UTC.text(bare[0].createdAt).hasPrefix("2026-11-21"), "without any date the first visit counts")
  }

  @Test func `Atom's term is the tag, its label what people read where there is no term`() async throws {
    let categories = #"<category term="birds" label="Vögel"/><category label="Snow"/><category term="x" scheme="y"/>"#
    let posts = try await FeedDesk.posts(
      #"<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>\#(categories)</entry></feed>"#)
    #expect(posts[0].tags == ["birds", "snow", "x"])
  }

  @Test func `items with one guid and one link but headlines and dates of their own are all kept`() async throws {
    let name = "<guid>https://birds.example/log</guid><link>https://birds.example/log</link>"
    let items = (1...3).map { "\(name)<title>Day \($0)</title><pubDate>0\($0) Nov 2026 09:00:00 GMT</pubDate>" }
    let posts = try await FeedDesk.rss(items[0], items[1], items[2])
    #expect(posts.map(\.title) == ["Day 3", "Day 2", "Day 1"])
    #expect(Set(posts.map(\.uri)).count == 3)
    #expect(try await FeedDesk.rss(items[2], items[1], items[0]).map(\.uri) == posts.map(\.uri))
    let edited = items[0].replacing("Day 1", with: "Day one")
    #expect(try await FeedDesk.rss(items[0], edited).count == 1, "an item with a headline of its own alone is an edit")
  }

  @Test(arguments: ["http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/simple/0.9/"])
  func `RSS 0_90 is read, whichever of its two names it bears`(vocabulary: String) async throws {
    let posts = try await FeedDesk.posts(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="\(vocabulary)">
        <channel><title>Birds</title><link>https://birds.example/</link></channel>
        <item><title>Robin</title><link>https://birds.example/robin</link></item>
      </rdf:RDF>
      """)
    #expect(posts.map(\.title) == ["Robin"])
    #expect(posts.map(\.url) == ["https://birds.example/robin"])
    #expect(posts.map(\.author?.name) == ["Birds"])
  }

  @Test func `the authors of one feed are several, each with a handle of their own`() async throws {
    let posts = try await FeedDesk.rss(
      "<guid>1</guid><dc:creator>Ada Lovelace</dc:creator>",
      "<guid>2</guid><author>grace@navy.example (Grace)</author>",
      "<guid>3</guid><dc:creator>Ada Lovelace</dc:creator>", "<guid>4</guid>")
    let authors = posts.compactMap(\.author)
    #expect(authors.map(\.name) == ["Ada Lovelace", "Grace", "Ada Lovelace", "Birds"])
    let handles = ["Ada.Lovelace", "Grace", "Ada.Lovelace"].map { "\($0)@birds.example" } + ["birds.example"]
    #expect(authors.map(\.handle) == handles)
    #expect(Set(authors.map(\.uri)).count == 3)
  }

  @Test func `authors of a JSON Feed who give only their pages are distinguished by them`() async throws {
    let items = ["ada", "grace"].map {
      #"{"id":"\#($0)","content_text":"x","authors":[{"url":"https://birds.example/\#($0)"}]}"#
    }
    let posts = try await FeedDesk.posts(
      #"{"version":"https://jsonfeed.org/version/1.1","title":"Birds","items":[\#(items.joined(separator: ","))]}"#)
    #expect(posts.map { $0.author?.name } == ["birds.example/ada", "birds.example/grace"])
    #expect(Set(posts.map { $0.author?.uri }).count == 2)
  }
}
