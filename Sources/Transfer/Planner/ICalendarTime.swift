import FoundationEssentials
import Machine

/// Reads the times of an iCalendar file (RFC 5545, 3.3.4 to 3.3.6).
///
/// A zone is looked up by its name in the system's database, also where the file describes it (`VTIMEZONE`): what the
/// system knows of a zone is kept up to date. The file's description counts for names that the system does not know. A time
/// without a zone is local.
struct ICalendarTime {
  /// A moment, or a whole day.
  struct Moment: Equatable {
    let date: Date
    /// The day that was written, counted from 1970; nil for a moment. `date` is then when it begins here.
    let day: Int?
    /// Whether nothing says in which zone. `date` is then when the clock here shows it.
    var isFloating = false

    var isDay: Bool { day != nil }
  }

  /// The calendar of times without a zone.
  let local: ZoneCalendar
  private var zones: [String: ZoneCalendar?] = [:]
  private var described: [String: ZoneFile] = [:]
  /// The names of zones that the system does not know. Their times are taken as local.
  private(set) var unknown: Set<String> = []

  init(local: ZoneCalendar) { self.local = local }

  /// Takes the file's description of a zone.
  mutating func describe(_ name: String, as zone: ZoneFile) {
    guard described.count < Self.mostZones else { return }
    described[name] = zone
    zones[name] = nil
  }

  /// The time of a line such as `DTSTART;TZID=Europe/Berlin:20261124T090000`.
  mutating func moment(_ line: ContentLine) -> Moment? { moment(line.value, in: line.parameters["TZID"]) }

  /// The times of a line that lists them. Of a period, it is the start.
  mutating func moments(_ line: ContentLine) -> [Moment] {
    line.value.split(separator: ",").compactMap { value in
      moment(value.prefix { $0 != "/" }, in: line.parameters["TZID"])
    }
  }

  /// When the periods of a line end, by their starts.
  mutating func ends(_ line: ContentLine) -> [Date: Date] {
    let zone = line.parameters["TZID"]
    var ends: [Date: Date] = [:]
    for period in line.value.split(separator: ",") {
      let parts = period.split(separator: "/")
      guard parts.count == 2, let start = moment(parts[0], in: zone)?.date else { continue }
      let length = ICalendarDuration(parts[1])
      ends[start] = length?.end(from: start, in: calendar(of: zone)) ?? moment(parts[1], in: zone)?.date
    }
    return ends.filter { $0.value > $0.key }
  }

  /// The time of a text such as `20261124T090000`, in the zone with a name.
  mutating func moment(_ text: Substring, in zone: String?) -> Moment? {
    let text = Array(text.utf8)
    guard let day = Self.digits(text, 0, 8) else { return nil }
    let (year, month, number) = (day / 10_000, day / 100 % 100, day % 100)
    if text.count == 8 {
      return local.moment(year: year, month: month, day: number).map { date in
        Moment(date: date, day: UTC.days(year: year, month: month, day: number))
      }
    }
    guard text.count == 15 || text.count == 16 && text[15] == UInt8(ascii: "Z"), text[8] == UInt8(ascii: "T"),
      let clock = Self.digits(text, 9, 15)
    else { return nil }
    let calendar = text.count == 16 ? ZoneCalendar(.gmt) : calendar(of: zone)
    let found = calendar.moment(
      year: year, month: month, day: number, hour: clock / 10_000, minute: clock / 100 % 100,
      // A leap second counts as the second before it.
      second: min(clock % 100, 59))
    let isFloating = text.count == 15 && zone.flatMap { self.found($0) } == nil
    return found.map { Moment(date: $0, day: nil, isFloating: isFloating) }
  }

  /// The calendar of a zone's name; the local one without a name, and for a zone that nobody knows.
  mutating func calendar(of name: String?) -> ZoneCalendar {
    guard let name else { return local }
    let found = found(name)
    if found == nil, unknown.count < 100 { unknown.insert(name) }
    return found ?? local
  }

  /// Whether a zone's name can be read by now. Its description may still follow.
  mutating func knows(_ name: String) -> Bool { found(name) != nil }

  private mutating func found(_ name: String) -> ZoneCalendar? {
    if let known = zones[name] { return known }
    let found =
      ["UTC", "GMT", "Etc/UTC"].contains(name)
      ? ZoneCalendar(.gmt) : (Self.file(name) ?? described[name]).map { ZoneCalendar($0) }
    if zones.count < Self.mostZones { zones[name] = .some(found) }
    return found
  }

  private static let mostZones = 1000

  /// Some programs write a path before the zone's name, such as `/citadel.org/20211207_1/Europe/Berlin`, and Outlook
  /// writes the names of Windows.
  private static func file(_ name: String) -> ZoneFile? {
    if let zone = WindowsZones.names[name] { return ZoneFile.named(zone) }
    var rest = name.split(separator: "/")[...]
    guard rest.count <= 8 else { return nil }
    while !rest.isEmpty {
      if let file = ZoneFile.named(rest.joined(separator: "/")) { return file }
      rest = rest.dropFirst()
    }
    return nil
  }

  private static func digits(_ text: [UInt8], _ start: Int, _ end: Int) -> Int? {
    guard text.count >= end else { return nil }
    let digits = text[start..<end]
    guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
  }
}

/// A duration such as `P1DT2H` (RFC 5545, 3.3.6). Days follow the calendar, hours the clock.
struct ICalendarDuration: Equatable {
  let days: Int
  let seconds: Int

  /// So many days.
  init(days: Int) { (self.days, seconds) = (days, 0) }

  /// Reads a duration; nil if the text is none.
  init?(_ text: Substring) {
    var rest = text[...]
    let sign = rest.first == "-" ? -1 : 1
    if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
    guard rest.first == "P" else { return nil }
    rest = rest.dropFirst()
    var (days, seconds, isTime, count) = (0, 0, false, 0)
    while !rest.isEmpty {
      if rest.first == "T", !isTime {
        isTime = true
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      guard digits.count <= 9, let number = Int(digits), let unit = rest[digits.endIndex...].first else { return nil }
      switch (unit, isTime) {
      case ("W", false): days += number * 7
      case ("D", false): days += number
      case ("H", true): seconds += number * 3600
      case ("M", true): seconds += number * 60
      case ("S", true): seconds += number
      default: return nil
      }
      count += 1
      rest = rest[digits.endIndex...].dropFirst()
    }
    guard count > 0 else { return nil }
    (self.days, self.seconds) = (sign * days, sign * seconds)
  }

  /// The end of a duration that begins at a moment.
  func end(from start: Date, in calendar: ZoneCalendar) -> Date? {
    let day = days == 0 ? start : calendar.moment(days, .day, after: start)
    return day?.addingTimeInterval(Double(seconds))
  }
}
