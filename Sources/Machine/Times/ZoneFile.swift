import FoundationEssentials

/// A zone of the system's time zone database, as a TZif file describes it (RFC 9636).
package struct ZoneFile: Sendable, Equatable {
  private let transitions: [Int64]
  /// The offset from each transition on, in seconds east of Greenwich.
  private let offsets: [Int]
  /// The offset before the first transition.
  private let first: Int
  /// What holds after the last transition.
  private let rule: ZoneRule?

  /// Where Linux keeps the database.
  package static let folder = "/usr/share/zoneinfo"

  /// The zone with a name such as `Europe/Berlin`; nil if the system does not know it.
  package static func named(_ name: String, in folder: String = folder) -> ZoneFile? {
    let isPlain = name.utf8.allSatisfy { byte in
      (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || "/_+-".utf8.contains(byte)
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("/"), !name.hasSuffix("/"),
      let bytes = smallFile("\(folder)/\(name)")
    else { return nil }
    return ZoneFile(bytes)
  }

  /// A zone from its changes.
  ///
  /// - Parameters:
  ///   - changes: When the clock changes, in order, and by how many seconds it is ahead of UTC from then on.
  ///   - before: By how many it is ahead before the first.
  package init(changes: [(at: Int64, offset: Int)], before: Int) {
    (transitions, offsets, first, rule) = (changes.map(\.at), changes.map(\.offset), before, nil)
  }

  /// Reads a file's bytes; nil if they are no TZif file.
  package init?(_ bytes: [UInt8]) {
    guard var part = Part(bytes, at: 0, wide: false) else { return nil }
    var footer = ""
    if part.version > 0 {
      guard let wide = Part(bytes, at: part.end, wide: true) else { return nil }
      part = wide
      let text = bytes[part.end...]
      if text.first == 0x0A {
        footer = String(decoding: text.dropFirst().prefix { $0 != 0x0A }.prefix(200), as: UTF8.self)
      }
    }
    (transitions, offsets, first) = (part.transitions, part.offsets, part.first)
    rule = ZoneRule(footer)
  }

  /// The seconds by which the zone's clock is ahead of UTC.
  package func offset(at moment: Date) -> Int {
    guard let seconds = Int64(exactly: moment.timeIntervalSince1970.rounded(.down)) else { return 0 }
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? first }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }
}

extension ZoneFile {
  /// One of the two blocks of data: with times of 4 or of 8 bytes.
  private struct Part {
    let version: UInt8
    let transitions: [Int64]
    let offsets: [Int]
    let first: Int
    let end: Int

    init?(_ bytes: [UInt8], at start: Int, wide: Bool) {
      guard bytes.count >= start + 44, bytes[start...].starts(with: "TZif".utf8) else { return nil }
      version = bytes[start + 4]
      let counts = (0..<6).map { Self.number(bytes, at: start + 20 + 4 * $0, width: 4) }
      let (universal, standard, leaps) = (Int(counts[0]), Int(counts[1]), Int(counts[2]))
      let (times, types, letters) = (Int(counts[3]), Int(counts[4]), Int(counts[5]))
      guard counts.allSatisfy({ (0...10_000).contains($0) }), types > 0 else { return nil }
      let width = wide ? 8 : 4
      let indexes = start + 44 + times * width
      let records = indexes + times
      end = records + types * 6 + letters + leaps * (width + 4) + standard + universal
      guard bytes.count >= end else { return nil }
      transitions = (0..<times).map { Self.number(bytes, at: start + 44 + $0 * width, width: width) }
      let known = (0..<types).map { Int(Self.number(bytes, at: records + $0 * 6, width: 4)) }
      let used = bytes[indexes..<records]
      guard used.allSatisfy({ Int($0) < types }), known.allSatisfy({ abs($0) < 100_000 }) else { return nil }
      offsets = used.map { known[Int($0)] }
      first = known[0]
    }

    /// A signed number in network order.
    private static func number(_ bytes: [UInt8], at start: Int, width: Int) -> Int64 {
      let unsigned = bytes[start..<(start + width)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return width == 8 ? Int64(bitPattern: unsigned) : Int64(Int32(truncatingIfNeeded: unsigned))
    }
  }
}
