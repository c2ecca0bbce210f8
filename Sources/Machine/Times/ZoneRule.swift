/// The rule by which a zone's clock changes every year, as the end of a TZif file states it: `CET-1CEST,M3.5.0,M10.5.0/3`
/// (POSIX.1-2017, 8.3; RFC 9636, 3.3.1).
struct ZoneRule: Sendable, Equatable {
  /// The moment of a change: a day of the year, and seconds from its midnight on the clock that shows until then.
  private struct Change: Sendable, Equatable {
    enum Day: Sendable, Equatable {
      /// `M3.5.0`: the last Sunday of March.
      case weekday(month: Int, week: Int, weekday: Int)
      /// `J60`: 1 March, in leap years, too.
      case julian(Int)
      /// `59`: counted from 0, leap days included.
      case number(Int)
    }
    let day: Day
    let seconds: Int
  }

  private let standard: Int
  private let summer: (offset: Int, from: Change, until: Change)?

  static func == (one: ZoneRule, other: ZoneRule) -> Bool {
    one.standard == other.standard && one.summer?.offset == other.summer?.offset
      && one.summer?.from == other.summer?.from && one.summer?.until == other.summer?.until
  }

  /// Reads a rule; nil if the text is none.
  init?(_ text: String) {
    var rest = Substring(text)
    guard Self.skipName(&rest), let west = Self.time(&rest) else { return nil }
    standard = -west
    guard !rest.isEmpty else {
      summer = nil
      return
    }
    guard Self.skipName(&rest) else { return nil }
    let offset = rest.first == "," ? standard + 3600 : Self.time(&rest).map { -$0 }
    guard let offset, let from = Self.change(&rest), let until = Self.change(&rest), rest.isEmpty else { return nil }
    summer = (offset, from, until)
  }

  /// The seconds by which the clock is ahead of UTC.
  func offset(at seconds: Int64) -> Int {
    guard let summer else { return standard }
    let day = (seconds + Int64(standard)).flooredDivision(by: 86_400)
    let year = Int(UTC.civil(fromDays: day).year)
    let start = Self.moment(of: summer.from, in: year) - Int64(standard)
    let end = Self.moment(of: summer.until, in: year) - Int64(summer.offset)
    let isSummer = start < end ? start <= seconds && seconds < end : seconds < end || start <= seconds
    return isSummer ? summer.offset : standard
  }

  private static func moment(of change: Change, in year: Int) -> Int64 {
    let first = UTC.days(year: year, month: 1, day: 1)
    let day =
      switch change.day {
      case .number(let number): first + number
      case .julian(let number):
        // 29 February has no number.
        first + number - 1 + (number >= 60 && UTC.days(year: year, month: 3, day: 1) - first == 60 ? 1 : 0)
      case .weekday(let month, let week, let weekday):
        Self.day(year: year, month: month, week: week, weekday: weekday)
      }
    return Int64(day) * 86_400 + Int64(change.seconds)
  }

  private static func day(year: Int, month: Int, week: Int, weekday: Int) -> Int {
    let first = UTC.days(year: year, month: month, day: 1)
    let next = month == 12 ? UTC.days(year: year + 1, month: 1, day: 1) : UTC.days(year: year, month: month + 1, day: 1)
    // 1 January 1970 was a Thursday.
    let ahead = (weekday - (first + 4) % 7 + 14) % 7
    var day = first + ahead + (week - 1) * 7
    while day >= next { day -= 7 }
    return day
  }
}

extension ZoneRule {
  /// Skips the name of a clock: three letters or more, or anything between `<` and `>`.
  private static func skipName(_ rest: inout Substring) -> Bool {
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  /// `[+-]hh[:mm[:ss]]`, in seconds.
  private static func time(_ rest: inout Substring) -> Int? {
    let sign = rest.first == "-" ? -1 : 1
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    guard let hours = number(&rest), hours <= 167 else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where rest.first == ":" {
      rest.removeFirst()
      guard let part = number(&rest), part < 60 else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }

  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard digits.count <= 3, let number = Int(digits) else { return nil }
    rest = rest[digits.endIndex...]
    return number
  }

  /// `,M3.5.0/2`
  private static func change(_ rest: inout Substring) -> Change? {
    guard rest.first == "," else { return nil }
    rest.removeFirst()
    guard let day = day(&rest) else { return nil }
    guard rest.first == "/" else { return Change(day: day, seconds: 7200) }
    rest.removeFirst()
    return time(&rest).map { Change(day: day, seconds: $0) }
  }

  private static func day(_ rest: inout Substring) -> Change.Day? {
    switch rest.first {
    case "M":
      rest.removeFirst()
      guard let month = number(&rest), rest.popFirst() == ".", let week = number(&rest), rest.popFirst() == ".",
        let weekday = number(&rest), (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    case "J":
      rest.removeFirst()
      return number(&rest).flatMap { (1...365).contains($0) ? .julian($0) : nil }
    default: return number(&rest).flatMap { (0...365).contains($0) ? .number($0) : nil }
    }
  }
}
