import Terminal
import Testing

@testable import media

struct ProgressBarTests {
  private let bar = ProgressBar(
    title: "tag:cats@mastodon.social",
    done: 3,
    total: 10,
    unit: "pages",
    bytes: 61_234_567,
    note: "waits 12 s"
  )

  @Test(arguments: [
    (100, "tag:cats@mastodon.social  ━━━━━━──────────────  3/10 pages  61.2 MB  waits 12 s"),
    (70, "tag:cats@mastodon.social  ━━━━━━──────────────  3/10 pages  61.2 MB"),
    (50, "tag:cats@mastodon.social  3/10 pages  61.2 MB"), (40, "tag:cats@mastodon.social  3/10 pages"),
    (30, "tag:cats@mastodon…  3/10 pages"), (12, "3/10 pages"), (5, "3/10…"),
  ])
  func `a narrow line drops the least important parts`(width: Int, line: SafeText) {
    #expect(bar.render(width: width) == line)
  }

  @Test func `no line is wider than its limit`() {
    for width in 0...120 { #expect(TextWidth.of(bar.render(width: width)) <= width) }
  }

  @Test func `an unknown total draws no bar, more than all a full one`() {
    #expect(ProgressBar(title: "x", done: 3, unit: "pages").render(width: 80) == "x  3 pages")
    for (done, total) in [(9, 3), (0, 0)] {
      let line = ProgressBar(title: "x", done: done, total: total, unit: "p").render(width: 80)
      #expect(line.text.contains("━━━━━━━━━━━━━━━━━━━━"))
    }
  }

  @Test func `pages and pictures are one bar, with bytes per second and the remaining time`() {
    let start = ContinuousClock.now
    var bar = ProgressBar(title: "tag:cats", done: 2, total: 10, unit: "pages", bytes: 4_000_000)
    bar.part = ProgressBar.Part(done: 30, known: 60, unit: "pictures")
    #expect(bar.share == 0.1)
    var pace = ProgressPace()
    pace.note(share: 0, bytes: 0, at: start)
    pace.note(share: 0.05, bytes: 1_000_000, at: start + .seconds(1))
    #expect(bar.render(width: 200, pace: pace) == "tag:cats  ━━──────────────────  2/10 pages  30/60 pictures  4.0 MB")
    pace.note(share: 0.1, bytes: 4_000_000, at: start + .seconds(10))
    let whole: SafeText = "tag:cats  ━━──────────────────  2/10 pages  30/60 pictures  4.0 MB  1:30 left"
    #expect(bar.render(width: 200, pace: pace) == whole)
    pace.note(share: 0.2, bytes: 6_000_000, at: start + .seconds(12))
    bar.bytes = 6_000_000
    let faster: SafeText = "tag:cats  ━━──────────────────  2/10 pages  30/60 pictures  6.0 MB  1.0 MB/s  0:48 left"
    #expect(bar.render(width: 200, pace: pace) == faster)
    for width in 0...120 { #expect(TextWidth.of(bar.render(width: width, pace: pace)) <= width) }
  }

  @Test func `the speed is known all the time, however close together the events are`() {
    let start = ContinuousClock.now
    var pace = ProgressPace()
    var speeds: [Int?] = []
    for event in 0..<600 {
      pace.note(share: Double(event) / 600, bytes: event * 50_000, at: start + .milliseconds(50) * event)
      if event >= 40 { speeds.append(pace.bytesPerSecond) }
    }
    #expect(speeds.allSatisfy { $0.map { (990_000...1_010_000).contains($0) } == true })
  }

  @Test func `if the number of pages is unknown, the pictures give the progress`() {
    var bar = ProgressBar(title: "tag:cats", done: 2, unit: "pages")
    #expect(bar.share == nil)
    bar.part = ProgressBar.Part(done: 15, known: 60, unit: "pictures")
    #expect(bar.share == 0.25)
    #expect(bar.render(width: 200) == "tag:cats  ━━━━━───────────────  2 pages  15/60 pictures")
  }

  @Test func `an operation of unknown length, or one that has stopped, has no remaining time`() {
    let start = ContinuousClock.now
    var pace = ProgressPace()
    for second in 0...20 { pace.note(share: nil, bytes: 1000, at: start + .seconds(second)) }
    #expect(pace.timeLeft == nil && pace.bytesPerSecond == nil)
    var done = ProgressPace()
    done.note(share: 0, bytes: 0, at: start)
    done.note(share: 1, bytes: 10, at: start + .seconds(9))
    #expect(done.timeLeft == nil)
  }
}
