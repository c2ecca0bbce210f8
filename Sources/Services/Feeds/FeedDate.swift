import FoundationEssentials
import Machine

/// Reads the dates of feeds: RFC 3339, its shorter forms (https://www.w3.org/TR/NOTE-datetime), ISO 8601's basic form, RFC
/// 822 and RFC 850 with the variants that occur in feeds.
enum FeedDate {
  /// Returns nil if the text is not a date, or a date at which no feed can have been written. A day without a time
  /// begins at midnight. A missing or unknown zone is UTC.
  static func read(_ text: String?) -> Date? {
    guard let text = text.flatMap({ $0.contains("<") ? FeedDateForms.marked($0) : $0 })?.trimmed,
      (4...64).contains(text.utf8.count)
    else { return nil }
    let plain = text.replacing(" - ", with: " ")
    let date =
      UTC.date(text) ?? short(plain) ?? FeedDateForms.basic(text).flatMap(short) ?? mail(plain)
      ?? numbered(FeedDateForms.dayFirst(plain, isMonthFirst: plain != text)) ?? epoch(text)
    return date.flatMap { possible.contains($0) ? $0 : nil }
  }

  /// From 1990 up to 2100. A date outside comes from a clock that was never set, or from a typing error.
  private static let possible =
    Date(timeIntervalSince1970: 631_152_000)..<Date(timeIntervalSince1970: 4_102_444_800)

