import FoundationEssentials
import Machine

/// Writes planner entries as the events of an iCalendar file (RFC 5545).
///
/// Times are in UTC, and so need no zone. An entry that begins and ends at midnight of the local zone is written as whole
/// days.
public struct ICalendarWriter {
  private let calendar: ZoneCalendar
  private let version: String

  /// - Parameters:
  ///   - zone: The zone whose midnights begin whole days.
  ///   - version: The version of the program, for the line that names it.
  public init(zone: TimeZone = .autoupdatingCurrent, version: String) {
    (calendar, self.version) = (ZoneCalendar(zone), version)
  }

  /// The bytes before the first entry.
  public func begin() -> [UInt8] {
    var lines = FoldedLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//media//media \(FoldedLines.escaped(version))//EN")
    lines.add("CALSCALE", "GREGORIAN")
    return lines.bytes
  }

  /// The bytes of an entry.
  ///
  /// - Parameter changed: When the entry was last changed.
  public func write(_ entry: CalendarEntry, changed: Date) -> [UInt8] {
    var lines = FoldedLines()
    lines.add("BEGIN", "VEVENT")
    let own = "urn:ical:"
    lines.add("UID", FoldedLines.escaped(entry.uri.hasPrefix(own) ? String(entry.uri.dropFirst(own.count)) : entry.uri))
    lines.add("DTSTAMP", Self.time(changed))
    if let days = days(of: entry) {
      lines.add("DTSTART;VALUE=DATE", days.start)
      lines.add("DTEND;VALUE=DATE", days.finish)
    } else {
      lines.add("DTSTART", Self.time(entry.start))
      if let finish = entry.finish { lines.add("DTEND", Self.time(finish)) }
    }
    lines.add("SUMMARY", FoldedLines.escaped(entry.name))
    if !entry.text.isEmpty { lines.add("DESCRIPTION", FoldedLines.escaped(entry.text)) }
    if let url = entry.url { lines.add("URL", url) }
    if !entry.tags.isEmpty { lines.add("CATEGORIES", entry.tags.map(FoldedLines.escaped).joined(separator: ",")) }
    for file in entry.files { Self.add(file, to: &lines) }
    lines.add("END", "VEVENT")
    return lines.bytes
  }

  /// The bytes after the last entry.
  public func end() -> [UInt8] {
    var lines = FoldedLines()
    lines.add("END", "VCALENDAR")
    return lines.bytes
  }

  private static func add(_ file: CalendarEntry.File, to lines: inout FoldedLines) {
    func type(_ type: String?) -> String {
      let isPlain = type?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !";:,\"".utf8.contains($0) } ?? false
      return isPlain ? type.map { ";FMTTYPE=\($0)" } ?? "" : ""
    }
    switch file {
    case .link(let url, let mediaType): lines.add("ATTACH\(type(mediaType))", url)
    case .bytes(let bytes, let mediaType, let name):
      let name = name.map { ";X-FILENAME=\(FoldedLines.parameter($0))" } ?? ""
      lines.add(
        "ATTACH\(type(mediaType));ENCODING=BASE64;VALUE=BINARY\(name)", Data(bytes).base64EncodedString())
    }
  }

  /// `20261124T090000Z`
  private static func time(_ date: Date) -> String {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    return String(UTC.text(whole).prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
  }

  /// First day, and day after the last, of an entry of whole days.
  private func days(of entry: CalendarEntry) -> (start: String, finish: String)? {
    guard let finish = entry.finish, isMidnight(entry.start), isMidnight(finish) else { return nil }
    return (day(entry.start), day(finish))
  }

  private func isMidnight(_ date: Date) -> Bool { calendar.day(of: date).start == date }

  private func day(_ date: Date) -> String {
    let parts = calendar.reading(of: date)
    return String(String(parts.year * 10_000 + parts.month * 100 + parts.day + 100_000_000).dropFirst())
  }
}

/// Lines of an iCalendar file, folded at 75 octets (RFC 5545, 3.1).
struct FoldedLines {
  private(set) var bytes: [UInt8] = []

  /// Adds a line.
  mutating func add(_ name: String, _ value: String) {
    var column = 0
    for byte in [name, ":", value].joined().utf8 {
      // A line break within a value would begin a line of its own.
      guard byte != 0x0A, byte != 0x0D else { continue }
      // A character is not divided: its first byte says how many follow.
      let width = byte < 0x80 || byte & 0xC0 == 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      if column + width > 75, byte & 0xC0 != 0x80 {
        bytes += [0x0D, 0x0A, 0x20]
        column = 1
      }
      bytes.append(byte)
      column += 1
    }
    bytes += [0x0D, 0x0A]
  }

  /// A text as the value of a property (RFC 5545, 3.3.11).
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    let utf8 = Array(text.utf8)
    for (index, byte) in utf8.enumerated() {
      switch byte {
      case 0x5C, 0x3B, 0x2C: bytes += [0x5C, byte]
      case 0x0A: bytes += [0x5C, 0x6E]
      case 0x0D: if index + 1 == utf8.count || utf8[index + 1] != 0x0A { bytes += [0x5C, 0x6E] }
      // RFC 5545 has no place for other control characters.
      case 0..<0x20 where byte != 0x09, 0x7F: continue
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text as the value of a parameter, in quotes (RFC 6868).
  static func parameter(_ text: String) -> String {
    let escaped = text.replacing("^", with: "^^").replacing("\n", with: "^n").replacing("\"", with: "^'")
    return "\"\(String(escaped.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))\""
  }
}
