import Foundation
import Testing

@testable import Storage

struct MarkStampTests {
  @Test func `the clock never goes back, and every stamp is later than the one before`() {
    var clock = ""
    var clocks: [String] = []
    for seconds in [10, 10, 10.0004, 5, -7_200, 20, 20, 3] {
      clock = MarkStamp.clock(after: clock, now: noon + seconds)
      clocks.append(clock)
    }
    #expect(clocks == clocks.sorted())
    #expect(Set(clocks).count == clocks.count)
    #expect(clocks[1] == "2025-11-20T12:00:10.000Z 00000001")
    #expect(clocks[5] == "2025-11-20T12:00:20.000Z 00000000")
  }

  @Test func `a clock that has counted to its end goes on with the next moment`() {
    #expect(
      MarkStamp.clock(after: "9998-12-31T23:59:59.999Z ffffffff", now: noon) == "9999-01-01T00:00:00.000Z 00000000")
    // What is no clock does not count.
    for strange in ["", "x", "2026-13-01T00:00:00.000Z 00000000", "2026-12-01T00:00:00.000Z 0000000g"] {
      #expect(MarkStamp.clock(after: strange, now: noon) == "2025-11-20T12:00:00.000Z 00000000")
    }
  }

  @Test func `a machine's name cannot change how a stamp sorts`() throws {
    let library = try TestLibrary()
    let stamps = try library.database.write { db in
      try ["a b\n9", "", "Ünïcode", "desk-1"].map {
        try MarkStamp.next(by: Marker(machine: $0, program: .command), now: noon, in: Database(db)).text
      }
    }
    #expect(stamps.allSatisfy(MarkStamp.isValid))
    #expect(stamps == stamps.sorted())
    #expect(stamps.map { $0.split(separator: " ").last } == ["ab9", "-", "ncode", "desk-1"])
  }
}
