import FeedDocuments
import Foundation
import Testing

@Suite struct FeedItemTests {
  @Test(arguments: [
    ("urn:uuid:0bb45b0f-27e7-4a0c-8a5d-2a4f4f0b7c11", "urn:uuid:0bb45b0f-27e7-4a0c-8a5d-2a4f4f0b7c11"),
    ("urn:diary:17", "urn:diary:17"), ("urn:ical:a@b", "urn:ical:a@b"),
    ("https://photos.example/1", "https://photos.example/1"),
    ("tag:photos.example,2026:1", "tag:photos.example,2026:1"),
    ("at place/1", "tag:media.invalid,2026:manual/at%20place/1"),
    ("https://photos.example/a b", "tag:media.invalid,2026:manual/https://photos.example/a%20b"),
  ])
  func `an item is known by its post's identity where that is an address, else by one made of it`(
    uri: String, id: String
  ) {
    #expect(FeedItem(samplePost(source: "manual", uri: uri), link: nil, files: []).id == id)
  }

  @Test(arguments: ["javascript:alert(1)", "https://a.example/ b", "ftp://a.example/", "", "https://a.example/\u{7F}"])
  func `only an address of the web is linked to`(text: String) {
    #expect(FeedItem.webAddress(text) == nil)
    #expect(FeedItem.webAddress("HTTPS://a.example/x") == "HTTPS://a.example/x")
  }
}
