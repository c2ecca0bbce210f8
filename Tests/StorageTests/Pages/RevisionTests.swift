import Foundation
import Posts
import Testing

@testable import Storage

struct RevisionTests {
  @Test func `an edit keeps the wording it overwrote, and the raw answer follows`() throws {
    let library = try TestLibrary()
    let id = try library.pull([post(1, caption: "first")]).posts[0]
    var second = item(post(1, caption: "second"))
    second.raw = Array("{\"second\":true}".utf8)
    try library.pull([Page(items: [second], next: .end)])
    try library.pull([post(1, caption: "third")])
    let whole = try #require(try library.store.post(id))
    #expect(whole.revisions.map(\.caption) == ["first", "second"])
    #expect(whole.post.caption == "third")
    #expect(whole.raw == item(post(1)).raw)
    #expect(whole.feeds == ["tag:cats@social.example"])
    #expect(try library.store.posts(PostQuery(search: "first")).isEmpty)
    try library.checkIndex()
  }

  @Test func `a caption that an earlier version read otherwise from the same answer is not an edit`() throws {
    let library = try TestLibrary()
    func status(_ caption: String, html: String = "<p>a  b</p>", edited: Date? = nil) -> Post {
      var status = post(1, caption: caption)
      (status.captionHTML, status.editedAt) = (html, edited)
      return status
    }
    let id = try library.pull([status("a b")]).posts[0]
    try library.pull([status("a  b\n\n○ Yes")])
    var whole = try #require(try library.store.post(id))
    #expect(whole.post.caption == "a  b\n\n○ Yes" && whole.revisions.isEmpty)
    // A poll's answers are not in the HTML: only the edit date shows that they were edited.
    try library.pull([status("a  b\n\n○ No", edited: Date(timeIntervalSince1970: 1_795_000_000))])
    whole = try #require(try library.store.post(id))
    #expect(whole.revisions.map(\.caption) == ["a  b\n\n○ Yes"])
    try library.pull([status("a  c", html: "<p>a  c</p>", edited: Date(timeIntervalSince1970: 1_795_000_000))])
    #expect(try library.store.post(id)?.revisions.count == 2)
    try library.checkIndex()
  }

  @Test func `a raw answer comes back byte for byte`() throws {
    let library = try TestLibrary()
    for (number, raw) in [[0xFF, 0, 0x7B], Array(repeating: 7, count: 300_000), Array("{}".utf8)].enumerated() {
      var one = item(post(number))
      one.raw = raw
      let id = try library.pull([Page(items: [one], next: .end)])[0].posts[0]
      #expect(try library.store.post(id)?.raw == raw)
    }
  }

  @Test func `a frame that was tampered with gives nothing`() throws {
    let frame = try RawCompressor().compress(Array("{\"a\":1}".utf8))
    #expect(RawBytes.decompress(frame) == Array("{\"a\":1}".utf8))
    #expect(RawBytes.decompress(Array(frame.dropLast())) == nil)
    #expect(RawBytes.decompress([1, 2, 3]) == nil)
    #expect(RawBytes.decompress([]) == nil)
  }
}
