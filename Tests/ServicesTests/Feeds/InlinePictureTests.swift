import Foundation
import Services
import Testing

/// Pictures whose bytes stand in a text, in the spellings of RFC 2397.
struct InlinePictureTests {
  private static let bytes: [UInt8] = [0x89] + Array("PNG".utf8) + (0..<700).map { UInt8($0 % 251) }

  /// The bytes as their codes, but for letters, digits and these signs.
  private static func percents(_ signs: String = "-_.!~*()", code: String = "%%%02x") -> String {
    let plain = Set("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\(signs)".utf8)
    return bytes.map { plain.contains($0) ? String(UnicodeScalar($0)) : String(format: code, $0) }.joined()
  }

  private static let base64 = Data(bytes).base64EncodedString()

  /// The text in an item's spellings: as it is, with its signs escaped, and in JSON.
  private func documents(_ text: String) throws -> [String] {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    let content = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    let items = ["<![CDATA[\(text)]]>", escaped].map {
      "<rss version=\"2.0\"><channel><item><guid>a</guid><description>\($0)</description></item></channel></rss>"
    }
    return items + [
      "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"a\",\"content_html\":\(content)}]}"
    ]
  }

  /// Expects that the one picture of a text is an attachment, and that the words around it stay.
  private func expectPicture(_ picture: String, _ said: String) async throws {
    for document in try documents("<p>One \(picture), and words</p>") {
      let item = try #require(try await FeedDesk.page(document).items.first)
      let attachments = item.post?.attachments ?? []
      #expect(attachments.count == 1, "\(said)")
      let address = try #require(attachments.first?.url, "\(said)")
      #expect(address.hasPrefix("data:image/png;sha256=") && InlinePicture.isAddress(address), "\(said)")
      #expect(InlinePicture.bytes(of: address, in: item.raw) == Self.bytes, "\(said)")
      #expect(item.post?.caption.contains(", and words") == true, "\(said)")
    }
  }

  @Test(arguments: [
    "data:image/png,", "data:image/png;charset=US-ASCII,", "data:,", "data:;charset=US-ASCII,",
    "DATA:application/octet-stream,",
  ])
  func `bytes may be written as their codes, with or without a type`(head: String) async throws {
    try await expectPicture("<img src=\"\(head)\(Self.percents("-_.!~*()'"))\">", head)
    try await expectPicture("<img src='\(head)\(Self.percents("/:@$,;+=?-._~", code: "%%%02X"))'>", head)
    try await expectPicture("<img src=\(head)\(Self.percents("-._~"))>", head)
  }

  @Test(arguments: ["data:;base64,", "data:;charset=US-ASCII;base64,", "data:image/x-png;base64,"])
  func `of base64 without a type that is known, the bytes tell it`(head: String) async throws {
    try await expectPicture("<img src=\"\(head)\(Self.base64)\">", head)
  }

  @Test func `of several sizes the largest is the picture`() async throws {
    let large = "data:image/png,\(Self.percents()) 2x"
    try await expectPicture("<img src=\"small.png\" srcset=\"small.png 1x, \(large)\">", "last")
    try await expectPicture("<img srcset=\"\(large), small.png 1x\">", "first")
    try await expectPicture("<img srcset=\"data:;base64,\(Self.base64) 2x, small.png 1x\">", "base64")
  }

  @Test func `what is no picture stays as it is, and what is small is none`() async throws {
    let drawing = "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E"
    for (picture, count) in [(drawing, 0), ("data:,hello", 0), ("data:image/png,%89PNG", 0)] {
      for document in try documents("<p>data: one, two <img src=\"\(picture)\"></p>") {
        let post = try #require(try await FeedDesk.posts(document).first)
        #expect(post.attachments.count == count, "\(picture)")
        #expect(post.caption.contains("data: one, two"))
        #expect(post.captionHTML?.contains(picture) == (picture != "data:image/png,%89PNG"), "\(picture)")
      }
    }
  }
}
