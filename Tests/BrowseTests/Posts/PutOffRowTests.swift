import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// What the list shows for a picture whose host accepts no more requests.
struct PutOffRowTests {
  @Test func `a picture that was put off has the time, in the list's own zone`() throws {
    let (now, folder) = (
      Date(timeIntervalSince1970: 1_763_640_000), "\(NSTemporaryDirectory())/rows.\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let library = try Library(in: folder) { now }
    defer { library.close() }
    let cats = Feed(source: .usual, kind: .tag, value: "cats", server: try #require(Server("social.example")))
    var post = Post(
      source: .usual, uri: "https://social.example/1", server: cats.server, remoteID: "1", createdAt: now,
      caption: "a cat")
    post.attachments = [Attachment(kind: .image, url: "https://files.example/1.png")]
    _ = try library.save([Page(items: [PageItem(id: "1", content: .post(post), raw: [])], next: .end)], of: cats)
    func putOff() throws -> SafeText? {
      var made = RowCache(zone: try #require(TimeZone(secondsFromGMT: 7200)))
      let reading = ListReading(try library.snapshot(of: PostListQuery()), made: &made)
      return reading.rows.first?.pictures.first?.putOff
    }
    #expect(try putOff() == "")
    let delay = PictureDelay(PictureFailure(owner: .attachment(1), reason: "too many requests"), until: now + 300)
    try library.store.putOff([delay], now: now)
    #expect(try putOff() == "20 Nov 14:05")
  }
}
