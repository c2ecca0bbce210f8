import Foundation
import Machine
import Storage
import Testing
import Wording

/// Numbers and moments read the same in the command, the list and the gallery.
struct WordingTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1549, "1.5 kB"), (999_999, "999.9 kB"), (1_000_000, "1.0 MB"),
    (123_456_789, "123.4 MB"), (Int.max, "9.2 EB"), (-5, "0 B"),
  ])
  func `bytes are formatted for people`(bytes: Int, text: String) { #expect(NumberText.bytes(bytes) == text) }

  @Test(arguments: [
    (12, "12 s"), (60, "1 m"), (2520, "42 m"), (3600, "1 h"), (11_520, "3 h 12 m"), (457_200, "5 d 7 h"), (0, "0 s"),
    (90, "1 m"), (-1, "0 s"),
  ])
  func `a length of time has two units at most`(seconds: Double, text: String) {
    #expect(NumberText.span(seconds) == text)
  }

  @Test(arguments: [
    (0, "0 s"), (41.2, "42 s"), (60, "1 m"), (61, "2 m"), (1799.5, "30 m"), (3599, "1 h"), (10_801, "3 h"),
  ])
  func `the time that remains is rounded up`(seconds: Double, text: String) {
    #expect(NumberText.left(seconds) == text)
  }

  @Test func `counts are grouped, and have a plural`() {
    #expect(
      [0, 1, 2, 1_234_567].map { NumberText.count($0, "post") } == ["0 posts", "1 post", "2 posts", "1,234,567 posts"])
    #expect(NumberText.count(2, "entry", "entries") == "2 entries")
    #expect(NumberText.grouped(-1234) == "-1,234")
    #expect([999, 1234, 12_345, 3_456_789].map(NumberText.brief) == ["999", "1.2k", "12k", "3.4M"])
    #expect([0.125, 0.5, 0.00013, 2].map(NumberText.percent) == ["12.50%", "50%", "0.01%", "100%"])
    #expect(NumberText.list(["a", "b", "c"], by: "or") == "a, b or c")
  }

  @Test func `moments are shown in their zone, with leading zeros`() throws {
    let moment = try #require(UTC.date("2026-03-04T05:06:07Z"))
    let berlin = MomentText(try #require(TimeZone(identifier: "Europe/Berlin")))
    #expect(berlin.minute(moment) == "2026-03-04 06:06")
    #expect([berlin.month(moment), berlin.day(moment), berlin.time(moment)] == ["2026-03", "2026-03-04", "06:06"])
    #expect(berlin.brief(moment) == "03-04 06:06")
    #expect(berlin.exact(moment) == "2026-03-04 06:06:07 UTC+01:00")
    #expect(berlin.range(moment, moment + 3600) == "2026-03-04 06:06 to 07:06")
    #expect(berlin.range(moment, moment + 86_400) == "2026-03-04 06:06 to 2026-03-05 06:06")
  }

  @Test func `digits get zeros before them`() {
    #expect([7.digits(2), 12.digits(2), 99.digits(4), 12_345.digits(4)] == ["07", "12", "0099", "12345"])
  }

  @Test func `a word of a shell is quoted if it must be`() {
    #expect(ShellText.word("tag:cats@mastodon.social") == "tag:cats@mastodon.social")
    #expect(ShellText.word("search:it's $(x)") == "'search:it'\\''s $(x)'")
    #expect(ShellText.word("") == "''")
  }
}
