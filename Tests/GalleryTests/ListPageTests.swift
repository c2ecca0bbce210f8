import Foundation
import MediaLibrary
import Posts
import Testing
import Web

@testable import Gallery

struct ListPageTests {
  private func page(_ query: String, of library: TestLibrary) throws -> String {
    let window = try WindowRequest(Fields(form: query))
    return ListPage(window: window, snapshot: try window.snapshot(in: library.library), isReadOnly: false).html.markup
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
    let library = try TestLibrary()
    try library.save((0..<250).map { TestLibrary.post($0, at: TestLibrary.noon.addingTimeInterval(Double(-$0))) })
    let all = try library.library.snapshot(of: PostListQuery(), window: Window(after: 250)).rows.map(\.post.id)

    var html = try page("tag=cats", of: library)
    var seen = ids(in: html)
    #expect(link("prev", in: html) == nil)
    while let next = link("next", in: html), seen.count < 250 {
      #expect(next.hasPrefix("tag=cats&around="))
      html = try page(next, of: library)
      seen += ids(in: html).filter { !seen.contains($0) }
    }
    #expect(seen == all)
    for _ in 0..<5 {
      guard let previous = link("prev", in: html) else { break }
      html = try page(previous, of: library)
    }
    #expect(ids(in: html).first == all[0])
  }

  @Test func `no caption ends the data that the page carries`() throws {
    let library = try TestLibrary()
    let caption = "</script><script>alert(1)</script><!-- <b>&amp;</b>"
    try library.save([TestLibrary.post(0, at: TestLibrary.noon, caption: caption)])
    let html = try page("", of: library)
    #expect(!html.contains("<script>alert"))
    let start = try #require(html.firstRange(of: "id=\"window\">"))
    let data = try #require(html[start.upperBound...].components(separatedBy: "</script>").first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    #expect(object["caption"] as? [String] == [caption])
  }

  @Test func `the title is the list's name`() throws {
    let library = try TestLibrary()
    for (query, title) in [
      ("", "All posts"), ("deleted=1", "Deleted posts"), ("tag=cats&tag=dogs&q=red", "#cats #dogs"),
      ("user=birds&deleted=1", "@birds deleted"),
    ] { #expect(try page(query, of: library).contains("<h1 dir=\"auto\">\(title)</h1>"), "\(query)") }
  }

  @Test func `a search keeps the rest of the list`() throws {
    let html = try page("tag=cats&q=red", of: try TestLibrary())
    #expect(html.contains("<input type=\"hidden\" name=\"tag\" value=\"cats\">"))
    #expect(!html.contains("<input type=\"hidden\" name=\"q\""))
  }

  @Test func `every module that a list imports is loaded at once`() throws {
    let page = try page("", of: try TestLibrary())
    let imports = [PackageResources.gallery_js, PackageResources.grid_js, PackageResources.live_js].flatMap { script in
      String(decoding: script, as: UTF8.self).matches(of: /from "\.\/([a-z-]+\.js)"/).map { String($0.output.1) }
    }
    #expect(imports.count > 10)
    for name in imports { #expect(page.contains("<link rel=\"modulepreload\" href=\"/assets/\(name)\">"), "\(name)") }
  }
}

struct KeyBindingTests {
  private let keys = [
    KeyBinding(action: "delete", group: "Keys", keys: ["d", "Delete"], shown: "d <Delete>", help: "delete the post"),
    KeyBinding(action: "quit", group: "Keys", keys: ["q"], shown: "q", help: "quit"),
  ]

  @Test func `help shows the keys, and what is outside text never becomes markup`() {
    let html = KeysPage(keys: keys).html.markup
    #expect(html.contains("d &lt;Delete&gt;") && html.contains("delete the post"))
  }

  @Test func `the keys are in groups, whichever order they came in`() {
    let table =
      keys + [
        KeyBinding(action: "down", group: "Moving", keys: ["j"], shown: "j", help: "next post"),
        KeyBinding(action: "undo", group: "Keys", keys: ["u"], shown: "u", help: "undo"),
      ]
    let all = KeyBinding.ofGallery(table, isReadOnly: false)
    #expect(all.prefix(3).map(\.action) == ["delete", "undo", "down"])
    #expect(all.groups.map(\.title) == ["Keys", "Moving", "Marking", "The post", "Looking through"])
    #expect(all.groups.flatMap(\.bindings) == all)
    let html = KeysPage(keys: all).html.markup
    #expect(html.contains("<section><h3>Moving</h3><table><tbody><tr><th scope=\"row\">j</th>"))
  }

  @Test func `a browser cannot quit`() {
    #expect(keys.map(\.isOfGallery) == [true, false])
  }
}
