import Foundation

/// Dates of header fields (RFC 9110, 5.6.7), the two old forms included; always UTC.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Nil for anything else, a day or an hour there never was included.
  static func read(_ text: String) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.dropFirst()
    let clock = words.first { $0.contains(":") }?.split(separator: ":").compactMap { Int($0) } ?? []
    let numbers = words.compactMap { Int($0) }
    guard let month = words.compactMap({ months.firstIndex(of: String($0)) }).first, clock.count == 3,
      numbers.count == 2, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    return date(year: fullYear(numbers[1]), month: month + 1, day: numbers[0]).map {
      $0.addingTimeInterval(TimeInterval(clock[0] * 3600 + clock[1] * 60 + clock[2]))
    }
  }

  /// Of two digits only RFC 850 knows; such a year lies in 1970 to 2069.
  private static func fullYear(_ year: Int) -> Int { year >= 100 ? year : year + (year < 70 ? 2000 : 1900) }

  private static func date(year: Int, month: Int, day: Int) -> Date? {
    guard (1970...9999).contains(year), (1...31).contains(day) else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    // The 31st of a month of thirty days would be the 1st of the next.
    let seconds = timegm(&parts)
    return parts.tm_mday == day ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
  }
}
