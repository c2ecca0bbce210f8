import FoundationEssentials

// Timestamps as text. One form is written, so that texts sort as times do. Many forms are read, because servers differ.

/// Reads and writes timestamps in UTC, in the proleptic Gregorian calendar, years 0001 to 9999.
public enum UTC {
  /// Formats a date as `YYYY-MM-DDTHH:MM:SS.sssZ`, always 24 characters, rounded to the nearest millisecond.
  ///
  /// A date outside the years 0001 to 9999 is written as the nearest date inside them.
  public static func text(_ date: Date) -> String {
    let millis = min(max((date.timeIntervalSince1970 * 1000).rounded(), first), last)
    let total = Int64(millis.isNaN ? 0 : millis)
    let seconds = total.flooredDivision(by: 1000)
    let days = seconds.flooredDivision(by: 86_400)
    let (year, month, day) = civil(fromDays: days)
    let clock = seconds - days * 86_400
    return String(unsafeUninitializedCapacity: 24) { bytes in
      put(year, width: 4, at: 0, before: "-", in: bytes)
      put(month, width: 2, at: 5, before: "-", in: bytes)
      put(day, width: 2, at: 8, before: "T", in: bytes)
      put(clock / 3600, width: 2, at: 11, before: ":", in: bytes)
      put(clock / 60 % 60, width: 2, at: 14, before: ":", in: bytes)
      put(clock % 60, width: 2, at: 17, before: ".", in: bytes)
      put(total - seconds * 1000, width: 3, at: 20, before: "Z", in: bytes)
      return 24
    }
  }

  /// Reads RFC 3339, and variants that servers send: `+0000` or `+00` for `+00:00`, a space for `T`, any number of
  /// fraction digits or none, no zone at all (which means UTC). Digits past the millisecond are cut, so that reading and
  /// writing a text again changes nothing.
  ///
  /// - Returns: The date; nil for any other text, and for years outside 0001 to 9999.
  public static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes: bytes)
      return scanner.timestamp()
    }
  }

  /// 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z, in milliseconds from 1970.
  private static let first = -62_135_596_800_000.0
  private static let last = 253_402_300_799_999.0

  private static func put(
    _ value: Int64,
    width: Int,
    at start: Int,
    before mark: Unicode.Scalar,
    in bytes: UnsafeMutableBufferPointer<UInt8>
  ) {
    var rest = value
    for index in stride(from: start + width - 1, through: start, by: -1) {
      bytes[index] = 48 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    bytes[start + width] = UInt8(ascii: mark)
  }

  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years that begin in March.

  /// The date of a day that is counted from 1 January 1970.
  package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The number of a date, counted in days from 1 January 1970.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = Int64(shifted).flooredDivision(by: 400)
    let yearOfEra = shifted - Int(era) * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return Int(era) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension UTC {
  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    mutating func timestamp() -> Date? {
      guard let year = number(4), accept("-"), let month = number(2), accept("-"), let day = number(2),
        accept("T") || accept("t") || accept(" "), let hour = number(2), accept(":"), let minute = number(2),
        accept(":"), let second = number(2), let millis = fraction(), let offset = zone(), position == bytes.count
      else { return nil }
      let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      // A leap second is written as :60 (RFC 3339, 5.6) and counted as the second after it.
      guard year >= 1, (1...12).contains(month), hour < 24, minute < 60, second <= 60,
        (1...(month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31)).contains(day)
      else { return nil }
      let days = UTC.days(year: year, month: month, day: day)
      let total = (days * 86_400 + hour * 3600 + minute * 60 + second - offset) * 1000 + millis
      guard (UTC.first...UTC.last).contains(Double(total)) else { return nil }
      return Date(timeIntervalSince1970: Double(total) / 1000)
    }

    private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
      position += 1
      return true
    }

    private mutating func digit() -> Int? {
      guard position < bytes.count, (48...57).contains(bytes[position]) else { return nil }
      defer { position += 1 }
      return Int(bytes[position]) - 48
    }

    private mutating func number(_ width: Int) -> Int? {
      var value = 0
      for _ in 0..<width {
        guard let next = digit() else { return nil }
        value = value * 10 + next
      }
      return value
    }

    private mutating func fraction() -> Int? {
      guard accept(".") || accept(",") else { return 0 }
      guard var millis = digit().map({ $0 * 100 }) else { return nil }
      var weight = 10
      while let next = digit() {
        millis += next * weight
        weight /= 10
      }
      return millis
    }

    /// Seconds east of Greenwich.
    private mutating func zone() -> Int? {
      if position == bytes.count || accept("Z") || accept("z") { return 0 }
      let east = accept("+")
      guard east || accept("-"), let hours = number(2), hours < 24 else { return nil }
      guard position < bytes.count else { return (east ? 1 : -1) * hours * 3600 }
      _ = accept(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return (east ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
  }
}

extension Int64 {
  func flooredDivision(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