  /// `2026`, `2026-11`, `2026-11-20`, `2026-11-20T09:00Z`, `2026/1/10 14:33:00 +0000`.
  private static func short(_ text: String) -> Date? {
    let halves = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" || $0 == " " }
    guard let day = halves.first else { return nil }
    let parts = day.split(separator: day.contains("/") ? "/" : "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.count) })
    else { return nil }
    let numbers = parts.compactMap(number)
    guard numbers.count == parts.count else { return nil }
    let date = (numbers + [1, 1]).prefix(3).map { $0.digits(2) }.joined(separator: "-")
    guard halves.count > 1 else { return moment(date, [0], "Z") }
    let clock = halves[1].prefix { $0 == ":" || $0 == "." || $0 == "," || ($0.isASCII && $0.isNumber) }
    let times = clock.prefix { $0 != "." && $0 != "," }.split(separator: ":", omittingEmptySubsequences: false)
      .compactMap(number)
    // Some write milliseconds behind a colon.
    guard (2...4).contains(times.count) else { return nil }
    let rest = halves[1].dropFirst(clock.count).split(separator: " ").first
    return moment(date, times, rest.map { $0.lowercased() == "z" ? "Z" : zone($0) } ?? "Z")
  }

  /// The moment of a day, hours, minutes and seconds, and a zone. `24:00:00` is the end of the day (ISO 8601).
  private static func moment(_ day: String, _ times: [Int], _ zone: String) -> Date? {
    let times = (times + [0, 0]).prefix(3)
    let isEnd = times.elementsEqual([24, 0, 0])
    let clock = (isEnd ? [0, 0, 0] : times).map { $0.digits(2) }.joined(separator: ":")
    return UTC.date("\(day)T\(clock)\(zone)").map { isEnd ? $0.addingTimeInterval(86_400) : $0 }
  }

  /// `20.11.2026`, and with a time. Other orders of numbers are read only if the day is more than 12.
  private static func numbered(_ text: String) -> Date? {
    let halves = text.split(maxSplits: 1) { $0 == " " }
    guard let written = halves.first, let mark = written.first(where: { $0 == "." || $0 == "/" }) else { return nil }
    let parts = written.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.map(\.count) == [2, 2, 4], let year = number(parts[2]), var day = number(parts[0]),
      var month = number(parts[1])
    else { return nil }
    if mark == "/", day <= 12 {
      guard month > 12 else { return nil }
      (day, month) = (month, day)
    }
    let date = [year, month, day].map { $0.digits(2) }.joined(separator: "-")
    return short(halves.count > 1 ? "\(date) \(halves[1])" : date)
  }

  /// Seconds, with or without a fraction, or milliseconds from 1970.
  private static func epoch(_ text: String) -> Date? {
    let text = text.prefix { $0 != "." }
    guard [10, 13].contains(text.utf8.count), let number = number(text) else { return nil }
    return Date(timeIntervalSince1970: text.utf8.count == 10 ? Double(number) : Double(number) / 1000)
  }

  /// `Fri, 20 Nov 2026 09:00:00 +0100`. Weekday, time, seconds and zone may be missing or wrong, months written in
  /// full or in another language, years of two digits (RFC 2822, 4.3).
  private static func mail(_ text: String) -> Date? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == "\n" }
      .flatMap(daysOfRFC850).filter { !fillers.contains($0.lowercased()) }
    guard let (day, month, year) = dayMonthAndYear(words) else { return nil }
    let date = "\(year)-\(month.digits(2))-\(day.digits(2))"
    guard let clock = words.first(where: { $0.contains(":") && $0.first?.isNumber == true }) else {
      return moment(date, [0], "Z")
    }
    let times = clock.split(separator: ":").compactMap { Int($0.prefix { $0.isNumber }) }
    let after = words.lastIndex(of: clock).map { words[($0 + 1)...] } ?? []
    let isOwnWord = after.first.map(isHalf) ?? false
    let half = isOwnWord ? after.first : clock.drop { !$0.isLetter }
    guard times.count >= 2, let hour = hour(times[0], half) else { return nil }
    return moment(date, [hour] + times.dropFirst(), zone(after.dropFirst(isOwnWord ? 1 : 0).first))
  }

  /// `20`, `Nov` and `26` of `20-Nov-26` (RFC 850, 2.1.4); any other word as it is.
  private static func daysOfRFC850(_ word: Substring) -> [Substring] {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && day(parts[0]) != nil && month(parts[1]) != nil ? parts : [word]
  }

  private static let fillers: Set = ["de", "of", "-"]

  /// The hour on a 24-hour clock; nil if a 12-hour clock has no such hour.
  private static func hour(_ hour: Int, _ half: Substring?) -> Int? {
    guard let half, isHalf(half) else { return hour }
    guard (1...12).contains(hour) else { return nil }
    return hour % 12 + (half.lowercased().hasPrefix("p") ? 12 : 0)
  }

  private static func isHalf(_ word: Substring) -> Bool { ["am", "pm", "a.m.", "p.m."].contains(word.lowercased()) }

  /// `20 Nov 2026`, else `Nov 20 2026` as some write it. The first comes first: `mar` is also a Tuesday.
  private static func dayMonthAndYear(_ words: [Substring]) -> (day: Int, month: Int, year: Int)? {
    let months = words.indices.compactMap { index in month(words[index]).map { (index, $0) } }
    let usual = months.first { index, _ in
      index > 0 && index + 1 < words.count && day(words[index - 1]) != nil && number(words[index + 1]) != nil
    }
    if let (index, month) = usual, let day = day(words[index - 1]) {
      return year(words[index + 1]).map { (day, month, $0) }
    }
    guard let (index, month) = months.first, index + 1 < words.count, let day = day(words[index + 1]) else {
      return nil
    }
    return words[(index + 2)...].lazy.filter { $0.count == 4 }.compactMap(year).first.map { (day, month, $0) }
  }

  /// `20`, and `20.`, `20th`, `1er` as ordinals.
  private static func day(_ word: Substring) -> Int? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count) else { return nil }
    return ordinals.contains(word.dropFirst(digits.count).lowercased()) ? number(digits) : nil
  }

  private static let ordinals: Set = ["", ".", "st", "nd", "rd", "th", "er"]

  private static func number(_ word: Substring) -> Int? {
    word.allSatisfy { $0.isASCII && $0.isNumber } ? Int(word) : nil
  }

  /// How the months begin in the languages in which feeds are often written.
  private static let months = [
    ["jan", "gen", "ene", "янв"], ["feb", "fev", "fév", "фев"], ["mar", "mär", "mrz", "mrt", "maart", "мар"],
    ["apr", "avr", "abr", "апр"], ["may", "mai", "mei", "mag", "maj", "май", "мая"], ["jun", "juin", "giu", "июн"],
    ["jul", "juil", "lug", "июл"], ["aug", "aoû", "aou", "ago", "авг"], ["sep", "set", "сен"],
    ["oct", "okt", "ott", "out", "окт"], ["nov", "ноя"], ["dec", "déc", "dez", "dic", "дек"],
  ]

  private static func month(_ word: Substring) -> Int? {
    guard word.count >= 3, word.first?.isLetter == true else { return nil }
    let name = word.lowercased()
    return months.firstIndex { $0.contains(where: name.hasPrefix) }.map { $0 + 1 }
  }

  /// Adds the century to a year of two or three digits. The number of digits decides, not the value.
  private static func year(_ word: Substring) -> Int? {
    guard (2...4).contains(word.count), let year = number(word) else { return nil }
    switch word.count {
    case 2 where year < 50: return 2000 + year
    case 2, 3: return 1900 + year
    default: return year >= 1000 ? year : nil
    }
  }

  private static let zones: [String: Int] = [
    "ET": -300, "CT": -360, "MT": -420, "PT": -480, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420,
    "MDT": -360, "PST": -480, "PDT": -420,
    "BST": 60, "WEST": 60, "CET": 60, "CEST": 120, "MET": 60, "MEST": 120, "EET": 120, "EEST": 180, "MSK": 180,
    "IST": 330, "JST": 540, "KST": 540,
    "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780,
  ]

  private static func zone(_ word: Substring?) -> String {
    guard let word else { return "Z" }
    let minutes = zones[word.uppercased()] ?? offset(word) ?? 0
    let size = abs(minutes)
    return "\(minutes < 0 ? "-" : "+")\((size / 60).digits(2)):\((size % 60).digits(2))"
  }

  /// `+0100`, `-5:00`, `GMT+2`.
  private static func offset(_ word: Substring) -> Int? {
    guard let sign = word.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    let numbers = word[word.index(after: sign)...].filter { $0.isASCII && $0.isNumber }
    guard (1...4).contains(numbers.count), let value = Int(numbers) else { return nil }
    let minutes = numbers.count > 2 ? value / 100 * 60 + value % 100 : value * 60
    return minutes < 24 * 60 ? (word[sign] == "-" ? -minutes : minutes) : nil
  }
}
