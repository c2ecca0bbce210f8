import FoundationEssentials

// Local times as people write them.

extension ZoneCalendar {
  /// The moment of a text such as `2026-11-21`, `2026-11-21 14:05` or `2026-11-21T14:05:30`; nil if it is none. A day alone
  /// means its first moment.
  package func moment(written text: String) -> Date? {
    let halves = text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
    guard let first = halves.first, halves.count <= 2 else { return nil }
    let day = Self.numbers(first, "-", [4, 2, 2])
    let time = halves.count == 2 ? Self.time(halves[1]) : [0, 0, 0]
    guard let day, let time else { return nil }
    return moment(
      year: day[0], month: day[1], day: day[2], hour: time[0], minute: time[1], second: time.count > 2 ? time[2] : 0)
  }

  /// The moment of a text such as `14:05` on the day of another moment; nil if it is none.
  package func moment(writtenTime text: String, onDayOf moment: Date) -> Date? {
    let day = reading(of: moment)
    return Self.time(text[...]).flatMap {
      self.moment(
        year: day.year, month: day.month, day: day.day, hour: $0[0], minute: $0[1], second: $0.count > 2 ? $0[2] : 0)
    }
  }

  /// `2026-11-21 14:05`.
  package func written(_ moment: Date) -> String {
    let parts = reading(of: moment)
    let day = "\(parts.year.digits(4))-\(parts.month.digits(2))-\(parts.day.digits(2))"
    return "\(day) \(parts.hour.digits(2)):\(parts.minute.digits(2))"
  }

  private static func time(_ text: Substring) -> [Int]? {
    numbers(text, ":", [2, 2, 2]) ?? numbers(text, ":", [2, 2])
  }

  private static func numbers(_ text: Substring, _ separator: Character, _ widths: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.count) == widths else { return nil }
    let values = parts.compactMap { part in part.allSatisfy(\.isASCII) ? Int(part) : nil }
    return values.count == widths.count ? values : nil
  }
}
