import Machine

/// On which days a recurring event is (RFC 5545, 3.3.10): the parts of a rule that calendars write.
///
/// Days are counted from 1 January 1970. A rule that repeats by hours, or that names weeks of the year, is not read.
struct RecurrenceRule: Equatable {
  private enum Frequency: String { case daily = "DAILY", weekly = "WEEKLY", monthly = "MONTHLY", yearly = "YEARLY" }

  /// A weekday, Sunday being 0, and which of the month's or the year's it is; 0 for each.
  private struct Weekday: Equatable {
    let ordinal: Int
    let day: Int
  }

  private let frequency: Frequency
  private let interval: Int
  /// How many instances there are, the first included.
  let count: Int?
  /// The value of the last possible time, as it was written.
  let until: Substring?
  private let weekdays: [Weekday]
  private let monthDays: [Int]
  private let months: [Int]
  private let yearDays: [Int]
  private let positions: [Int]
  private let weekStart: Int

  /// Reads a rule; nil if it is none, or has a part that is not read.
  init?(_ text: Substring) {
    var parts: [String: Substring] = [:]
    for part in text.split(separator: ";") {
      let halves = part.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { return nil }
      parts[halves[0].uppercased()] = halves[1]
    }
    let known: Set<String> = [
      "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYYEARDAY", "BYSETPOS", "WKST",
    ]
    guard parts.keys.allSatisfy({ known.contains($0) || $0.hasPrefix("X-") }),
      let frequency = parts["FREQ"].flatMap({ Frequency(rawValue: $0.uppercased()) }),
      let interval = Self.number(parts["INTERVAL"] ?? "1"), (1...10_000).contains(interval),
      let weekdays = Self.list(parts["BYDAY"], Self.weekday), let monthDays = Self.numbers(parts["BYMONTHDAY"], 31),
      let months = Self.numbers(parts["BYMONTH"], 12), let yearDays = Self.numbers(parts["BYYEARDAY"], 366),
      let positions = Self.numbers(parts["BYSETPOS"], 366), months.allSatisfy({ $0 > 0 })
    else { return nil }
    let count = parts["COUNT"].map { Self.number($0) ?? -1 }
    guard count.map({ $0 > 0 }) ?? true else { return nil }
    (self.frequency, self.interval, self.count, until) = (frequency, interval, count, parts["UNTIL"])
    (self.weekdays, self.monthDays, self.months) = (weekdays, monthDays, months)
    (self.yearDays, self.positions) = (yearDays, positions)
    weekStart = parts["WKST"].flatMap { Self.weekday($0)?.day } ?? 1
  }

  /// The days from the first one on, in order, of as many periods as `most`. The first day counts, whether the rule names it
  /// or not.
  ///
  /// - Parameter visit: Gets each day; false ends it.
  /// - Returns: How many periods were looked at.
  func eachDay(from first: Int, most: Int, _ visit: (Int) -> Bool) -> Int {
    guard visit(first) else { return 0 }
    for period in 0..<max(0, most) {
      for day in days(in: period, from: first) where day > first {
        if !visit(day) { return period + 1 }
      }
    }
    return max(0, most)
  }

  /// The days of a period that the rule names.
  private func days(in period: Int, from first: Int) -> [Int] {
    let start = UTC.civil(fromDays: Int64(first))
    var days: [Int]
    switch frequency {
    case .daily: days = [first + period * interval].filter(isMeant)
    case .weekly:
      let monday = first - (Self.weekday(of: first) - weekStart + 7) % 7 + period * interval * 7
      let own = weekdays.isEmpty ? [Self.weekday(of: first)] : weekdays.map(\.day)
      days = (monday..<(monday + 7)).filter { own.contains(Self.weekday(of: $0)) && isInMonths($0) }
    case .monthly:
      let month = Int(start.month) - 1 + period * interval
      let (year, number) = (Int(start.year) + month / 12, month % 12 + 1)
      guard year < 10_000, months.isEmpty || months.contains(number) else { return [] }
      days = self.days(ofMonth: number, year, usual: Int(start.day))
    case .yearly:
      let year = Int(start.year) + period * interval
      guard year < 10_000 else { return [] }
      days = self.days(ofYear: year, start: (month: Int(start.month), day: Int(start.day)))
    }
    days = Array(Set(days)).sorted()
    guard !positions.isEmpty else { return days }
    return positions.compactMap { position in
      let index = position > 0 ? position - 1 : days.count + position
      return days.indices.contains(index) ? days[index] : nil
    }.sorted()
  }

