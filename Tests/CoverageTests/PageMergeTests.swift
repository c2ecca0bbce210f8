import Coverage
import Testing

/// Merges of single pages, step by step.
struct PageMergeTests {
  /// The items and positions of a step that places late items; nil if it is another one.
  private func late(_ step: PageMerge.Step?) -> [Int: Int64]? {
    guard case .late(let placed) = step else { return nil }
    return positions(placed)
  }

  private func positions(_ placed: [PageMerge.Placement]) -> [Int: Int64] {
    Dictionary(uniqueKeysWithValues: placed.map { ($0.item, $0.position) })
  }

  /// The merge of a page that meets interval 1.
  private func meeting(_ items: [PositionedItem]) -> PageMerge {
    var merge = PageMerge(.down, items, in: nil, at: 0)
    while let step = merge.next() { if case .meets = step { break } }
    return merge
  }

  @Test func `a first page is placed from the top down`() throws {
    var merge = PageMerge(.down, [item(9), item(8), item(7)], in: nil, at: 0)
    #expect(merge.next() == nil)
    #expect(merge.firstWaiting == "9")
    merge.interval = interval(1, 9, 9)
    #expect(positions(merge.finish(at: nil)) == [0: -1, 1: -2, 2: -3])
    #expect(merge.interval == interval(1, 9, 7))
    #expect((merge.position, merge.known) == (-3, Known()))
  }

  @Test(arguments: [Direction.down, .up])
  func `items between those of the interval came late, in the position of the one above`(direction: Direction) {
    let page = [item(9, in: 1, at: 5), item(8), item(7, in: 1, at: 3)]
    var merge = PageMerge(direction, direction == .down ? page : page.reversed(), in: interval(1, 9, 7), at: 5)
    #expect(late(merge.next()) == [1: 5])
    #expect(merge.next() == nil && merge.firstWaiting == nil)
    #expect(merge.position == (direction == .down ? 3 : 5))
    #expect(merge.interval == interval(1, 9, 7))
  }

  @Test func `items that are shown again do not move a merge back`() {
    let page = [item(9, in: 1, at: 5), item(8), item(7, in: 1, at: 4)]
    var down = PageMerge(.down, page, in: interval(1, 9, 5), at: 3)
    #expect(late(down.next()) == [1: 4] && down.position == 3)
    var up = PageMerge(.up, [page[0], page[2], item(8)], in: interval(1, 9, 5), at: 3)
    #expect(up.next() == nil && up.position == 5)
  }

  @Test func `items at a page's end extend the interval beyond its end, in either direction`() {
    var down = PageMerge(.down, [item(7, in: 1, at: 3), item(6), item(5)], in: interval(1, 9, 7, end: true), at: 5)
    #expect(down.next() == nil)
    #expect(positions(down.finish(at: (position: 3, moment: text(7)))) == [1: 2, 2: 1])
    #expect((down.position, down.interval) == (1, interval(1, 9, 5)))
    var up = PageMerge(.up, [item(9, in: 1, at: 5), item(10), item(11)], in: interval(1, 9, 7, end: true), at: 3)
    #expect(up.next() == nil)
    #expect(positions(up.finish(at: (position: 5, moment: text(9)))) == [1: 6, 2: 7])
    #expect((up.position, up.interval) == (7, interval(1, 11, 7, end: true)))
    #expect(up.result == .higher(anchor: "9"))
  }

  /// The interval has items down to 4 and up to 20, which the page does not show.
  @Test func `if the end was not shown, dates decide, and what is above a newer item is newer, too`() {
    var down = PageMerge(
      .down, [item(9, in: 1, at: 5), item(8), item(3), item(6), item(2)], in: interval(1, 20, 4), at: 5)
    #expect(down.next() == nil)
    #expect(positions(down.finish(at: (position: 0, moment: text(4)))) == [1: 5, 2: 5, 3: 5, 4: -1])
    #expect(down.interval == interval(1, 20, 2))
    var up = PageMerge(.up, [item(9, in: 1, at: 5), item(10), item(21), item(12)], in: interval(1, 20, 4), at: 5)
    #expect(up.next() == nil)
    #expect(positions(up.finish(at: (position: 9, moment: text(20)))) == [1: 5, 2: 10, 3: 11])
    #expect(up.interval == interval(1, 12, 4))
  }

  @Test func `a page of late items alone moves no edge`() {
    var merge = PageMerge(.down, [item(8), item(7)], in: interval(1, 9, 4), at: 5)
    #expect(merge.next() == nil)
    #expect(positions(merge.finish(at: (position: 0, moment: text(4)))) == [0: 5, 1: 5])
    #expect((merge.position, merge.interval) == (5, interval(1, 9, 4)))
  }

  // MARK: Other intervals

  @Test func `several posts in order prove that the feed continues in an interval, and one alone does not`() {
    let two = meeting([item(9), item(6, in: 1, at: 5), item(5, in: 1, at: 4)]).meeting
    #expect((two?.isProven, two?.part) == (true, nil))
    let one = meeting([item(9), item(6, in: 1, at: 5)]).meeting
    #expect((one?.isProven, one?.part) == (false, nil))
    let reversed = meeting([item(5, in: 1, at: 4), item(6, in: 1, at: 5)]).meeting
    #expect((reversed?.isProven, reversed?.part) == (false, nil))
  }

