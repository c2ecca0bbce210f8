import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// Every state of the screen at every size, with text in many scripts.
struct StatesTests {
  /// A state, and text that identifies it on screens of all sizes.
  enum State: String, CaseIterable, Sendable {
    case list = "Today"
    case post = "@birds@mastodon.social"
    case month = "19"
    case day = "09:00"
    case settings = "refresh  "
    case help = "PgDn Space"
    case empty = "Nothing here yet."
    case offline = "r tries again"
    case error = "it is tried again"
    case gap = "f fills it"
    case end = "This is the end"
    case login = "https://a.example"
    case adding = "New post ▸ שלום"
    case searching = "Search ▸ 日本"
    case choosing = "▌ 猫@social.example"
  }

  static let captions = [
    "日本語の長い説明文がここに続きます。日本語の長い説明文がここに続きます。", "👩‍👩‍👧‍👦 family 🐈‍⬛ cat 🇩🇪 flag and more words to come",
    "שלום עולם وهذا نص عربي طويل يكتب من اليمين إلى اليسار", "combining e\u{301}\u{301}a\u{308} marks นี่คือภาษาไทย हिन्दी",
  ]

  static let posts: [ListRow] = (1...12).map { number in
    var post = ScreenTester.post(
      Int64(13 - number), hours: Double(number), captions[number % 4] + " \(13 - number)", tags: ["猫", "ねこ", "cats"])
    post.name = ["猫の写真館", "👩‍🚀 Ada", "נעה כהן", "Jo\u{308}rg"][number % 4]
    return post
  }

  static func tester(_ state: State, _ columns: Int, _ rows: Int) throws -> ScreenTester {
    var tester = try ScreenTester(columns, rows, posts: state == .empty ? [] : posts)
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    switch state {
    case .list, .empty: break
    case .post: tester.press(.enter)
    case .month, .day:
      tester.press(.character("c"))
      tester.send(.calendar(try tester.counted(posts)))
      guard state == .day else { break }
      tester.press(.enter)
      tester.send(.calendar(try tester.counted(posts)))
      tester.press(.end)
    case .settings:
      let row = SettingRow(name: "refresh", value: "60s", help: "the time between two refreshes of the list")
      tester.send(.settings([row], refresh: 60))
      tester.press(.character("s"))
    case .help: tester.press(.character("?"))
    case .offline:
      tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    case .error: tester.send(.unreadable("the library cannot be read · it is tried again"))
    case .gap:
      tester.send(.gaps([ListGap(id: ListGap.ID(upper: 2, lower: 1), above: 12, below: 11)], isCutShort: false))
    case .end:
      tester.press(.end)
      tester.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    case .login:
      tester.send(.login(.wanted(server: "猫.example")))
      tester.type("L")
      tester.send(.login(.page(url: "https://a.example/oauth/authorize?client_id=abc&state=1", message: "")))
    case .adding: tester.type("aשלום")
    case .searching: tester.type("/日本")
    case .choosing:
      tester.send(.tags(["猫@social.example", "birds"]))
      tester.type("t")
      tester.press(.up)
    }
    return tester
  }

  @Test(arguments: State.allCases, [(80, 24), (40, 12), (200, 50)])
  func `every state fills its screen, and says what it is`(state: State, size: (columns: Int, rows: Int)) throws {
    let canvas = try Self.tester(state, size.columns, size.rows).canvas
    #expect(canvas.lines.count == size.rows)
    #expect(canvas.lines.contains { $0.contains(state.rawValue) }, "\(canvas.lines)")
    for row in 0..<canvas.rows {
      // Each wide character takes its cells, so that what follows stands in the right column.
      let width = canvas.row(row).reduce(0) { $0 + TextWidth.of($1.text) }
      #expect(width == size.columns, "\(canvas.lines[row])")
      #expect(TextWidth.of(canvas.lines[row]) <= size.columns)
    }
  }

  @Test(arguments: State.allCases, [(20, 5), (10, 3), (1, 1), (0, 0)])
  func `no state breaks a small screen`(state: State, size: (columns: Int, rows: Int)) throws {
    var tester = try Self.tester(state, size.columns, size.rows)
    for key: Key in [.down, .up, .pageDown, .pageUp, .end, .home, .right, .left, .enter, .escape] {
      tester.press(key)
      #expect(tester.lines.count == size.rows)
      #expect(tester.lines.allSatisfy { TextWidth.of($0) <= size.columns })
    }
  }

  @Test func `a list in every script, with a gap`() throws {
    #expect(
      try Self.tester(.gap, 60, 17).text == """
         #cats  mastodon.social  12 posts            refresh in 1 m
        ────────────────────────────────────────────────────────────
                Today ──────────────────────────────────── 10 posts
        ▌   A   👩‍🚀 Ada  @birds@mastodon.social                  1 h
        ▌       👩‍👩‍👧‍👦 family 🐈‍⬛ cat 🇩🇪 flag and more words to come 12
        ▌       #猫 #ねこ #cats

                A gap lies here · f fills it ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
           נכ   נעה כהן  @birds@mastodon.social                 2 h
                שלום עולם وهذا نص عربي طويل يكتب من اليمين إلى
                اليسار 11
                #猫 #ねこ #cats

            J   Jörg  @birds@mastodon.social                    3 h
                combining é́ä marks นี่คือภาษาไทย हिन्दी 10

         ? help  Enter whole  d delete  a add  / search  t tag
        """)
  }

  @Test func `a server that is gone, on a narrow screen`() throws {
    #expect(
      try Self.tester(.offline, 40, 12).text == """
         #cats  12 posts         refresh in 1 m
        ────────────────────────────────────────
          Today ────────────────────── 10 posts
        ▌ 👩‍🚀 Ada  @birds@mastodon.social    1 h
        ▌ 👩‍👩‍👧‍👦 family 🐈‍⬛ cat 🇩🇪 flag and more…

          נעה כהן  @birds@mastodon.social   2 h
          שלום עולם وهذا نص عربي طويل يكتب من…

          Jörg  @birds@mastodon.social      3 h
         mastodon.social cannot be reached
         · r tries again  ? help  Enter whole
        """)
  }

  @Test func `the end, on a narrow screen`() throws {
    #expect(
      try Self.tester(.end, 40, 12).text == """
         #cats  12 posts         refresh in 1 m
        ────────────────────────────────────────
          Yesterday ─────────────────── 2 posts
          Jörg  @birds@mastodon.social     11 h
          combining é́ä marks นี่คือภาษาไทย हिन्दी 2

        ▌ 猫の写真館  @birds@mastodon.so…  12 h
        ▌ 日本語の長い説明文がここに続きます。…

          This is the end of #cats.

         ? help  Enter whole  d delete  a add
        """)
  }

  @Test func `the latest tags above the field`() throws {
    #expect(
      try Self.tester(.choosing, 40, 12).text == """
         #cats  12 posts         refresh in 1 m
        ────────────────────────────────────────
          Today ────────────────────── 10 posts
        ▌ 👩‍🚀 Ada  @birds@mastodon.social    1 h
        ▌ 👩‍👩‍👧‍👦 family 🐈‍⬛ cat 🇩🇪 flag and more…

          נעה כהן  @birds@mastodon.social   2 h
        ────────────────────────
          birds
        ▌ 猫@social.example
         Show ▸ 猫@social.example
         Enter show  ↑ ↓ latest  Esc cancel
        """)
  }
}