  private func days(ofYear year: Int, start: (month: Int, day: Int)) -> [Int] {
    let (first, next) = (UTC.days(year: year, month: 1, day: 1), UTC.days(year: year + 1, month: 1, day: 1))
    if !yearDays.isEmpty {
      let all = yearDays.map { $0 > 0 ? first + $0 - 1 : next + $0 }.filter { (first..<next).contains($0) }
      return all.filter(isMeant)
    }
    if months.isEmpty, monthDays.isEmpty, !weekdays.isEmpty { return matches(of: weekdays, in: first..<next) }
    let own = !months.isEmpty ? months : monthDays.isEmpty ? [start.month] : Array(1...12)
    return own.flatMap { days(ofMonth: $0, year, usual: start.day) }
  }

  /// The days of a month: by number, by weekday, by both, or else the usual one, if the month has it.
  private func days(ofMonth month: Int, _ year: Int, usual: Int) -> [Int] {
    let first = UTC.days(year: year, month: month, day: 1)
    let next = month == 12 ? UTC.days(year: year + 1, month: 1, day: 1) : UTC.days(year: year, month: month + 1, day: 1)
    let numbers = monthDays.isEmpty && weekdays.isEmpty ? [usual] : monthDays
    let numbered = numbers.map { $0 > 0 ? first + $0 - 1 : next + $0 }.filter { (first..<next).contains($0) }
    guard !weekdays.isEmpty else { return numbered }
    let named = matches(of: weekdays, in: first..<next)
    return monthDays.isEmpty ? named : named.filter(numbered.contains)
  }

  private func matches(of weekdays: [Weekday], in days: Range<Int>) -> [Int] {
    weekdays.flatMap { weekday in
      let all = days.filter { Self.weekday(of: $0) == weekday.day }
      guard weekday.ordinal != 0 else { return all }
      let index = weekday.ordinal > 0 ? weekday.ordinal - 1 : all.count + weekday.ordinal
      return all.indices.contains(index) ? [all[index]] : []
    }
  }

  /// Whether the parts that only leave days out let a day stay.
  private func isMeant(_ day: Int) -> Bool {
    let date = UTC.civil(fromDays: Int64(day))
    let (month, number) = (Int(date.month), Int(date.day))
    let next =
      month == 12
      ? UTC.days(year: Int(date.year) + 1, month: 1, day: 1) : UTC.days(year: Int(date.year), month: month + 1, day: 1)
    return isInMonths(day) && (weekdays.isEmpty || weekdays.contains { $0.day == Self.weekday(of: day) })
      && (monthDays.isEmpty || monthDays.contains(number) || monthDays.contains(day - next))
  }

  private func isInMonths(_ day: Int) -> Bool {
    months.isEmpty || months.contains(Int(UTC.civil(fromDays: Int64(day)).month))
  }

  /// 1 January 1970 was a Thursday.
  private static func weekday(of day: Int) -> Int { ((day + 4) % 7 + 7) % 7 }

  // MARK: Reading

  private static func list<Value>(_ text: Substring?, _ read: (Substring) -> Value?) -> [Value]? {
    guard let text else { return [] }
    let parts = text.split(separator: ",")
    let values = parts.prefix(400).compactMap(read)
    return values.count == parts.count ? values : nil
  }

  private static func numbers(_ text: Substring?, _ most: Int) -> [Int]? {
    list(text) { part in number(part).flatMap { $0 != 0 && abs($0) <= most ? $0 : nil } }
  }

  private static func number(_ text: Substring) -> Int? { text.utf8.count <= 9 ? Int(text) : nil }

  /// `MO`, `2TU`, `-1FR`.
  private static func weekday(_ text: Substring) -> Weekday? {
    guard let day = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: text.suffix(2).uppercased()) else {
      return nil
    }
    let before = text.dropLast(2)
    guard let ordinal = before.isEmpty ? 0 : number(before), abs(ordinal) <= 53 else { return nil }
    return Weekday(ordinal: ordinal, day: day)
  }
}
