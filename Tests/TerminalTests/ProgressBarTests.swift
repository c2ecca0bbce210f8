import Terminal
import Testing

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
  func `a narrow line loses what matters least`(width: Int, line: Inert) {
    #expect(bar.render(width: width) == line)
  }

  @Test func `no line is wider than asked for`() {
    for width in 0...120 { #expect(TextWidth.of(bar.render(width: width)) <= width) }
  }

  @Test func `an unknown total draws no bar, more than all a full one`() {
    #expect(ProgressBar(title: "x", done: 3, unit: "pages").render(width: 80) == "x  3 pages")
    for (done, total) in [(9, 3), (0, 0)] {
      let line = ProgressBar(title: "x", done: done, total: total, unit: "p").render(width: 80)
      #expect(line.text.contains("━━━━━━━━━━━━━━━━━━━━"))
    }
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1549, "1.5 kB"), (999_999, "999.9 kB"), (1_000_000, "1.0 MB"),
    (Int.max, "9.2 EB"), (-5, "0 B"),
  ])
  func `bytes read as people say them`(bytes: Int, text: String) {
    #expect(ByteText.of(bytes) == text)
  }
}
