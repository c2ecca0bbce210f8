import Foundation
import Terminal
import Testing

@testable import Browse

/// The screen as text.
struct ScreenTests {
  @Test func `a list of days, the selected post marked`() throws {
    #expect(
      try ScreenTester(60, 16).text == """
         #cats  mastodon.social  12 posts               refreshing…
        ────────────────────────────────────────────────────────────
                Today ──────────────────────────────────── 10 posts
        ▌  BB   Birds & Bees  @birds@mastodon.social            1 h
        ▌       Post 12 of the cats in the garden. #cats

           BB   Birds & Bees  @birds@mastodon.social            2 h
                Post 11 of the cats in the garden. #cats

           BB   Birds & Bees  @birds@mastodon.social            3 h
                Post 10 of the cats in the garden. #cats

           BB   Birds & Bees  @birds@mastodon.social            4 h
                Post 9 of the cats in the garden. #cats

         ? help  Enter whole  d delete  a add  / search  t tag
        """)
  }

  @Test func `a narrow screen shows a post in two lines`() throws {
    #expect(
      try ScreenTester(40, 12).text == """
         #cats  12 posts            refreshing…
        ────────────────────────────────────────
          Today ────────────────────── 10 posts
        ▌ Birds & Bees  @birds@mastodon.s…  1 h
        ▌ Post 12 of the cats in the garden.…

          Birds & Bees  @birds@mastodon.s…  2 h
          Post 11 of the cats in the garden.…

          Birds & Bees  @birds@mastodon.s…  3 h

         ? help  Enter whole  d delete  a add
        """)
  }

  @Test func `the smallest screen still shows the selected post`() throws {
    #expect(
      try ScreenTester(20, 5).text == """
         #cats  refreshing…
          Today ────────────
        ▌ Birds & Bees  1 h
        ▌ Post 12 of the…
         ? help
        """)
  }

  @Test func `an empty list says what to do`() throws {
    var tester = try ScreenTester(60, 14, posts: [], scope: ListScope(title: "All posts"))
    #expect(
      tester.text == """
         All posts  0 posts                                  ? help
        ────────────────────────────────────────────────────────────

          Nothing here yet.

          t  a tag such as cats@mastodon.social, a user, a search
          a  a post of your own
          ?  all keys





         ? help  a add  / search  t tag  v grid  c calendar
        """)
    tester.press(.down, .up, .end, .home, .enter, .delete, .pageDown, .pageUp)
    #expect(tester.done().isEmpty)
  }

  @Test(arguments: [(80, 24), (40, 12), (200, 50), (20, 5)])
  func `captions in every script stay in their lines`(columns: Int, rows: Int) throws {
    let captions = [
      "日本語の長い説明文がここに続きます。日本語の長い説明文がここに続きます。", "👩‍👩‍👧‍👦 family 🐈‍⬛ cat 🇩🇪 flag and more words to come",
      "שלום עולם وهذا نص عربي طويل يكتب من اليمين إلى اليسار", String(repeating: "oneverylongword", count: 7000),
      "combining e\u{301}\u{301}\u{301}\u{301} marks",
      "tab\there\nnew line\u{2028}separator \u{1B}[31mred \u{202E}evil", "",
    ]
    let posts = captions.enumerated().map {
      ScreenTester.post(Int64(100 - $0), hours: Double($0), $1, tags: ["猫", "ねこ"])
    }
    var tester = try ScreenTester(columns, rows, posts: posts)
    for _ in posts {
      for line in tester.lines { #expect(TextWidth.of(line) <= columns, "\(line)") }
      #expect(!tester.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{2028}" })
      tester.press(.enter)
      for line in tester.lines { #expect(TextWidth.of(line) <= columns, "\(line)") }
      tester.press(.pageDown, .escape, .down)
    }
  }

  @Test func `a post is shown whole, and its neighbours by the arrows`() throws {
    var posts = ScreenTester.posts
    posts[1].pictures = [.init(kind: "image", alt: "Two cats on a wall", size: "1200 × 800", state: "stored")]
    posts[1].title = "A headline"
    posts[1].url = "https://mastodon.social/@birds/11"
    var tester = try ScreenTester(60, 20, posts: posts)
    tester.press(.enter, .right)
    #expect(
      tester.text == """
         #cats  mastodon.social  12 posts               refreshing…
        ────────────────────────────────────────────────────────────
         Birds & Bees
         @birds@mastodon.social
         Today, 08:00

         A headline

         Post 11 of the cats in the garden. #cats

         image · 1200 × 800 · stored
         Two cats on a wall

         https://mastodon.social/@birds/11





         Esc back  ← → posts  ↑ ↓ scroll  z picture  o browser
        """)
    tester.press(.escape)
    #expect(tester.screen.list.selected == 11)
  }

  @Test func `the help is the table of keys`() throws {
    var tester = try ScreenTester(80, 50)
    tester.press(.character("?"))
    for entry in KeyMap.entries {
      #expect(tester.lines.contains { $0.hasPrefix("  \(entry.shown) ") && $0.hasSuffix(entry.help) })
    }
    for key in KeyMap.entries.flatMap(\.keys) { #expect(KeyMap.entries.count { $0.keys.contains(key) } == 1) }
    tester.press(.escape)
    #expect(tester.lines[2].contains("Today"))
  }

  @Test func `on a wide screen the help has groups in columns`() throws {
    var tester = try ScreenTester(160, 24)
    tester.press(.character("?"))
    for (title, actions) in KeyMap.groups {
      #expect(tester.text.contains(title))
      for (keys, help) in KeyMap.shown(of: actions) {
        #expect(tester.text.contains("\(keys) ") && tester.text.contains(help.prefix(30)))
      }
    }
    #expect(KeyMap.groups.flatMap(\.actions).count == Action.allCases.count)
    #expect(Set(KeyMap.groups.flatMap(\.actions)) == Set(Action.allCases))
    // All of it is seen at once.
    let before = tester.lines
    tester.press(.down)
    #expect(tester.lines == before)
  }

  @Test func `on a wide screen a picture is wider`() {
    let sizes = [(109, 40), (110, 40), (160, 40), (160, 24)].map { Metrics(columns: $0, rows: $1).picture?.columns }
    #expect(sizes == [14, 22, 36, 22])
  }

  @Test(arguments: [(80, "▌ avatars     on        whether avatars are shown"), (40, "▌ avatars     on")])
  func `what explains a setting goes on below it`(columns: Int, first: String) throws {
    var tester = try ScreenTester(columns, 14)
    let long = Array(repeating: "word", count: 30).joined(separator: " ") + " end"
    tester.send(
      .settings(
        [SettingRow(name: "avatars", value: "on", help: "whether avatars are shown")]
          + (1...9).map { SettingRow(name: "long\($0)", value: "1", help: long) }, refresh: 60))
    tester.press(.character("s"))
    #expect(tester.lines[2] == first)
    #expect(tester.lines.contains { $0.hasSuffix("word end") })
    for number in 1...9 {
      tester.press(.down)
      #expect(tester.text.contains("long\(number)") && !tester.lines.dropFirst().contains { $0.contains("…") })
    }
  }

  @Test(arguments: [80, 180])
  func `a setting shows its whole name and value, and its explanation beside or below them`(columns: Int) throws {
    var tester = try ScreenTester(columns, 14)
    let rows = [
      SettingRow(name: "handle-resolver", value: "own", help: "the server that knows handles"),
      SettingRow(name: "jetstream-server", value: "jetstream2.us-east.bsky.network", help: "the server of that stream"),
    ]
    tester.send(.settings(rows, refresh: 60))
    tester.press(.character("s"))
    let lines = tester.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines[2] == "▌ handle-resolver own the server that knows handles")
    let server = "jetstream-server jetstream2.us-east.bsky.network"
    #expect(columns == 80 ? lines[3...4] == [server, rows[1].help] : lines[3] == "\(server) \(rows[1].help)")
  }

  @Test func `other programs get the table of keys as browsers name them`() {
    let bindings = KeyTable.bindings
    #expect(bindings.map(\.shown) == KeyMap.entries.map(\.shown))
    #expect(Set(bindings.map(\.action)).count == bindings.count)
    let keys = Dictionary(uniqueKeysWithValues: bindings.map { ($0.action, $0.keys) })
    #expect(keys["delete"] == ["d", "Delete"] && keys["down"] == ["j", "ArrowDown"])
    let groups = Dictionary(grouping: bindings, by: \.group).mapValues { Set($0.map(\.action)) }
    for (title, actions) in KeyMap.groups { #expect(groups[title] == Set(actions.map(\.rawValue))) }
    let gallery = Dictionary(uniqueKeysWithValues: bindings.map { ($0.action, $0.helpInGallery) })
    #expect(gallery["add"] == "add a post of your own" && gallery["openFile"] == "its stored picture, in a new tab")
    #expect(bindings.first { $0.action == "undo" }.map { $0.helpInGallery == $0.help } == true)
    #expect(keys["pageDown"] == ["PageDown", " ", "Control+f"] && keys["back"] == ["Escape"])
  }

  @Test func `a post that is written counts its characters up to three`() throws {
    var tester = try ScreenTester(80, 24)
    tester.type("ahi ")
    #expect(tester.lines[22] == " New post ▸ hi                                       2 of 3 characters at least")
    #expect(tester.canvas.cursor?.row == 22)
    tester.press(.enter)
    #expect(tester.done() == [.pull(.new)])
    tester.type("o")
    #expect(tester.lines[22].hasSuffix("4 characters"))
    #expect(tester.lines[23] == " Enter add  Esc cancel  Tab name, time, files")
    tester.press(.enter)
    #expect(tester.done() == [.add("hi o")])
    #expect(tester.canvas.cursor == nil)
  }

  @Test func `the settings are chosen from, or written`() throws {
    var tester = try ScreenTester(80, 24)
    let rows = [
      SettingRow(name: "avatars", value: "on", help: "whether avatars are shown", choices: ["on", "off"]),
      SettingRow(name: "refresh", value: "60s", help: "the time between two refreshes"),
    ]
    tester.send(.settings(rows, refresh: 60))
    _ = tester.done()
    tester.press(.character("s"))
    #expect(tester.lines[2] == "▌ avatars     on        whether avatars are shown")
    tester.press(.enter, .down, .enter, .control("u"))
    tester.type("5m")
    tester.press(.enter, .escape)
    #expect(tester.done() == [.set("avatars", "off"), .set("refresh", "5m")])
  }

  @Test(arguments: 0...24, [1, 3, 5, 20, 40, 80, 140])
  func `no size breaks a screen`(rows: Int, columns: Int) throws {
    var tester = try ScreenTester(columns, rows)
    for key: Key in [.down, .enter, .down, .escape, .character("?"), .escape, .character("s"), .escape, .end] {
      tester.press(key)
      #expect(tester.lines.count == rows)
    }
    tester.type("tsome words that are long")
    #expect(tester.lines.count == rows)
  }

  @Test func `a picture has its place beside the text`() throws {
    var posts = ScreenTester.posts
    posts[0].pictures = [.init(kind: "image", size: "1200 × 800", state: "pending")]
    let canvas = try ScreenTester(80, 24, posts: posts).canvas
    #expect((3...6).allSatisfy { canvas[$0, 65].style == .ground && canvas[$0, 78].style == .ground })
    #expect(canvas[3, 64].style == .plain && canvas[7, 65].style == .plain)
    #expect(canvas.pictures.isEmpty)
    #expect(canvas.lines[3...6].map { $0.dropFirst(65).trimmed } == ["image", "not stored", "yet", "r fetches it"])
  }
}

extension Substring {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
