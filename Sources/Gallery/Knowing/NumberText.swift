import FoundationEssentials
import Posts

/// Numbers as pages show them.
enum NumberText {
  /// `1,234,567`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `999`, `1.2k`, `12k`, `3.4M`, for a small cell.
  static func brief(_ number: Int) -> String {
    switch number {
    case ..<1000: "\(number)"
    case ..<10_000: "\(number / 1000).\(number % 1000 / 100)k"
    case ..<1_000_000: "\(number / 1000)k"
    default: "\(number / 1_000_000).\(number % 1_000_000 / 100_000)M"
    }
  }

  /// `1 post`, `1,234 posts`.
  static func count(_ number: Int, _ word: String) -> String { "\(grouped(number)) \(word)\(number == 1 ? "" : "s")" }

  /// `999 B`, `1.5 kB`, `61.2 MB`.
  static func bytes(_ bytes: Int) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(max(0, bytes)) B" }
    var (tenths, unit) = (bytes / 100, 0)
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// `42 s`, `3 h 5 m`, `2 d`; with one unit, `3 h`.
  static func span(_ seconds: TimeInterval, units: Int = 2) -> String {
    let whole = Int(min(max(seconds, 0), 1e12))
    if whole < 60 { return "\(whole) s" }
    let all = [(whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "m")]
    let parts = all.drop { $0.0 == 0 }.prefix(units)
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  /// `12.5%`, for positions in pictures. A hundredth of a percent is less than a pixel.
  static func percent(_ part: Double) -> String {
    let hundredths = Int((min(max(part, 0), 1) * 10_000).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100)\(rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)")%"
  }
}
