import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The rows of gaps, the end of the list, and what is remembered during a pull.
struct GapRowTests {
  private static let id = ListGap.ID(upper: 2, lower: 1)

  /// A list of twelve posts with a gap between the second and the third, after the first refresh.
  private func stage(_ columns: Int = 80, _ rows: Int = 24, gap: ListGap = gap) throws -> Stage {
    var stage = try Stage(columns, rows)
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)), .gaps([gap], isCutShort: false))
    _ = stage.done()
    return stage
  }

  private static let gap = ListGap(
    id: id, to: Stage.posts[1].createdAt, from: Stage.posts[1].createdAt - 11_520, above: 11, below: 10)

  @Test func `a gap stands between its posts, and f fills it`() throws {
    var stage = try stage()
    #expect(stage.lines[9].hasPrefix("        A gap of 3 h 12 m lies here · f fills it ┄┄"))
    #expect(stage.lines[10].contains("3 h"))
    stage.press(.character("f"))
    #expect(stage.done() == [.pull(.gap(Self.id))])
    #expect(stage.lines[9].hasPrefix("        Filling the gap… ┄"))
    #expect(stage.lines[0].hasSuffix("filling the gap…"))
    stage.send(.pull(.ended(.gap(Self.id), new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    #expect(stage.lines[9].hasPrefix("        mastodon.social cannot be reached · f tries again"))
    stage.press(.character("f"))
    #expect(stage.done() == [.pull(.gap(Self.id))])
    stage.send(.gaps([], isCutShort: false), .pull(.ended(.gap(Self.id), new: 3, isEnd: false, failure: nil)))
    #expect(!stage.text.contains("gap"))
    #expect(stage.lines[9].contains("3 h"))
  }

  @Test func `a gap that comes or goes above the selected post does not move it`() throws {
    var stage = try stage()
    stage.press(.pageDown, .down, .down)
    let (line, selected) = (stage.screen.list.screenTop, stage.screen.list.selected)
    stage.send(.gaps([], isCutShort: false))
    #expect((stage.screen.list.screenTop, stage.screen.list.selected) == (line, selected))
    stage.send(.gaps([Self.gap], isCutShort: false))
    #expect((stage.screen.list.screenTop, stage.screen.list.selected) == (line, selected))
  }

  @Test func `the nearest of several gaps is filled, and one after the other`() throws {
    var stage = try stage()
    let lower = ListGap(id: ListGap.ID(upper: 1, lower: 0), above: 5, below: 4)
    stage.send(.gaps([Self.gap, lower], isCutShort: false))
    stage.press(.down, .down, .down, .down, .down, .character("f"))
    #expect(stage.done() == [.pull(.gap(lower.id))])
    stage.press(.home, .character("f"), .character("f"))
    #expect(stage.done() == [])
    #expect(stage.text.contains("The gap is filled when the pull under way is over."))
    stage.send(.pull(.ended(.gap(lower.id), new: 0, isEnd: false, failure: "no")))
    #expect(stage.done() == [.pull(.gap(Self.id))])
  }

  @Test func `without a gap among the rows, the nearest in time is filled`() throws {
    let past = Stage.posts[11].createdAt - 86_400
    let far = ListGap(id: ListGap.ID(upper: 7, lower: 6), to: past, from: past - 3600)
    let further = ListGap(id: ListGap.ID(upper: 6, lower: 5), to: past - 7200, from: past - 9000)
    var stage = try stage()
    stage.send(.list(Stage.reading(Stage.posts, after: true)), .gaps([further, far], isCutShort: false))
    _ = stage.done()
    #expect(!stage.text.contains("A gap"))
    stage.press(.character("f"))
    #expect(stage.done() == [.pull(.gap(far.id))])
  }

  @Test func `a second click on a gap fills it`() throws {
    var stage = try stage()
    stage.send(.input(.mouse(Mouse(.press, row: 9, column: 20))))
    #expect(stage.done() == [])
    #expect(stage.screen.list.selected == 12)
    stage.send(.input(.mouse(Mouse(.press, row: 9, column: 20))))
    #expect(stage.done() == [.pull(.gap(Self.id))])
  }

  @Test func `a gap whose posts are gone stands by its dates, and outside of the window nowhere`() throws {
    var gap = Self.gap
    (gap.above, gap.below, gap.from) = (nil, nil, Stage.posts[2].createdAt + 60)
    #expect(gap.row(in: Stage.reading(Stage.posts)) == 2)
    #expect(gap.row(in: Stage.reading(Array(Stage.posts[2...]), before: true)) == nil)
    #expect(gap.row(in: Stage.reading(Array(Stage.posts[2...]))) == 0)
    #expect(gap.row(in: Stage.reading(Array(Stage.posts[..<2]), after: true)) == nil)
    #expect(gap.row(in: Stage.reading(Array(Stage.posts[..<2]))) == 2)
    #expect(gap.row(in: Stage.reading([])) == nil)
    (gap.from, gap.to) = (nil, nil)
    #expect(gap.row(in: Stage.reading(Stage.posts)) == nil)
  }

  @Test func `f says so if no gap is known`() throws {
    var stage = try stage()
    stage.send(.gaps([], isCutShort: false))
    stage.press(.character("f"))
    #expect(stage.done() == [])
    #expect(stage.lines[22] == " No gap is known here.")
  }

  @Test(arguments: [
    (12, "12 s"), (60, "1 m"), (2520, "42 m"), (3600, "1 h"), (11_520, "3 h 12 m"), (457_200, "5 d 7 h"), (0, "0 s"),
    (90, "1 m"),
  ])
  func `a length of time has two units at most`(seconds: Double, text: String) {
    #expect(DurationText.length(seconds) == text)
  }

  // MARK: The end

  @Test func `G goes to the end of what is stored, and then asks for older posts`() throws {
    var stage = try Stage(posts: nil)
    stage.send(.list(Stage.reading(Array(Stage.posts[..<6]), after: true)))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)), .loaded)
    _ = stage.done()
    stage.press(.character("G"))
    #expect(stage.done() == [.load(.bottom)])
    stage.send(.list(Stage.reading(Array(Stage.posts[..<6]), after: true)))
    #expect(stage.screen.list.selected == 12)
    stage.send(.loaded, .list(Stage.reading(Array(Stage.posts[6...]), before: true)))
    #expect(stage.screen.list.selected == 1)
    #expect(stage.screen.newAbove == 0)
    #expect(stage.done().contains(.pull(.older)))
    #expect(stage.lines[21] == "        Pulling older posts…")
    let line = stage.screen.list.screenTop
    let older = Array(Stage.posts[6...]) + [Stage.post(0, hours: 20, "older")]
    stage.send(.list(Stage.reading(older, before: true)))
    stage.send(.pull(.ended(.older, new: 1, isEnd: false, failure: nil)))
    #expect((stage.screen.list.selected, stage.screen.list.screenTop) == (1, line))
  }

  @Test func `requests during a pull are done when it ends, each once`() throws {
    var stage = try Stage()
    #expect(stage.done() == [.pull(.new)])
    stage.press(.end, .down, .character("r"), .end)
    #expect(stage.done() == [])
    #expect(stage.lines[21] == "        Older posts follow when the pull under way is over.")
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    #expect(stage.done() == [.pull(.older)])
    stage.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    #expect(stage.done() == [])
    stage.press(.character("r"))
    #expect(stage.done() == [.pull(.new)])
    stage.press(.character("r"))
    stage.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(stage.done() == [.pull(.new)])
  }

  @Test func `a pull that was cut short is said at the end, and goes on there`() throws {
    var stage = try stage()
    stage.press(.end)
    stage.send(.pull(.ended(.older, new: 0, isEnd: false, failure: nil)), .gaps([], isCutShort: true))
    #expect(stage.lines[21] == "        A pull was cut short here · ↓ goes on")
    _ = stage.done()
    stage.press(.down)
    #expect(stage.done() == [.pull(.older)])
  }

  @Test func `a list that cannot be read says so until it is read again`() throws {
    var stage = try Stage()
    stage.send(.unreadable("the library is damaged · it is tried again"))
    stage.press(.down)
    #expect(stage.lines[22] == " the library is damaged · it is tried again")
    stage.send(.list(Stage.reading(Stage.posts)))
    #expect(stage.lines[22] == "")
  }

  @Test func `the title stays and the countdown goes if there is no room for both`() throws {
    let scope = ListScope(title: "#caturdaymorning", origin: "mastodon.social", canRefresh: true, canPullOlder: true)
    #expect(try Stage(20, 5, scope: scope).lines[0] == " #caturdaymorning")
    #expect(try Stage(10, 5, scope: scope).lines[0] == " #caturda…")
    #expect(try Stage(40, 5, scope: scope).lines[0].hasSuffix("refreshing…"))
  }
}
