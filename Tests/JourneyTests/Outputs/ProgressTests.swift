import Foundation
import Harvest
import Posts
import Storage
import Synchronization
import Terminal
import Testing

@testable import media

/// The live line of each kind of work.
struct ProgressTests {
  /// A terminal of 120 columns whose clock the test sets.
  private final class Screen: Sendable {
    private let state = Mutex((drawn: [String](), now: ContinuousClock.now))

    func line(_ console: Console = Console(isQuiet: true)) -> LiveLine {
      LiveLine(
        console,
        on: LiveLine.Surface(
          columns: { 120 }, now: { self.state.withLock { $0.now } },
          draw: { piece in self.state.withLock { $0.drawn.append(piece.text) } }))
    }

    func pass(_ time: Duration) { state.withLock { $0.now += time } }

    /// The drawn text, without the sequence that clears the line.
    var drawn: [String] { state.withLock { $0.drawn.map { $0.replacing("\r\u{1B}[K", with: "") } } }
    var last: String { drawn.last ?? "" }
  }

  private static let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: Server("a.example")!)

  @Test func `the line is drawn again after a moment, at once where it must be, and goes when it is cleared`() {
    let screen = Screen()
    let line = screen.line()
    let bar = ProgressBar(title: "x", done: 1, unit: "pages")
    line.clear()
    #expect(screen.drawn == [])
    line.show(bar)
    line.show(bar)
    #expect(screen.drawn == ["x  1 pages"])
    screen.pass(.milliseconds(60))
    line.show(bar)
    line.show(bar, always: true)
    #expect(screen.drawn.count == 3)
    line.say("a word")
    line.clear()
    #expect(screen.drawn.count == 4 && screen.last == "")
  }

  @Test func `with --quiet nothing is drawn`() { #expect(!LiveLine(Console(isQuiet: true)).isSeen) }

  @Test func `each work has a pace of its own`() {
    let screen = Screen()
    let line = screen.line()
    func show(_ done: Int, _ bytes: Int) {
      screen.pass(.seconds(1))
      line.show(ProgressBar(title: "x", done: done, total: 10, unit: "files", bytes: bytes))
    }
    for second in 0..<5 { show(second, second * 1_000_000) }
    #expect(screen.last.hasSuffix("4.0 MB  1.0 MB/s  0:05 left"))
    line.begin()
    for second in 0..<5 { show(second, second * 2_000_000) }
    #expect(screen.last.hasSuffix("8.0 MB  2.0 MB/s  0:05 left"))
  }

  @Test func `a pull without a number of pages has a bar, its speed and the time that is left`() {
    let screen = Screen()
    let progress = Progress(Console(isQuiet: true), feed: Self.feed, pages: nil, time: .system, on: screen.line())
    progress.note(.page(number: 1, posts: 40))
    for done in 0...5 {
      screen.pass(.seconds(1))
      progress.note(.picture(done: done * 5, known: 50, bytes: Int64(done) * 1_000_000))
    }
    #expect(
      screen.last
        == "tag:cats@a.example  ━━━━━━━━━━──────────  1 pages  25/50 pictures  5.0 MB  1.0 MB/s  0:06 left")
  }

  @Test func `a check shows its progress over rows, pictures and new downloads`() {
    let screen = Screen()
    let report = CheckReport(Console(isQuiet: true), json: false, repair: true, on: screen.line())
    report.note(.rows("posts", done: 3, known: 12))
    #expect(screen.last == "check  ━━━━━───────────────  3/12 kinds of rows  posts")
    for done in 0...4 {
      screen.pass(.seconds(1))
      report.note(.pictures(done: done, known: 8, bytes: done * 1_000_000))
    }
    #expect(screen.last == "check  ━━━━━━━━━━──────────  4/8 pictures  4.0 MB  1.0 MB/s  0:04 left")
    for done in 0...4 {
      screen.pass(.seconds(1))
      report.note(.picture(done: done, known: 16, bytes: Int64(done) * 3_000_000))
    }
    #expect(screen.last == "check  ━━━━━───────────────  4/16 pictures  12.0 MB  3.0 MB/s  0:12 left  fetched anew")
  }

  @Test func `garbage collection shows its progress in every step`() {
    let screen = Screen()
    let progress = GarbageProgress(screen.line())
    for (step, text) in [
      (GarbageStep.freed(5, known: 20, bytes: 7_000_000), "gc  ━━━━━───────────────  5/20 files freed  7.0 MB"),
      (.files(10, known: 20), "gc  ━━━━━━━━━━──────────  10/20 files"),
      (.store, "gc  ────────────────────  0/1 store  its empty room"),
    ] {
      screen.pass(.seconds(1))
      progress.note(step)
      #expect(screen.last == text)
    }
  }

  @Test func `a recheck shows its progress over posts and the pictures of edits`() {
    let looked = RecheckRunner.bar(of: Self.feed, lookedUp: 10, of: 40).render(width: 120)
    #expect(looked == "tag:cats@a.example  ━━━━━───────────────  10/40 posts looked up")
    let fetched = RecheckRunner.bar(of: Self.feed, fetching: .picture(done: 1, known: 2, bytes: 5_000_000))
    #expect(
      fetched?.render(width: 120) == "tag:cats@a.example  ━━━━━━━━━━──────────  1/2 pictures of edited posts  5.0 MB")
  }

  @Test func `a harvest counts the pictures of all feeds that it pulls at once, and their bytes`() {
    let screen = Screen()
    let progress = HarvestProgress(Console(isQuiet: true), feeds: 2, on: screen.line())
    let other = Feed(source: .mastodon, kind: .tag, value: "dogs", server: Self.feed.server)
    progress.note(.pulls(Self.feed, .picture(done: 5, known: 10, bytes: 3_000_000)))
    screen.pass(.seconds(1))
    progress.note(.pulls(other, .picture(done: 1, known: 2, bytes: 1_000_000)))
    #expect(screen.last == "harvest  ────────────────────  0/2 feeds  6/12 pictures  4.0 MB  tag:dogs@a.example")
    screen.pass(.seconds(1))
    progress.note(.pulls(Self.feed, .picture(done: 10, known: 10, bytes: 6_000_000)))
    #expect(screen.last.contains("11/12 pictures  7.0 MB"))
  }
}
