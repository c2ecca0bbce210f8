import Machine

/// A zone as a calendar describes it (RFC 5545, 3.6.5), for those that the system does not know by their names.
struct ICalendarZone {
  /// When a clock of the zone begins to show another time.
  private struct Clock {
    var lines: [String: ContentLine] = [:]
    var added: [ContentLine] = []
  }

  /// The name by which times refer to it.
  private(set) var name: String?
  private var clocks: [Clock] = []

  private static let mostClocks = 200
  /// Rules are followed as long: calendars that name a zone of their own keep no later times.
  private static let lastYear = 2100
  private static let mostChanges = 10_000

  /// Begins a part of it: `STANDARD` or `DAYLIGHT`.
  mutating func beginClock() { if clocks.count < Self.mostClocks { clocks.append(Clock()) } }

  /// Takes a line of it, or of the part that began last.
  mutating func add(_ line: ContentLine, isInClock: Bool) {
    guard isInClock, !clocks.isEmpty else {
      if line.name == "TZID", name == nil { name = line.text }
      return
    }
    switch line.name {
    case "DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE": clocks[clocks.count - 1].lines[line.name] = line
    case "RDATE": if clocks[clocks.count - 1].added.count < 1000 { clocks[clocks.count - 1].added.append(line) }
    default: break
    }
  }

  /// The zone; nil if it says no offset.
  var file: ZoneFile? {
    var changes: [(at: Int64, offset: Int, before: Int)] = []
    for clock in clocks {
      guard let before = Self.offset(clock.lines["TZOFFSETFROM"]), let offset = Self.offset(clock.lines["TZOFFSETTO"]),
        let start = clock.lines["DTSTART"], let (day, second) = Self.local(start.value)
      else { continue }
      func add(_ day: Int, _ second: Int) {
        guard changes.count < Self.mostChanges else { return }
        changes.append((Int64(day) * 86_400 + Int64(second) - Int64(before), offset, before))
      }
      add(day, second)
      let last = clock.lines["RRULE"].flatMap { RecurrenceRule($0.value) }
      let until = last?.until.flatMap(Self.local)?.day ?? .max
      _ = last?.eachDay(from: day, most: 1000) { next in
        guard next <= until, UTC.civil(fromDays: Int64(next)).year <= Self.lastYear else { return false }
        if next > day { add(next, second) }
        return true
      }
      for line in clock.added {
        for (day, second) in line.value.split(separator: ",").compactMap(Self.local) { add(day, second) }
      }
    }
    changes.sort { ($0.at, $0.offset) < ($1.at, $1.offset) }
    return changes.first.map { first in
      ZoneFile(changes: changes.map { ($0.at, $0.offset) }, before: first.before)
    }
  }

  /// `-0500`, `+053000`.
  private static func offset(_ line: ContentLine?) -> Int? {
    guard let text = line?.value, let mark = text.first, mark == "+" || mark == "-" else { return nil }
    let sign = mark == "+" ? 1 : -1
    let digits = text.dropFirst()
    guard [4, 6].contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits)
    else { return nil }
    let whole = digits.utf8.count == 4 ? number * 100 : number
    return sign * (whole / 10_000 * 3600 + whole / 100 % 100 * 60 + whole % 100)
  }

  /// The day and the second of a time such as `16010101T030000`.
  private static func local(_ text: Substring) -> (day: Int, second: Int)? {
    let digits = text.filter { $0.isASCII && $0.isNumber }
    guard digits.count >= 8, let date = Int(digits.prefix(8)), (1...12).contains(date / 100 % 100),
      (1...31).contains(date % 100)
    else { return nil }
    let clock = Int(digits.dropFirst(8).prefix(6)) ?? 0
    return (
      UTC.days(year: date / 10_000, month: date / 100 % 100, day: date % 100),
      clock / 10_000 * 3600 + clock / 100 % 100 * 60 + clock % 100
    )
  }
}