  @Test func `if newer posts follow those of an interval, the feed continues in it down to the lowest of them`() {
    let lowest = item(5, in: 1, at: 4)
    let meeting = meeting([item(9), item(6, in: 1, at: 5), lowest, item(8), item(3)]).meeting
    #expect((meeting?.isProven, meeting?.part) == (true, lowest))
  }

  @Test func `if the page goes back to the own interval, the posts of another are out of order`() {
    let page = [item(9, in: 2, at: 5), item(6, in: 1, at: 5), item(5, in: 1, at: 4), item(8, in: 2, at: 4)]
    var merge = PageMerge(.down, page, in: interval(2, 9, 8), at: 6)
    guard case .meets(1) = merge.next() else { return #expect(Bool(false)) }
    #expect(merge.meeting == nil)
    merge.passOver()
    merge.passOver()
    #expect(late(merge.next()) == [1: 5, 2: 5])
  }

  @Test func `an interval behind is not met, and its posts count as out of order`() {
    let own = interval(2, 20, 10)
    for (direction, other) in [(Direction.down, Int64(3)), (.up, 1)] {
      var merge = PageMerge(direction, [item(15, in: 2, at: 5), item(40, in: other, at: 1)], in: own, at: 5)
      #expect(merge.next() == nil && merge.firstWaiting == "40")
    }
  }

  @Test func `an upward merge leaves a post of a higher interval where it was`() {
    let page = [item(7, in: 1, at: 3), item(30, in: 2, at: 9), item(8), item(9)]
    var merge = PageMerge(.up, page, in: interval(1, 7, 5), at: 3)
    guard case .meets(2) = merge.next() else { return #expect(Bool(false)) }
    #expect(merge.meeting?.isProven == false)
    merge.passOver()
    #expect(merge.next() == nil)
    #expect(positions(merge.finish(at: (position: 3, moment: text(7)))) == [2: 4, 3: 5])
    #expect(merge.result == .higher(anchor: "7"))
  }

  @Test func `a merge goes on in the joined interval, below its border or above it`() {
    var down = meeting([item(9), item(6, in: 1, at: 5), item(4)])
    down.interval = interval(2, 9, 9)
    #expect(positions(down.extend(beyond: nil)) == [0: -1])
    down.join(.whole(interval(1, 9, 6), border: 6))
    #expect(down.position == 6)
    down.reread([item(6, in: 1, at: 5), item(4)])
    #expect(down.next() == nil)
    #expect(positions(down.finish(at: (position: 5, moment: text(6)))) == [2: 4])
    #expect(down.interval == interval(1, 9, 4))
    var up = PageMerge(.up, [item(7, in: 1, at: 3), item(8, in: 2, at: 1)], in: interval(1, 7, 5), at: 3)
    guard case .meets(2) = up.next() else { return #expect(Bool(false)) }
    up.join(.whole(interval(2, 9, 5), border: 1))
    #expect((up.position, up.result) == (0, .joined))
  }

  @Test func `items of the interval behind a link are passed, and items between them came late`() {
    var merge = meeting([item(6, in: 1, at: 5), item(9, in: 2, at: 3), item(7), item(8, in: 2, at: 2)])
    merge.join(.linked(upper: interval(2, 9, 8, successor: 1), lower: interval(1, 6, 4)))
    #expect(late(merge.next()) == [2: 5])
    #expect(merge.next() == nil && merge.firstWaiting == nil)
  }

  @Test func `part of an interval makes the end of the own one, whose rest is not the feed's end`() {
    let lowest = item(5, in: 1, at: 4)
    var merge = meeting([item(6, in: 1, at: 5), lowest, item(8)])
    merge.interval = interval(2, 6, 6, end: true)
    merge.join(downTo: lowest, below: nil)
    #expect((merge.position, merge.interval) == (0, interval(2, 6, 5)))
  }

  // MARK: What a page shows

  @Test func `a page's end was known if its last item belonged to an interval that its pull has not passed`() {
    let own = interval(2, 20, 10)
    let known = { PageMerge(.down, $0, in: own, at: 5).known }
    #expect(known([item(9), item(8, in: 1, at: 3), item(7)]) == Known())
    #expect(
      known([item(9), item(8, in: 1, at: 3), item(7), item(6, in: 1, at: 2)]) == Known(isTouched: true, overlap: 3))
    #expect(known([item(12, in: 2, at: 5), item(11, in: 2, at: 6)]) == Known())
    #expect(known([item(12, in: 2, at: 5), item(11, in: 2, at: 4)]) == Known(isTouched: true, overlap: 1))
    #expect(known([]) == Known())
  }

  @Test func `a page lies above an anchor if it shows the interval from there at its lower end, and nothing below`() {
    let begins = { (items: [PositionedItem]) in PageMerge(.up, items, in: interval(1, 9, 5), at: 0).begins(above: 3) }
    #expect(begins([item(7, in: 1, at: 3), item(8, in: 1, at: 4)]))
    #expect(begins([item(4), item(6), item(8, in: 1, at: 4)]))
    #expect(!begins([item(4), item(5), item(6), item(8, in: 1, at: 4)]))
    #expect(!begins([item(7, in: 1, at: 3), item(6, in: 1, at: 2)]))
    #expect(!begins([]))
  }

  @Test func `a page of known items that ends with the newest one shows the top`() {
    let page = [item(8, in: 1, at: 4), item(9, in: 1, at: 5)]
    #expect(PageMerge(.up, page, in: interval(1, 9, 5), at: 0).result == .top)
    #expect(PageMerge(.up, page, in: interval(1, 10, 5), at: 0).result == .higher(anchor: "8"))
  }
}
