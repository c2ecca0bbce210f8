import Foundation
import MediaLibrary
import Posts
import Testing
import Web

@testable import Gallery

struct ListPageTests {
  private func page(_ query: String, of shelf: Shelf) throws -> String {
    let window = try WindowRequest(Fields(form: query))
    return ListPage(window: window, snapshot: try window.snapshot(in: shelf.library), isReadOnly: false).html.markup
  }

  /// The parameters of a link to other rows.
  private func link(_ relation: String, in page: String) -> String? {
    let match = try? Regex("href=\"/\\?([^\"]*)\" rel=\"\(relation)\"", as: (Substring, Substring).self)
      .firstMatch(in: page)
    return match.map { String($0.output.1).replacing("&amp;", with: "&") }
  }

  private func ids(in page: String) -> [Int64] {
    page.matches(of: /<article id="post-([0-9]+)">/).compactMap { Int64($0.output.1) }
  }

  @Test func `without scripts, links lead to every post and back`() throws {
    let shelf = try Shelf()
    try shelf.save((0..<250).map { Shelf.post($0, at: Shelf.noon.addingTimeInterval(Double(-$0))) })
    let all = try shelf.library.snapshot(of: PostListQuery(), window: Window(after: 250)).rows.map(\.post.id)

    var html = try page("tag=cats", of: shelf)
    var seen = ids(in: html)
    #expect(link("prev", in: html) == nil)
    while let next = link("next", in: html), seen.count < 250 {
      #expect(next.hasPrefix("tag=cats&around="))
      html = try page(next, of: shelf)
      seen += ids(in: html).filter { !seen.contains($0) }
    }
    #expect(seen == all)
    for _ in 0..<5 {
      guard let previous = link("prev", in: html) else { break }
      html = try page(previous, of: shelf)
    }
    #expect(ids(in: html).first == all[0])
  }

  @Test func `no caption ends the data that the page carries`() throws {
    let shelf = try Shelf()
    let caption = "</script><script>alert(1)</script><!-- <b>&amp;</b>"
    try shelf.save([Shelf.post(0, at: Shelf.noon, caption: caption)])
    let html = try page("", of: shelf)
    #expect(!html.contains("<script>alert"))
    let start = try #require(html.firstRange(of: "id=\"window\">"))
    let data = try #require(html[start.upperBound...].components(separatedBy: "</script>").first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    #expect(object["caption"] as? [String] == [caption])
  }

  @Test func `the title is the list's name`() throws {
    let shelf = try Shelf()
    for (query, title) in [
      ("", "All posts"), ("deleted=1", "Deleted posts"), ("tag=cats&tag=dogs&q=red", "#cats #dogs red"),
      ("user=birds&deleted=1", "@birds deleted"),
    ] { #expect(try page(query, of: shelf).contains("<h1 dir=\"auto\">\(title)</h1>"), "\(query)") }
  }

  @Test func `a search keeps the rest of the list`() throws {
    let html = try page("tag=cats&q=red", of: try Shelf())
    #expect(html.contains("<input type=\"hidden\" name=\"tag\" value=\"cats\">"))
    #expect(!html.contains("<input type=\"hidden\" name=\"q\""))
  }

  @Test func `every module that a list imports is loaded at once`() throws {
    let page = try page("", of: try Shelf())
    let imports = [PackageResources.gallery_js, PackageResources.grid_js, PackageResources.live_js].flatMap { script in
      String(decoding: script, as: UTF8.self).matches(of: /from "\.\/([a-z-]+\.js)"/).map { String($0.output.1) }
    }
    #expect(imports.count > 10)
    for name in imports { #expect(page.contains("<link rel=\"modulepreload\" href=\"/assets/\(name)\">"), "\(name)") }
  }
}

struct KeyBindingTests {
  private let keys = [
    KeyBinding(action: "delete", keys: ["d", "Delete"], shown: "d <Delete>", words: "delete the post"),
    KeyBinding(action: "quit", keys: ["q"], shown: "q", words: "quit"),
  ]

  @Test func `help shows the keys, and what is outside text never becomes markup`() {
    let html = KeysPage(keys: keys).html.markup
    #expect(html.contains("d &lt;Delete&gt;") && html.contains("delete the post"))
  }

  @Test func `a browser cannot quit`() {
    #expect(keys.map(\.isOfGallery) == [true, false])
  }
}
