import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Whatever strangers, servers and the user's own files contain: no cell of the screen steers a terminal.
struct HostileScreenTests {
  private static let evil =
    "e\u{1B}[2J\u{9B}31m\u{202E}v\u{2066}i\u{200F}l\u{E0041}\u{85}\u{2028}\u{7}\n= \u{1B}]0;x\u{7}"

  private static let posts: [ListRow] = (1...4).map { number in
    var post = ListRow(
      id: Int64(5 - number), name: evil, handle: evil,
      createdAt: Date(timeIntervalSince1970: 1_795_168_800 - Double(number) * 3600), caption: evil, tags: [evil])
    (post.title, post.warning, post.url) = (SafeText(evil), SafeText(evil), SafeText(evil))
    var picture = ListRow.Picture(kind: SafeText(evil), alt: SafeText(evil), state: "failed")
    picture.failure = SafeText(evil)
    post.pictures = [picture]
    return post
  }

  private static func tester(_ columns: Int) throws -> ScreenTester {
    var tester = try ScreenTester(columns, 24, posts: posts)
    tester.send(
      .scope(ListScope(title: evil, origin: evil, canRefresh: true, canPullOlder: true, searcher: evil)),
      .list(ScreenTester.reading(posts)), .tags([evil]), .pictures(.usual),
      .settings([SettingRow(name: evil, value: evil, help: evil)], refresh: 60))
    return tester
  }

  private func expectHarmless(_ tester: ScreenTester, _ where: String, _ location: SourceLocation = #_sourceLocation) {
    let canvas = tester.canvas
    let cells = (0..<canvas.rows).flatMap { canvas.row($0).map(\.text) }.joined()
    let steering = cells.unicodeScalars.filter {
      $0.properties.generalCategory == .control || $0.properties.isBidiControl || $0 == "\u{2028}"
        || (0xE0000...0xE007F).contains($0.value)
    }
    #expect(steering.isEmpty, "\(`where`): \(steering)", sourceLocation: location)
    #expect(cells.contains("e[2J"), "\(`where`)", sourceLocation: location)
  }

  @Test(arguments: [24, 40, 80, 130])
  func `rows, cells, a whole post and the calendar are harmless`(columns: Int) throws {
    var tester = try Self.tester(columns)
    expectHarmless(tester, "list")
    tester.press(.character("v"))
    expectHarmless(tester, "grid")
    tester.press(.character("v"), .enter)
    expectHarmless(tester, "post")
    tester.press(.character("o"))
    expectHarmless(tester, "the page that is opened")
    tester.press(.escape, .character("c"))
    tester.send(.calendar(try tester.counted(Self.posts)))
    tester.press(.enter)
    tester.send(.calendar(try tester.counted(Self.posts)))
    expectHarmless(tester, "a day")
  }

  @Test func `shown, chosen and typed text is harmless`() throws {
    let events: [(String, ScreenEvent)] = [
      ("problem", .problem(Self.evil)), ("refusal", .refused(Self.evil)), ("unreadable", .unreadable(Self.evil)),
      ("wait", .pull(.waits(Self.evil))), ("login", .login(.failed(Self.evil))),
      ("handle", .login(.done(handle: Self.evil))),
      ("failure", .pull(.ended(.older, new: 0, isEnd: false, failure: Self.evil))),
      ("refresh", .pull(.ended(.new, new: 0, isEnd: false, failure: Self.evil))),
    ]
    for (name, event) in events {
      var tester = try Self.tester(80)
      tester.send(event)
      expectHarmless(tester, name)
    }
    for keys in [[Key.character("s")], [.character("s"), .enter], [.character("t")], [.character("t"), .up]] {
      var tester = try Self.tester(80)
      for key in keys { tester.press(key) }
      expectHarmless(tester, "\(keys)")
    }
  }

  @Test func `a server's login page is harmless`() throws {
    var tester = try Self.tester(80)
    tester.send(.login(.wanted(server: Self.evil)))
    tester.press(.character("L"))
    expectHarmless(tester, "the server")
    tester.send(.login(.page(url: Self.evil, message: Self.evil)))
    expectHarmless(tester, "its page")
  }
}
