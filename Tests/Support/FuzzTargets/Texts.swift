import Foundation
import HTTP
import Machine
import Markup
import Services
import Terminal

extension FuzzTarget {
  /// Untrusted text, and keys.
  static let texts = [
    FuzzTarget("captions", longest: 8192) { bytes in
      let text = Caption.plainText(html: String(decoding: bytes, as: UTF8.self))
      let steering = text.unicodeScalars.contains {
        $0 != "\n" && $0 != "\t" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value))
      }
      try promise("a caption holds no control characters", !steering)
      try promise("text is not blown up", text.utf8.count <= 4 * bytes.count + 64)
      let tags = StartTags.find(["link", "a", "img", "meta"], in: bytes, most: 16)
      try promise("no more tags are found than were asked for", tags.count <= 16)
      try promise("what is shown is harmless", SafeText(text).text.isOneLine)
    },
    FuzzTarget("dates", longest: 96) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let date = UTC.date(text) {
        // No reader accepts years of more than four digits.
        let written = UTC.text(date)
        try promise("a date that was read is written and read again", UTC.date(written).map(UTC.text) == written)
      }
      let limit = RateLimit(headers: ["Date": text, "Retry-After": text, "X-RateLimit-Reset": text], now: .noon)
      try promise(
        "a wait is at most a day", limit.resetsAt.map { (0...86_400).contains($0.timeIntervalSince(.noon)) } ?? true)
      _ = Response(status: 200, headers: ["Date": text, "Age": text]).clockDifference(from: .noon)
      try await readAsFeedDate(text)
    },
    FuzzTarget("keys", longest: 512) { bytes in
      var whole = KeyParser()
      let events = whole.feed(bytes) + whole.flush()
      var parts = KeyParser()
      let cut = bytes.flatMap { parts.feed([$0]) } + parts.flush()
      try promise("the same keys come out wherever the bytes are cut", cut == events)
      var reader = AnswerReader()
      reader.read(bytes)
      reader.finish()
      try promise("nothing is typed that did not come", reader.typed.count <= bytes.count)
    },
  ]

  private static func readAsFeedDate(_ text: String) async throws {
    let item = ["id": "https://birds.example/1", "content_text": "a", "date_published": text]
    let feed: [String: Any] = ["version": "https://jsonfeed.org/version/1.1", "title": "a", "items": [item]]
    guard let body = try? JSONSerialization.data(withJSONObject: feed) else { return }
    try await all.first { $0.name == "feed-json" }?.read(Array(body))
  }
}

extension Date {
  /// The current time for all targets.
  static let noon = Date(timeIntervalSince1970: 1_795_262_400)
}
