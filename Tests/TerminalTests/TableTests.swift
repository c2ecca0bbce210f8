import Terminal
import Testing

struct TableTests {
  private let table = Table(
    [
      Table.Column("ID", minimum: 2, trailing: true), Table.Column("When", minimum: 5, ideal: 16),
      Table.Column("Author", minimum: 6, ideal: 24), Table.Column("Caption", minimum: 8),
    ],
    rows: [
      ["7", "2026-11-20 09:00", "birds@mastodon.social", "Morning walk with the cats"],
      ["1234", "2026-11-20 08:59", "猫@photos.example", "ねこ\nand a second line"],
      ["8"],
    ]
  )

  @Test func `without a width every cell is shown whole`() {
    #expect(
      table.lines(width: nil) == [
        "  ID  When              Author                 Caption",
        "   7  2026-11-20 09:00  birds@mastodon.social  Morning walk with the cats",
        "1234  2026-11-20 08:59  猫@photos.example      ねこ and a second line",
        "   8",
      ]
    )
  }

  @Test func `a narrow table shortens its widest cells`() {
    #expect(
      table.lines(width: 50) == [
        "  ID  When   Author            Caption",
        "   7  2026…  birds@mastodon.…  Morning walk with …",
        "1234  2026…  猫@photos.examp…  ねこ and a second …",
        "   8",
      ]
    )
  }

  @Test func `what a last cell has no room for goes on below its row`() {
    let table = Table(
      [.init("Feed"), .init("State", minimum: 8, givesWayFirst: true, wraps: true)],
      rows: [["cats@mastodon.social", "failing: cannot reach mastodon.social, try again later"], ["dogs", "well"]])
    #expect(
      table.lines(width: 38) == [
        "Feed                  State", "cats@mastodon.social  failing: cannot",
        "  reach mastodon.social, try again", "  later", "dogs                  well",
      ])
    #expect(table.lines(width: nil).count == 3)
    let address = Table(
      [.init("Feed"), .init("State", minimum: 8, givesWayFirst: true, wraps: true)],
      rows: [["cats", "failing: http://127.0.0.1:9101 is down"], ["dogs", "http://127.0.0.1:9101"]])
    #expect(
      address.lines(width: 24) == [
        "Feed  State", "cats  failing:", "  http://127.0.0.1:9101", "  is down", "dogs", "  http://127.0.0.1:9101",
      ])
  }

  @Test func `a column that gives way first is shortened to its minimum before any other is`() {
    let columns = [
      Table.Column("Author", minimum: 6), Table.Column("Caption", minimum: 8, givesWayFirst: true),
      Table.Column("Pics"),
    ]
    let table = Table(columns, rows: [["birds@mastodon.social", "Morning walk with the cats", "3"]])
    #expect(table.lines(width: 40)[1] == "birds@mastodon.social  Morning wa…  3")
    #expect(table.lines(width: 37)[1] == "birds@mastodon.social  Morning…  3")
    #expect(table.lines(width: 34)[1] == "birds@mastodon.so…  Morning…  3")
  }

  @Test func `a table too narrow for all its columns drops the last ones`() {
    #expect(table.lines(width: 12) == ["  ID  When", "   7  2026-…", "1234  2026-…", "   8"])
  }

  @Test(arguments: 1...130)
  func `no line is wider than the terminal`(width: Int) {
    for line in table.lines(width: width) { #expect(TextWidth.of(line) <= width) }
  }

  @Test func `from 20 columns up the first two columns are there`() {
    for width in 20...130 {
      #expect(table.lines(width: width)[1].text.hasPrefix("   7  2026"))
    }
  }

  @Test func `a cell cannot steer the terminal`() {
    let table = Table([Table.Column("A")], rows: [["\u{1B}[2Jx\ny"]])
    #expect(table.lines(width: 20) == ["A", "[2Jx y"])
  }

  @Test func `a table without rows has only its titles`() {
    #expect(Table([Table.Column("A"), Table.Column("B")], rows: []).lines(width: 20) == ["A  B"])
    #expect(Table([], rows: []).lines(width: 20) == [""])
  }
}
