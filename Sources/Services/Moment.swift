import FoundationEssentials
import JSONReading
import Machine

extension JSONObject {
  /// A moment: RFC 3339, or a count of seconds or milliseconds from 1970 as number or text.
  func moment(_ name: StaticString) -> Date? {
    guard let value = value(name) else { return nil }
    if let text = value.string { return UTC.date(text) ?? Double(text).flatMap(Self.epoch) }
    return value.number.flatMap(Self.epoch)
  }

  /// The moment at this number of seconds from 1970, or milliseconds if the seconds would be beyond the year 5000.
  /// Returns nil outside the years 1 to 9999.
  private static func epoch(_ number: Double) -> Date? {
    let seconds = abs(number) > 1e11 ? number / 1000 : number
    guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }
}
