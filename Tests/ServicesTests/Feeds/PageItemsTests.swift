import Glibc
import Posts
import Synchronization
import Testing

@testable import Services

struct PageItemsTests {
  /// A body of this number of bytes. Each byte is an item whose value is its index.
  private func read(_ count: Int, _ visit: @escaping @Sendable (UInt8) -> Void) async throws -> [PageItem] {
    let body = (0..<count).map { UInt8($0) }
    return try await PageItems.read(body.indices.map { $0..<($0 + 1) }, in: body, as: "post", hiding: nil) { raw in
      visit(raw[0])
      return PageItem(id: "\(raw[0])", content: .unreadable(reason: ""), raw: raw)
    }
  }

  @Test(arguments: [0, 1, 9, 10, 11, 95])
  func `items stand in the page's order, however long each takes`(count: Int) async throws {
    let items = try await read(count) { number in if number < 10 { usleep(5_000) } }
    #expect(items.map(\.id) == (0..<count).map { "\($0)" })
  }

  @Test func `a page that is not wanted any more is not half a page`() async throws {
    let looked = Mutex(0)
    let reading = Task {
      try await read(200) { _ in
        looked.withLock { $0 += 1 }
        usleep(2_000)
      }
    }
    while looked.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    reading.cancel()
    await #expect(throws: SourceError.cancelled) { try await reading.value }
    #expect(looked.withLock { $0 } < 200)
  }
}

struct BoundsTests {
  @Test(
    arguments: [
      ("", nil), (" \n\t\u{A0}\u{3000}", nil), ("\u{7}\u{1B}\u{85}", nil), ("a cat", "a cat"), (" a cat \n", "a cat"),
      ("🐈 a cat 🐈", "🐈 a cat 🐈"), ("\u{3000}猫\u{A0}", "猫"), ("a\u{1B}[2Jb\u{9B}c\n\td", "a[2Jbc\n\td"),
      ("\u{0}🐈\u{0}", "🐈"), ("\u{7F} x", "x"), ("é\u{A9}", "é\u{A9}"),
    ] as [(String, String?)])
  func `a block is without control characters, and trimmed`(text: String, block: String?) {
    #expect(Bounds.block(text) == block)
  }

  @Test(arguments: [
    ("https://a.example/media_proxy/1", "/media_proxy/1"), ("http://a/x", "/x"), ("https://a.example", ""),
    ("https://a.example?/x", "?/x"), ("http://h:80/a#b", "/a#b"),
  ])
  func `the text behind the host is the path`(address: String, path: String) {
    #expect(Bounds.path(of: address).elementsEqual(path.utf8))
  }
}
