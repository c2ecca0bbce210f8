/// The licence of a post, as its source names it: an address, or words such as `All rights reserved`.
public struct License: RawRepresentable, Sendable, Hashable {
  /// The address or the words.
  public let rawValue: String

  /// Licences of Creative Commons have one address each, whichever page about them was named.
  public init(rawValue: String) { self.rawValue = Self.deed(rawValue) ?? rawValue }

  /// A short name: `CC BY-SA 3.0 DE` for a licence of Creative Commons (https://creativecommons.org/share-your-work/cclicenses/), else
  /// the address or the words themselves.
  public var name: String {
    guard let parts = Self.parts(rawValue) else { return rawValue }
    let country = parts.count > 3 ? " \(parts[3].uppercased())" : ""
    return switch parts[1] {
    case "zero": "CC0 \(parts[2])\(country)"
    case "mark": "Public Domain Mark \(parts[2])\(country)"
    default: "CC \(parts[1].uppercased()) \(parts[2])\(country)"
    }
  }

  /// Its address on the web; nil if it is named by words.
  public var address: String? {
    let isAddress = ["https://", "http://"].contains { rawValue.lowercased().hasPrefix($0) }
    return isAddress && rawValue.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? rawValue : nil
  }

  private static func deed(_ text: String) -> String? {
    parts(text).map { "https://creativecommons.org/\($0.joined(separator: "/"))/" }
  }

  /// The parts of an address of Creative Commons, such as `licenses`, `by-sa`, `3.0` and, of one for a country, `de`. What stands
  /// behind them names a form or a language of the same licence. nil for another text.
  private static func parts(_ text: String) -> [String]? {
    let parts = text.lowercased().split(separator: "/").map(String.init)
    guard parts.count >= 5, ["http:", "https:"].contains(parts[0]),
      ["creativecommons.org", "www.creativecommons.org"].contains(parts[1]), codes[parts[2]]?.contains(parts[3]) == true
    else { return nil }
    let version = parts[4].utf8.map { $0 }
    guard version.count == 3, version[1] == UInt8(ascii: "."), [version[0], version[2]].allSatisfy(isDigit) else {
      return nil
    }
    return Array(parts[2..<(parts.count > 5 && isCountry(parts[5]) ? 6 : 5)])
  }

  /// Countries have two letters, `igo` and `scotland` more; `deed` and `legalcode` are none.
  private static func isCountry(_ part: String) -> Bool {
    [2, 3, 8].contains(part.utf8.count) && part != "rdf" && part.utf8.allSatisfy(isLetter)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

  private static let codes: [String: Set<String>] = [
    "licenses": ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"], "publicdomain": ["zero", "mark"],
  ]
}
