import Foundation
import Machine
import Testing

@Suite struct ZoneFileTests {
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo", "Europe/Dublin",
    "America/Nuuk", "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll", "UTC",
  ])
  func `a zone file shows what the system's clock shows`(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let file = try #require(ZoneFile.named(name))
    // Every 11 days and some minutes from 1902 to 2100, which has all kinds of changes.
    for seconds in stride(from: -2_145_000_000.0, to: 4_100_000_000, by: 954_321) {
      let moment = Date(timeIntervalSince1970: seconds)
      #expect(file.offset(at: moment) == zone.secondsFromGMT(for: moment), "\(name) at \(moment)")
    }
  }

  @Test func `a zone file counts the hour of a change of clocks`() throws {
    let calendar = ZoneCalendar(try #require(ZoneFile.named("Europe/Berlin")))
    // 2:30 is skipped on the last Sunday of March, and is twice on that of October.
    let skipped = calendar.moment(year: 2050, month: 3, day: 27, hour: 2, minute: 30)
    #expect(skipped == UTC.date("2050-03-27T01:30:00Z"))
    let twice = calendar.moment(year: 2026, month: 10, day: 25, hour: 2, minute: 30)
    #expect(twice == UTC.date("2026-10-25T00:30:00Z"))
  }

  @Test(arguments: ["", "../passwd", "/etc/passwd", "Europe/../../../etc/passwd", "Europe", "Nowhere/Else", "zone.tab"])
  func `a name that is no zone finds nothing`(name: String) { #expect(ZoneFile.named(name) == nil) }

  @Test func `a damaged zone file is refused or read without a fault`() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(ZoneFile.folder)/Europe/Berlin")))
    #expect(ZoneFile([]) == nil)
    #expect(ZoneFile(Array(bytes.prefix(100))) == nil)
    for index in 0..<200 {
      var damaged = bytes
      damaged[index] ^= 0xFF
      _ = ZoneFile(damaged)?.offset(at: Date(timeIntervalSince1970: 1_800_000_000))
    }
  }
}
