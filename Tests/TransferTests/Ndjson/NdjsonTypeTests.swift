import Blobs
import Foundation
import Posts
import Storage
import Testing
import Transfer

/// What a file in lines of JSON says of bytes, and how it is recognized.
struct NdjsonTypeTests {
  @Test func `what a file says that bytes are is not believed`() throws {
    let (library, copy) = (try RandomLibrary(), try RandomLibrary())
    let page = try library.keep(Array("<html><script>alert(1)</script></html>".utf8))
    let line = #"""
      {"id":1,"source":"mastodon","uri":"https://a.example/1","created_at":"2026-01-01T00:00:00.000Z","caption":"x",
      "sensitive":0,"stored_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","warning":"","tags":[],
      "attachments":[{"kind":"image","url":"https://a.example/1.jpg","state":"stored","attempts":0,"blob":{
      "sha256":"\#(page.id.hex)","bytes":5,"media_type":"image/svg+xml","width":9,"height":9,
      "stored_at":"2026-01-01T00:00:00.000Z"}}]}
      """#.replacing("\n", with: "")
    var rest = [Array("{\"type\":\"library\",\"version\":1}\n\(line)\n".utf8)][...]
    let result = try NdjsonImport(into: copy.store, blobs: copy.blobs, pictures: library.blobs, now: copy.now)
      .run(read: { rest.popFirst() ?? [] })
    #expect(result.posts.new == 1 && result.unreadable == 0)
    let attachment = try #require(try copy.store.posts(PostQuery(limit: nil)).first?.attachments.first)
    #expect(
      attachment.state == .stored && attachment.mediaType == page.mediaType && attachment.byteCount == page.byteCount)
    #expect(try copy.store.blob(page.id) == page)
  }

  @Test(arguments: [
    "{\"type\":\"library\",\"version\":1}\n", "\n  { \"version\" : 1 ,\t\"type\" : \"library\" }\r\n{}",
    "{\"type\": \"library\"}",
  ])
  func `a library's lines are recognized with any white space`(start: String) {
    #expect(NdjsonReader.recognizes(Array(start.utf8)))
    #expect(TransferFormat.recognized(Array(start.utf8)) == .ndjson)
  }

  @Test func `other lines are no library's`() {
    #expect(!NdjsonReader.recognizes(Array("{\"type\":\"post\"}\n".utf8)))
    #expect(!NdjsonReader.recognizes(Array("[{\"type\":\"library\"}]".utf8)))
  }
}
