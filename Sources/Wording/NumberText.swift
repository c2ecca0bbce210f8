import FoundationEssentials

/// Numbers, sizes, durations and lists as people read them.
package enum NumberText {
  /// `1,234,567`.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `999`, `1.2k`, `12k`, `3.4M`, for a small cell.
  package static func brief(_ number: Int) -> String {
    switch number {
    case ..<1000: "\(number)"
    case ..<10_000: "\(number / 1000).\(number % 1000 / 100)k"
    case ..<1_000_000: "\(number / 1000)k"
    default: "\(number / 1_000_000).\(number % 1_000_000 / 100_000)M"
    }
  }

  /// `1 post`, `1,234 posts`.
  ///
  /// - Parameter many: The plural, if it is more than an `s`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `999 B`, `1.5 kB`, `61.2 MB`: powers of 1000, the usual units of disks and networks.
  package static func bytes(_ bytes: Int) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(max(0, bytes)) B" }
    var (tenths, unit) = (bytes / 100, 0)
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// A duration in its two largest units: `3 d 2 h`, `3 h 12 m`, `12 m`, `40 s`; with one unit, `3 h`.
  package static func span(_ seconds: TimeInterval, units: Int = 2) -> String {
    let whole = Int(min(max(seconds, 0), 1e12))
    if whole < 60 { return "\(whole) s" }
    let all = [(whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "m")]
    let parts = all.drop { $0.0 == 0 }.prefix(units)
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  /// The same of a duration.
  package static func span(_ duration: Duration) -> String { span(duration / .seconds(1)) }

  /// The time that remains, in one unit: `42 s`, `12 m`, `3 h`. Seconds and minutes are rounded up, so that nobody comes back
  /// too early.
  package static func left(_ seconds: TimeInterval) -> String {
    let whole = max(0, seconds).rounded(.up)
    return span(whole < 60 ? whole : (whole / 60).rounded(.up) * 60, units: 1)
  }

  /// `12.5%`, for positions in pictures. A hundredth of a percent is less than a pixel.
  package static func percent(_ part: Double) -> String {
    let hundredths = Int((min(max(part, 0), 1) * 10_000).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100)\(rest == 0 ? "" : ".\(rest.digits(2))")%"
  }

  /// `a`, `a and b`, `a, b and c`; with another conjunction in place of `and`.
  package static func list(_ words: [String], by word: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
