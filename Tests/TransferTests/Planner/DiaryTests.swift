import Foundation
import Posts
import PropertyTesting
import Testing
import Transfer

@Suite struct DiaryTests {
  private func read(_ text: String) throws -> [EntryReading] { try Planner.diary(Array(text.utf8)) }

  @Test func `an entry is written as the diary has it, byte for byte`() {
    let entry = CalendarEntry(
      uri: "urn:diary:1", start: Date(timeIntervalSince1970: 147_600_000),
      finish: Date(timeIntervalSince1970: 147_610_000), name: "My task", text: "Описание моего дела")
    var writer = DiaryWriter()
    let bytes = writer.write(entry, id: 1) + writer.end()
    let expected = """
      [
      {"id":1,"date_start":"147600000","date_finish":"147610000","name":"My task","description":"Описание моего дела"}
      ]

      """
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
    #expect(DiaryWriter().end() == Array("[]\n".utf8))
  }

  @Test(arguments: [
    #"{"id":1,"date_start":"147600000","date_finish":"147610000","name":"My task"}"#,
    #"[{"id":"1","date_start":147600000,"date_finish":147610000.0,"name":"My task","description":null}]"#,
    #"{"id":1,"date_start":"147600000000","date_finish":147610000000,"name":"My task","more":[{}]}"#,
    #"{"id":1,"date_start":"1.476e8","date_finish":" 147610000 ","name":"","description":"My task"}"#,
  ])
  func `an entry is read whatever form its numbers have`(text: String) throws {
    let entry = CalendarEntry(
      uri: "urn:diary:1", start: Date(timeIntervalSince1970: 147_600_000),
      finish: Date(timeIntervalSince1970: 147_610_000), name: "My task")
    #expect(try read(text) == [.entry(entry)])
  }

  @Test(arguments: [
    (#"{"date_start":"1","name":"x"}"#, "it has no number as its id"),
    (#"{"id":1.5,"date_start":"1","name":"x"}"#, "it has no number as its id"),
    (#"{"id":1,"name":"x"}"#, "its date_start is no time"),
    (#"{"id":1,"date_start":"soon","name":"x"}"#, "its date_start is no time"),
    (#"{"id":1,"date_start":1e18,"name":"x"}"#, "its date_start is no time"),
    (#"{"id":1,"date_start":1,"date_finish":"x","name":"x"}"#, "its date_finish is no time"),
    (#"{"id":1,"date_start":2,"date_finish":1,"name":"x"}"#, "it ends before it begins"),
    (#"{"id":1,"date_start":2}"#, "it has no name"), ("[7]", "it is no object"),
  ])
  func `an entry that cannot be read costs no other`(text: String, reason: String) throws {
    let list = text.hasPrefix("[") ? text.replacing("]", with: "") + "," : "[\(text),"
    let readings = try read(list + #"{"id":2,"date_start":"5","name":"good"}]"#)
    guard case .unreadable(let unreadable) = readings.first else { return #expect(Bool(false), "\(readings)") }
    #expect(unreadable.reason == reason)
    #expect(readings.count == 2)
  }

  @Test func `typographic quotes are refused with the offset of the first`() {
    let text = "[\n{\"id\":1,\n “date_start”:”147600000”}]"
    #expect(throws: DiaryError.typographicQuotes(at: 12)) { try read(text) }
    #expect(throws: DiaryError.typographicQuotes(at: 4)) { try read("{\n \n“id”:1,\n“name”:”My task”\n}") }
    #expect(DiaryError.typographicQuotes(at: 4).exitCode == .unreadable)
  }

  @Test func `what is no JSON is refused with the place`() {
    #expect(throws: DiaryError.notJSON(.empty)) { try read(" \n") }
    #expect(throws: DiaryError.notJSON(.malformed(at: 0))) { try read("BEGIN:VCALENDAR") }
    #expect(throws: DiaryError.notJSON(.malformed(at: 8))) { try read(#"{"id":1 nonsense}"#) }
    #expect(throws: DiaryError.notJSON(.truncated(at: 1))) { try read(#"[{"id":1,"#) }
  }

  @Test(arguments: PropertyTest.seeds(sample: 30, whole: 3000))
  func `any list of entries is read back, and written again to the same bytes`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let entries = (0..<dice.below(20)).map { index in Planner.entry(uri: "urn:diary:\(index * 7)", &dice) }
    let bytes = Planner.diary(entries)
    let readings = try Planner.diary(bytes)
    let read = readings.compactMap { reading in if case .entry(let entry) = reading { entry } else { nil } }
    #expect(read.count == entries.count, "seed \(seed)")
    #expect(Planner.diary(read) == bytes, "seed \(seed)")
    #expect(zip(read, entries).allSatisfy { $0.name == $1.name && $0.text == $1.text && $0.start == $1.start })
  }
}

/// Writes and reads planner files, and makes up entries.
enum Planner {
  static func diary(_ entries: [CalendarEntry]) -> [UInt8] {
    var writer = DiaryWriter()
    return entries.flatMap { writer.write($0, id: Int64($0.uri.dropFirst("urn:diary:".count)) ?? 0) } + writer.end()
  }

  static func diary(_ bytes: [UInt8]) throws -> [EntryReading] {
    var rest = bytes[...]
    var reader = DiaryReader {
      defer { rest = rest.dropFirst(11) }
      return Array(rest.prefix(11))
    }
    var readings: [EntryReading] = []
    while let reading = try reader.next() { readings.append(reading) }
    return readings
  }

  static func calendar(
    _ text: String, zone: TimeZone = .gmt, utf16: Bool = false, known: [CalendarEntry] = []
  ) throws -> (readings: [EntryReading], leftOut: ICalendarReader.LeftOut) {
    // A piece ends within a character.
    var rest = (utf16 ? text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } : Array(text.utf8))[...]
    let entries = known.map { (uri: $0.uri, start: $0.start) }.sorted { $0.start < $1.start }
    var reader = ICalendarReader(
      zone: zone, now: Date(timeIntervalSince1970: 1_795_000_000), known: { _ in entries },
      read: {
        defer { rest = rest.dropFirst(17) }
        return Array(rest.prefix(17))
      })
    var readings: [EntryReading] = []
    while let reading = try reader.next() { readings.append(reading) }
    return (readings, reader.leftOut)
  }

  static func entry(uri: String, _ dice: inout Dice) -> CalendarEntry {
    let start = Date(timeIntervalSince1970: Double(dice.below(6_000_000_000) - 1_000_000_000))
    let finish = dice.below(3) == 0 ? nil : start.addingTimeInterval(Double(dice.below(3_000_000)))
    let name = text(1 + dice.below(30), &dice).replacing("\n", with: " ")
    return CalendarEntry(uri: uri, start: start, finish: finish, name: name, text: text(dice.below(400), &dice))
  }

  static func text(_ length: Int, _ dice: inout Dice) -> String {
    let characters = Array("abc xyz,;:\\\"/\n\tЖдöé漢字🐈‍⬛👩🏽‍🚀{}[]")
    return String((0..<length).map { _ in characters[dice.below(characters.count)] })
  }
}
