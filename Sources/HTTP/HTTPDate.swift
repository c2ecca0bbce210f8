import FoundationEssentials
import Glibc

/// Dates of header fields (RFC 9110, 5.6.7), including the two obsolete forms. Always UTC.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Returns nil for anything else, and for a day or an hour that does not exist.
  static func read(_ text: String) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.dropFirst()
    let clock = words.first { $0.contains(":") }?.split(separator: ":").compactMap { Int($0) } ?? []
    let numbers = words.compactMap { Int($0) }
    guard let month = words.compactMap({ months.firstIndex(of: String($0)) }).first, clock.count == 3,
      numbers.count == 2, let time = time(clock[...])
    else { return nil }
    return day(fullYear(numbers[1]), month + 1, numbers[0])?.addingTimeInterval(time)
  }

  /// Reads an RFC 3339 timestamp. Foundation's parser creates a calendar first, which took a hundredth of a pull that
  /// finds nothing new.
  static func readTimestamp(_ text: String) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    let numbers = text.prefix(19).split(omittingEmptySubsequences: false) { "-T:".contains($0) }.map { Int($0) ?? -1 }
    let fraction = text.dropFirst(19).prefix { $0 == "." || ("0"..."9").contains($0) }
    let zone = text.dropFirst(19 + fraction.count)
    guard numbers.count == 6, let offset = offset(zone), let part = fraction.isEmpty ? 0 : Double("0\(fraction)"),
      let day = day(numbers[0], numbers[1], numbers[2]), let time = time(numbers[3...])
    else { return nil }
    return day.addingTimeInterval(time + part - offset)
  }

  /// The offset from UTC in seconds, of `Z`, `+02:00` or `+0200`.
  private static func offset(_ zone: Substring) -> TimeInterval? {
    if zone == "Z" { return 0 }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard let sign = ["+": 1.0, "-": -1.0][zone.prefix(1)], digits.count == 4, let number = Int(digits) else {
      return nil
    }
    return time([number / 100, number % 100, 0]).map { sign * $0 }
  }

  /// Seconds since midnight. A leap second counts as the second after it.
  private static func time(_ clock: ArraySlice<Int>) -> TimeInterval? {
    let (hour, minute, second) = (clock[clock.startIndex], clock[clock.startIndex + 1], clock[clock.startIndex + 2])
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
    return TimeInterval(hour * 3600 + minute * 60 + second)
  }

  /// Only RFC 850 dates have years of two digits. They mean 1970 to 2069.
  private static func fullYear(_ year: Int) -> Int { year >= 100 ? year : year + (year < 70 ? 2000 : 1900) }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Date? {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    // `timegm` turns the 31st of a 30-day month into the 1st of the next month.
    let seconds = timegm(&parts)
    return parts.tm_mday == day ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
  }
}
