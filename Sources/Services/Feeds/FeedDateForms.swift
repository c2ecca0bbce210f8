import FoundationEssentials
import Machine
import Markup

/// Rewrites rare forms of dates as forms that `FeedDate` reads.
enum FeedDateForms {
  /// The date in markup, as Drupal writes it: the value of its `datetime` or `content`, else its text.
  static func marked(_ text: String) -> String? {
    guard text.utf8.count <= 1024 else { return nil }
    let tags = StartTags.find(["time", "span"], in: Array(text.utf8), most: 4)
    return tags.lazy.compactMap { $0["datetime"] ?? $0["content"] }.first ?? Caption.plainText(html: text)
  }

  /// `2026-11-20T09:00:00Z` of `20261120T090000Z`; nil for any other text.
  static func basic(_ text: String) -> String? {
    let halves = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" }
    guard let day = halves.first, let date = separated(day.filter { $0 != "-" }, [4, 2, 2], by: "-") else { return nil }
    guard halves.count > 1 else { return day.count == 8 ? date : nil }
    let clock = halves[1].prefix { $0.isASCII && $0.isNumber }
    guard let time = separated(clock, [2, 2, 2], by: ":") ?? separated(clock, [2, 2], by: ":") else { return nil }
    return "\(date)T\(time)\(halves[1].dropFirst(clock.count))"
  }

  private static func separated(_ digits: some StringProtocol, _ widths: [Int], by mark: String) -> String? {
    guard digits.count == widths.reduce(0, +), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    var rest = Substring(digits)
    let parts = widths.map { width in
      defer { rest = rest.dropFirst(width) }
      return String(rest.prefix(width))
    }
    return parts.joined(separator: mark)
  }

  /// `20/11/2026 09:00` of Drupal's `Fri, 11/20/2026 - 09:00`. Where day and month may be exchanged, the day of the week
  /// decides, else the order of Drupal.
  ///
  /// - Parameter isMonthFirst: Whether the date has the form in which Drupal writes the month first.
  static func dayFirst(_ text: String, isMonthFirst: Bool) -> String {
    var words = text.split { $0 == " " || $0 == "," }
    let weekday = words.first.flatMap { $0.allSatisfy(\.isLetter) ? $0.lowercased() : nil }
    if weekday != nil { words.removeFirst() }
    let parts = words.first?.split(separator: "/") ?? []
    if parts.count == 3, isMonthFirst || weekday != nil {
      let exchanged = [parts[1], parts[0], parts[2]]
      let readings = isMonthFirst ? [exchanged, parts] : [parts, exchanged]
      let chosen = readings.first { dayOfWeek($0).map { weekday?.hasPrefix($0) ?? isMonthFirst } ?? false }
      if let chosen = chosen ?? (isMonthFirst ? exchanged : nil) { words[0] = chosen.joined(separator: ".")[...] }
    }
    return words.joined(separator: " ")
  }

  /// The day of the week, as English names begin, of a day, a month and a year.
  private static func dayOfWeek(_ date: [Substring]) -> String? {
    guard let moment = UTC.date("\(date[2])-\(date[1])-\(date[0])T00:00:00Z") else { return nil }
    let days = Int((moment.timeIntervalSince1970 / 86_400).rounded(.down))
    return ["thu", "fri", "sat", "sun", "mon", "tue", "wed"][(days % 7 + 7) % 7]
  }
}
