import Foundation
import PropertyTesting
import Testing

@testable import Machine

struct HourTableTests {
  private static let midnight = Date(timeIntervalSince1970: 1_795_132_800)
  private static let hours = (0..<24).map { DateInterval(start: midnight + Double($0) * 3600, duration: 3600) }

  private func entry(_ start: Double, _ end: Double) -> DateInterval {
    DateInterval(start: Self.midnight + start * 3600, end: Self.midnight + end * 3600)
  }

  private func table(_ entries: DateInterval...) -> HourTable { HourTable(hours: Self.hours, entries: entries) }

  @Test func `an entry fills every hour that it covers, and not the one that begins at its end`() {
    let table = table(entry(14.5, 16.2), entry(20, 21))
    #expect(table.blocks.map(\.hours) == [14..<17, 20..<21])
    #expect(table.lines.map(\.count) == Self.hours.indices.map { (14...16).contains($0) || $0 == 20 ? 1 : 0 })
    #expect(table.blocks.allSatisfy { $0.columns == 1 && !$0.beginsBefore && !$0.endsAfter })
  }

  @Test func `entries at the same time stand side by side, and others get the whole width again`() {
    let table = table(entry(9, 11), entry(10, 12), entry(11, 13), entry(15, 16))
    #expect(table.blocks.map(\.column) == [0, 1, 0, 0])
    #expect(table.blocks.map(\.columns) == [2, 2, 2, 1])
    #expect(table.lines[10] == [HourTable.Line(cells: [0, 1])])
    #expect(table.lines[11] == [HourTable.Line(cells: [2, 1])])
    #expect(table.lines[12] == [HourTable.Line(cells: [2, nil])])
  }

  @Test func `entries that follow each other within an hour stand below each other`() {
    let table = table(entry(14, 14.25), entry(14.25, 14.75), entry(14.1, 15.5), entry(14.8, 16))
    // The long one beside them fills the lines of all.
    #expect(table.lines[14].map(\.cells) == [[0, 1], [2, 1], [3, 1]])
    #expect(table.lines[15].map(\.cells) == [[3, 1]])
  }

  @Test func `an entry of several days fills the whole table, and one without a length has no place`() {
    let table = table(entry(-30, 50), entry(8, 8), entry(24, 25), entry(-1, 0))
    #expect(table.blocks.count == 1)
    #expect(table.blocks[0].hours == 0..<24)
    #expect(table.blocks[0].beginsBefore && table.blocks[0].endsAfter)
    #expect(HourTable(hours: [], entries: [entry(8, 9)]).blocks.isEmpty)
  }

  @Test(arguments: PropertyTest.seeds(sample: 100, whole: 5000))
  func `no two overlapping blocks share a column, and no column is too many`(seed: UInt64) {
    var dice = Dice(state: seed)
    // Multiples of five minutes meet each other often.
    let entries = (0..<dice.below(14)).map { _ in
      let start = Double(dice.below(26 * 12) - 12) / 12
      return entry(start, start + Double(dice.below([3, 12, 60, 400][dice.below(4)])) / 12)
    }
    let table = HourTable(hours: Self.hours, entries: entries)
    let times = table.blocks.map { entries[$0.entry] }
    let isOverlapping = { (one: DateInterval, other: DateInterval) in one.start < other.end && other.start < one.end }
    for one in table.blocks.indices {
      let block = table.blocks[one]
      #expect(block.column < block.columns, "seed \(seed)")
      for other in table.blocks.indices where one < other && isOverlapping(times[one], times[other]) {
        #expect(block.column != table.blocks[other].column, "seed \(seed)")
        #expect(block.columns == table.blocks[other].columns, "seed \(seed)")
      }
    }
    checkColumns(table, times, seed)
    checkHours(table, entries, seed)
  }

  /// A group has as many columns as it has entries at its busiest moment.
  private func checkColumns(_ table: HourTable, _ times: [DateInterval], _ seed: UInt64) {
    for block in table.blocks.indices {
      // The entries that are connected to it.
      var group: Set<Int> = [block]
      while true {
        let next = times.indices.filter { other in
          !group.contains(other)
            && group.contains { times[$0].start < times[other].end && times[other].start < times[$0].end }
        }
        if next.isEmpty { break }
        group.formUnion(next)
      }
      let busiest = group.map { one in
        group.count { times[$0].start <= times[one].start && times[one].start < times[$0].end }
      }
      #expect(table.blocks[block].columns == busiest.max(), "seed \(seed)")
    }
  }

  /// Each entry is in every hour that it covers and in no other, and stands in its own column there.
  private func checkHours(_ table: HourTable, _ entries: [DateInterval], _ seed: UInt64) {
    for (hour, lines) in table.lines.enumerated() {
      let time = Self.hours[hour]
      let wanted = entries.indices.filter { entry in
        let entry = entries[entry]
        return entry.duration > 0 && entry.start < time.end && time.start < entry.end
      }
      let shown = Set(lines.flatMap { $0.cells.compactMap(\.self) })
      #expect(shown.map { table.blocks[$0].entry }.sorted() == wanted, "seed \(seed), hour \(hour)")
      for line in lines {
        for (column, block) in line.cells.enumerated() {
          #expect(block.map { table.blocks[$0].column } ?? column == column, "seed \(seed), hour \(hour)")
        }
      }
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", 9.5, 10.0, "10:30–11:00"), ("Europe/Berlin", 21.0, 23.0, "22:00–24:00"),
    ("Europe/Berlin", 21.0, 30.0, "20 Nov 22:00 – 21 Nov 07:00"),
  ])
  func `a span shows its dates only if it is longer than a day`(zone: String, start: Double, end: Double, text: String)
    throws
  {
    let calendar = LocalCalendar(zone: try #require(TimeZone(identifier: zone)))
    let entry = entry(start, end)
    #expect(calendar.span(entry.start, entry.end) == text)
  }
}
