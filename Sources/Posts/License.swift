/// The licence of a post, as its source names it: an address, or words such as `All rights reserved`.
public struct License: RawRepresentable, Sendable, Hashable {
  /// The address or the words.
  public let rawValue: String

  /// Licences of Creative Commons have one address each, whichever page about them was named.
  public init(rawValue: String) { self.rawValue = Self.deed(rawValue) ?? rawValue }

  /// A short name: `CC BY-SA 4.0` for a licence of Creative Commons (https://creativecommons.org/share-your-work/cclicenses/), else
  /// the address or the words themselves.
  public var name: String {
    guard let (family, code, version) = Self.parts(rawValue) else { return rawValue }
    return switch (family, code) {
    case ("licenses", _): "CC \(code.uppercased()) \(version)"
    case (_, "zero"): "CC0 \(version)"
    default: "Public Domain Mark \(version)"
    }
  }

  /// Its address; nil if it is named by words.
  public var address: String? { rawValue.hasPrefix("https://") || rawValue.hasPrefix("http://") ? rawValue : nil }

  private static func deed(_ text: String) -> String? {
    parts(text).map { "https://creativecommons.org/\($0.family)/\($0.code)/\($0.version)/" }
  }

  /// The parts of an address of Creative Commons, such as `licenses`, `by-sa` and `4.0`; nil for another text.
  private static func parts(_ text: String) -> (family: String, code: String, version: String)? {
    let parts = text.lowercased().split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard parts.count >= 5, ["http:", "https:"].contains(parts[0]),
      ["creativecommons.org", "www.creativecommons.org"].contains(parts[1])
    else { return nil }
    let (family, code, version) = (parts[2], parts[3], parts[4])
    guard family == "licenses" && codes.contains(code) || family == "publicdomain" && ["zero", "mark"].contains(code),
      version.utf8.count <= 4, version.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
    else { return nil }
    return (family, code, version)
  }

  private static let codes: Set = ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"]
}
