// Sizes and durations as users write them.

/// A number of bytes.
struct ByteCount: Hashable, Comparable, Sendable, CustomStringConvertible {
  let bytes: Int64

  /// Largest first, so that a text ends in the longest unit that fits.
  private static let units: [(name: String, bytes: Int64)] = [
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000),
  ]
  private static let spellings: [String: Int64] = [
    "t": 1_000_000_000_000, "tb": 1_000_000_000_000, "tib": 1 << 40,
    "g": 1_000_000_000, "gb": 1_000_000_000, "gib": 1 << 30,
    "m": 1_000_000, "mb": 1_000_000, "mib": 1 << 20,
    "k": 1_000, "kb": 1_000, "kib": 1 << 10, "b": 1, "": 1,
  ]

  init(bytes: Int64) { self.bytes = bytes }

  /// Parses `512MB`, `1.5 GB`, `64 MiB` or a bare number of bytes; nil for anything else.
  init?(_ text: String) {
    guard let (number, unit) = Measures.split(text[...]).flatMap({ $0.rest.isEmpty ? ($0.number, $0.unit) : nil }),
      let size = Self.spellings[unit], let bytes = Int64(exactly: (number * Double(size)).rounded())
    else { return nil }
    self.bytes = bytes
  }

  /// `512MB`: the largest unit of which it is a whole number.
  var description: String {
    let unit = Self.units.first { bytes >= $0.bytes && bytes % $0.bytes == 0 } ?? ("B", 1)
    return "\(bytes / unit.bytes)\(unit.name)"
  }

  static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
}

/// Parses numbers with units.
enum Measures {
  private static let seconds: [String: Double] = [
    "": 1, "s": 1, "sec": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hour": 3600, "hours": 3600, "d": 86400, "day": 86400, "days": 86400,
  ]

  /// Parses `60s`, `15m`, `1h 30m`, `2 minutes` or a bare number of seconds; nil for anything else.
  static func duration(_ text: String) -> Duration? {
    var rest = text[...]
    var sum = 0.0
    repeat {
      guard let part = split(rest), let unit = seconds[part.unit] else { return nil }
      sum += part.number * unit
      rest = part.rest
    } while !rest.isEmpty
    return Int64(exactly: (sum * 1000).rounded()).map { .milliseconds($0) }
  }

  /// A duration typed for a flag.
  static func duration(_ text: String, for flag: String, atLeast least: Duration = .zero) throws -> Duration {
    guard let duration = duration(text), duration <= .seconds(3650 * 86_400) else {
      throw UsageError("\(flag) \(text) is not a time", cure: "write it as 15m, 2h or 1d")
    }
    guard duration >= least else {
      throw UsageError("\(flag) \(text) is too short", cure: "write \(Self.text(least)) or more")
    }
    return duration
  }

  /// `60s`, `15m`, `2h`, `30d`: the largest unit of which it is a whole number, at least two.
  static func text(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    if duration.components.attoseconds != 0 { return "\(duration / .seconds(1))s" }
    let units = [("d", Int64(86_400)), ("h", 3600), ("m", 60)]
    let unit = units.first { seconds >= 2 * $0.1 && seconds % $0.1 == 0 } ?? ("s", 1)
    return "\(seconds / unit.1)\(unit.0)"
  }

  /// A number, its unit in lower case, and the rest; nil if the text does not start with a number.
  fileprivate static func split(_ text: Substring) -> (number: Double, unit: String, rest: Substring)? {
    let start = text.drop(while: \.isWhitespace)
    let digits = start.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard digits.count <= 18, let number = Double(digits) else { return nil }
    let behind = start.dropFirst(digits.count).drop(while: \.isWhitespace)
    let unit = behind.prefix { $0.isLetter }
    return (number, unit.lowercased(), behind.dropFirst(unit.count).drop(while: \.isWhitespace))
  }
}
