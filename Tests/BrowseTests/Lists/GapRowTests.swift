import Foundation
import MediaLibrary
import Terminal
import Testing

@testable import Browse

/// The rows of gaps, the end of the list, and what is remembered during a pull.
struct GapRowTests {
  private static let id = ListGap.ID(upper: 2, lower: 1)

  /// A list of twelve posts with a gap between the second and the third, after the first refresh.
  private func tester(_ columns: Int = 80, _ rows: Int = 24, gap: ListGap = gap) throws -> ScreenTester {
    var tester = try ScreenTester(columns, rows)
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)), .gaps([gap], isCutShort: false))
    _ = tester.done()
    return tester
  }

  private static let gap = ListGap(
    id: id, to: ScreenTester.posts[1].createdAt, from: ScreenTester.posts[1].createdAt - 11_520, above: 11, below: 10)

  @Test func `a gap stands between its posts, and f fills it`() throws {
    var tester = try tester()
    #expect(tester.lines[9].hasPrefix("        A gap of 3 h 12 m lies here · f fills it ┄┄"))
    #expect(tester.lines[10].contains("3 h"))
    tester.press(.character("f"))
    #expect(tester.done() == [.pull(.gap(Self.id))])
    #expect(tester.lines[9].hasPrefix("        Filling the gap… ┄"))
    #expect(tester.lines[0].hasSuffix("filling the gap…"))
    tester.send(.pull(.ended(.gap(Self.id), new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    #expect(tester.lines[9].hasPrefix("        mastodon.social cannot be reached · f tries again"))
    tester.press(.character("f"))
    #expect(tester.done() == [.pull(.gap(Self.id))])
    tester.send(.gaps([], isCutShort: false), .pull(.ended(.gap(Self.id), new: 3, isEnd: false, failure: nil)))
    #expect(!tester.text.contains("gap"))
    #expect(tester.lines[9].contains("3 h"))
  }

  @Test func `a gap that comes or goes above the selected post does not move it`() throws {
    var tester = try tester()
    tester.press(.pageDown, .down, .down)
    let (line, selected) = (tester.screen.list.screenTop, tester.screen.list.selected)
    tester.send(.gaps([], isCutShort: false))
    #expect((tester.screen.list.screenTop, tester.screen.list.selected) == (line, selected))
    tester.send(.gaps([Self.gap], isCutShort: false))
    #expect((tester.screen.list.screenTop, tester.screen.list.selected) == (line, selected))
  }

  @Test func `the nearest of several gaps is filled, and one after the other`() throws {
    var tester = try tester()
    let lower = ListGap(id: ListGap.ID(upper: 1, lower: 0), above: 5, below: 4)
    tester.send(.gaps([Self.gap, lower], isCutShort: false))
    tester.press(.down, .down, .down, .down, .down, .character("f"))
    #expect(tester.done() == [.pull(.gap(lower.id))])
    tester.press(.home, .character("f"), .character("f"))
    #expect(tester.done() == [])
    #expect(tester.text.contains("The gap is filled when the pull under way is over."))
    tester.send(.pull(.ended(.gap(lower.id), new: 0, isEnd: false, failure: "no")))
    #expect(tester.done() == [.pull(.gap(Self.id))])
  }

  @Test func `without a gap among the rows, the nearest in time is filled`() throws {
    let past = ScreenTester.posts[11].createdAt - 86_400
    let far = ListGap(id: ListGap.ID(upper: 7, lower: 6), to: past, from: past - 3600)
    let further = ListGap(id: ListGap.ID(upper: 6, lower: 5), to: past - 7200, from: past - 9000)
    var tester = try tester()
    tester.send(.list(ScreenTester.reading(ScreenTester.posts, after: true)), .gaps([further, far], isCutShort: false))
    _ = tester.done()
    #expect(!tester.text.contains("A gap"))
    tester.press(.character("f"))
    #expect(tester.done() == [.pull(.gap(far.id))])
  }

  @Test func `a second click on a gap fills it`() throws {
    var tester = try tester()
    tester.send(.input(.mouse(Mouse(.press, row: 9, column: 20))))
    #expect(tester.done() == [])
    #expect(tester.screen.list.selected == 12)
    tester.send(.input(.mouse(Mouse(.press, row: 9, column: 20))))
    #expect(tester.done() == [.pull(.gap(Self.id))])
  }

  @Test func `a gap whose posts are gone stands by its dates, and outside of the window nowhere`() throws {
    var gap = Self.gap
    (gap.above, gap.below, gap.from) = (nil, nil, ScreenTester.posts[2].createdAt + 60)
    #expect(gap.row(in: ScreenTester.reading(ScreenTester.posts)) == 2)
    #expect(gap.row(in: ScreenTester.reading(Array(ScreenTester.posts[2...]), before: true)) == nil)
    #expect(gap.row(in: ScreenTester.reading(Array(ScreenTester.posts[2...]))) == 0)
    #expect(gap.row(in: ScreenTester.reading(Array(ScreenTester.posts[..<2]), after: true)) == nil)
    #expect(gap.row(in: ScreenTester.reading(Array(ScreenTester.posts[..<2]))) == 2)
    #expect(gap.row(in: ScreenTester.reading([])) == nil)
    (gap.from, gap.to) = (nil, nil)
    #expect(gap.row(in: ScreenTester.reading(ScreenTester.posts)) == nil)
  }

  @Test func `f says so if no gap is known`() throws {
    var tester = try tester()
    tester.send(.gaps([], isCutShort: false))
    tester.press(.character("f"))
    #expect(tester.done() == [])
    #expect(tester.lines[22] == " No gap is known here.")
  }

  // MARK: The end

  @Test func `G goes to the end of what is stored, and then asks for older posts`() throws {
    var tester = try ScreenTester(posts: nil)
    tester.send(.list(ScreenTester.reading(Array(ScreenTester.posts[..<6]), after: true)))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)), .loaded)
    _ = tester.done()
    tester.press(.character("G"))
    #expect(tester.done() == [.load(.bottom)])
    tester.send(.list(ScreenTester.reading(Array(ScreenTester.posts[..<6]), after: true)))
    #expect(tester.screen.list.selected == 12)
    tester.send(.loaded, .list(ScreenTester.reading(Array(ScreenTester.posts[6...]), before: true)))
    #expect(tester.screen.list.selected == 1)
    #expect(tester.screen.newAbove == 0)
    #expect(tester.done().contains(.pull(.older)))
    #expect(tester.lines[21] == "        Pulling older posts…")
    let line = tester.screen.list.screenTop
    let older = Array(ScreenTester.posts[6...]) + [ScreenTester.post(0, hours: 20, "older")]
    tester.send(.list(ScreenTester.reading(older, before: true)))
    tester.send(.pull(.ended(.older, new: 1, isEnd: false, failure: nil)))
    #expect((tester.screen.list.selected, tester.screen.list.screenTop) == (1, line))
  }

  @Test func `requests during a pull are done when it ends, each once`() throws {
    var tester = try ScreenTester()
    #expect(tester.done() == [.pull(.new)])
    tester.press(.end, .down, .character("r"), .end)
    #expect(tester.done() == [])
    #expect(tester.lines[21] == "        Older posts follow when the pull under way is over.")
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: "mastodon.social cannot be reached")))
    #expect(tester.done() == [.pull(.older)])
    tester.send(.pull(.ended(.older, new: 0, isEnd: true, failure: nil)))
    #expect(tester.done() == [])
    tester.press(.character("r"))
    #expect(tester.done() == [.pull(.new)])
    tester.press(.character("r"))
    tester.send(.pull(.ended(.new, new: 0, isEnd: false, failure: nil)))
    #expect(tester.done() == [.pull(.new)])
  }

  @Test func `a pull that was cut short is said at the end, and goes on there`() throws {
    var tester = try tester()
    tester.press(.end)
    tester.send(.pull(.ended(.older, new: 0, isEnd: false, failure: nil)), .gaps([], isCutShort: true))
    #expect(tester.lines[21] == "        A pull was cut short here · ↓ goes on")
    _ = tester.done()
    tester.press(.down)
    #expect(tester.done() == [.pull(.older)])
  }

  @Test func `a list that cannot be read says so until it is read again`() throws {
    var tester = try ScreenTester()
    tester.send(.unreadable("the library is damaged · it is tried again"))
    tester.press(.down)
    #expect(tester.lines[22] == " the library is damaged · it is tried again")
    tester.send(.list(ScreenTester.reading(ScreenTester.posts)))
    #expect(tester.lines[22] == "")
  }

  @Test func `the title stays and the countdown goes if there is no room for both`() throws {
    let scope = ListScope(title: "#caturdaymorning", origin: "mastodon.social", canRefresh: true, canPullOlder: true)
    #expect(try ScreenTester(20, 5, scope: scope).lines[0] == " #caturdaymorning")
    #expect(try ScreenTester(10, 5, scope: scope).lines[0] == " #caturda…")
    #expect(try ScreenTester(40, 5, scope: scope).lines[0].hasSuffix("refreshing…"))
  }
}
