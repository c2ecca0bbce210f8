import Machine

/// A time by a camera's clock.
struct FactTime: Equatable {
  /// The time: `2024-05-01T12:30:00`.
  let text: String
  /// Minutes that the clock was ahead of UTC; nil if it is not known.
  let offset: Int?

  private static let years = 1800...2200

  /// Reads a time in the forms of EXIF (`2024:05:01 12:30:00`), of XMP and containers (ISO 8601), and of IPTC. A day without
  /// a time is read as its beginning. Nil if there is no such time.
  ///
  /// - Parameter zone: The offset where it stands apart: `+02:00`.
  init?(_ bytes: [UInt8]?, zone: [UInt8]? = nil) {
    guard let bytes, bytes.count <= 64 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    guard let first = parts.first, let day = Self.day(first) else { return nil }
    let clock = parts.count > 1 ? parts[1] : "00:00:00"
    let time = clock.prefix(8)
    // A time without seconds, which XMP allows.
    let whole = time.utf8.count >= 6 && time.dropFirst(5).first == ":" ? String(time) : "\(clock.prefix(5)):00"
    let written = "\(day)T\(whole)"
    guard written.utf8.count == 19, UTC.date(written) != nil, let year = Int(day.prefix(4)), Self.years.contains(year)
    else { return nil }
    self.text = written
    offset =
      Self.offset(clock.drop { $0 != "+" && $0 != "-" && $0 != "Z" })
      ?? zone.flatMap { zone in
        Self.offset(Substring(String(decoding: zone.prefix(16), as: UTF8.self)))
      }
  }

  /// `2024-05-01` of a day with any separators, or none.
  private static func day(_ text: Substring) -> String? {
    let digits = text.filter { $0 != ":" && $0 != "-" && $0 != "/" && $0 != "." }
    guard digits.utf8.count == 8, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))"
  }

  /// Minutes ahead of UTC: from -12 to +14 hours.
  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber || $0 == ":" }.filter { $0 != ":" }
    guard digits.count == 4 || digits.count == 2, let hours = Int(digits.prefix(2)),
      let minutes = digits.count == 2 ? 0 : Int(digits.dropFirst(2)), minutes < 60
    else { return nil }
    let offset = (sign == "-" ? -1 : 1) * (60 * hours + minutes)
    return (-720...840).contains(offset) ? offset : nil
  }
}
