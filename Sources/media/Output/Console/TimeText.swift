import FoundationEssentials
import Machine

/// Times as users type them: `2026-11-21`, `2026-11-21 14:05`, `2026-11-21T14:05:30Z`. Without a zone they are local.
struct TimeText {
  private let calendar: ZoneCalendar

  /// Days and times in a zone; by default the machine's.
  init(_ zone: TimeZone = .autoupdatingCurrent) { calendar = ZoneCalendar(zone) }

  /// The date of a text; a day alone means its first moment.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - flag: What the message calls it: its flag, or what it means where several flags do.
  /// - Throws: `UsageError` if the text is not a time.
  func moment(_ text: String, for flag: String) throws -> Date {
    // `UTC.date` reads a time without a zone as UTC; users mean local time.
    let zone = text.dropFirst(10).firstIndex { "Zz+-".contains($0) }
    // Seconds may be omitted, with or without a zone.
    let full = zone.map { text[..<$0].utf8.count == 16 ? "\(text[..<$0]):00\(text[$0...])" : text }
    guard let date = full.map(UTC.date) ?? local(text) else {
      throw UsageError(
        "\(flag) \(text) is not a time", cure: "write it as 2026-11-21, \"2026-11-21 14:05\" or 2026-11-21T14:05:00Z")
    }
    return date
  }

  /// The date of a text, which must not be in the future.
  ///
  /// - Throws: `UsageError` if the text is not a time, or is after `now`.
  func past(_ text: String, for flag: String, now: Date) throws -> Date {
    let date = try moment(text, for: flag)
    guard date <= now else { throw UsageError("\(flag) \(text) is still to come", cure: "give a time that is past") }
    return date
  }

  /// The end of what a text means: of the whole day, or the time itself.
  ///
  /// - Throws: `UsageError` if the text is not a time.
  func end(_ text: String, for flag: String) throws -> Date {
    text.count == 10 && local(text) != nil ? try day(text, for: flag).end : try moment(text, for: flag)
  }

  /// The last day before a moment, as it is typed: the day whose end it is, or the one in which it is.
  func lastDay(before moment: Date) -> String { String(calendar.written(moment - 1).prefix(10)) }

  /// The whole calendar day: 23 or 25 hours long when clocks change.
  func day(_ text: String, for flag: String) throws -> DateInterval {
    guard text.count == 10, let start = local(text) else {
      throw UsageError("\(flag) \(text) is not a day", cure: "write it as 2026-11-21")
    }
    return calendar.day(of: start)
  }

  private func local(_ text: String) -> Date? { calendar.moment(written: text) }
}
