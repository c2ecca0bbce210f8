import FoundationEssentials

/// Host names with letters of any script, and their form for DNS (RFC 5891; UTS 46, without transitional processing).
///
/// Foundation's URLs convert such names only where ICU is linked. So all URLs whose host may not be ASCII are read through
/// `URLComponents(webAddress:)`, and their host is `hostName`: with ICU and without it the result is the same.
package enum HostName {
  /// The form for DNS: `xn--mller-kva.example` for `Müller.example`.
  ///
  /// - Returns: Nil if the text is not a host name, or has characters whose mapping needs more than the standard library's
  ///   tables, such as `Ⅷ`. It is never another name than ICU's.
  package static func ascii(_ host: String) -> String? {
    guard let mapped = mapped(host) else { return nil }
    let labels = mapped.split(separator: ".", omittingEmptySubsequences: false)
    let encoded = labels.enumerated().map { index, label in
      // The root's label is empty.
      label.isEmpty && index > 0 && index == labels.count - 1 ? "" : ascii(label: label)
    }
    guard encoded.allSatisfy({ $0 != nil }) else { return nil }
    let name = encoded.compactMap(\.self).joined(separator: ".")
    return name.utf8.count <= 254 ? name : nil
  }

  /// The form for people: `müller.example` for `xn--mller-kva.example`. Nil if a label encodes nothing.
  package static func unicode(_ host: String) -> String? {
    guard host.lowercased().contains("xn--") else { return host }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { label -> String? in
      let lower = label.lowercased()
      guard lower.hasPrefix("xn--") else { return String(label) }
      return Punycode.decoded(lower.dropFirst(4)).flatMap { ascii($0) == lower ? $0 : nil }
    }
    guard labels.allSatisfy({ $0 != nil }) else { return nil }
    return labels.compactMap(\.self).joined(separator: ".")
  }

  /// The text of a URL, or of a reference that begins with `//`, with its host in ASCII. A text without a host stays
  /// unchanged. Nil if the host is none.
  package static func inASCII(url text: String) -> String? {
    guard let host = hostRange(in: text), text[host].utf8.first != UInt8(ascii: "[") else { return text }
    if text[host].utf8.allSatisfy({ $0 < 0x80 }) { return isPlain(text[host]) ? text : nil }
    return ascii(String(text[host])).map { "\(text[..<host.lowerBound])\($0)\(text[host.upperBound...])" }
  }

  /// The host in the text of a URL, as it is written there. Nil if there is none.
  package static func host(inURL text: String) -> Substring? { hostRange(in: text).map { text[$0] } }

  /// The text of a URL with another host. A text without a host stays unchanged.
  package static func url(_ text: String, withHost host: String) -> String {
    hostRange(in: text).map { "\(text[..<$0.lowerBound])\(host)\(text[$0.upperBound...])" } ?? text
  }

  private static func hostRange(in text: String) -> Range<String.Index>? {
    let slashes = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    guard let slashes, text.utf8[slashes...].starts(with: "//".utf8) else { return nil }
    let scheme = text.utf8[..<slashes]
    guard scheme.isEmpty || scheme.last == UInt8(ascii: ":") && scheme.dropLast().allSatisfy(isInScheme) else {
      return nil
    }
    let rest = text.utf8[text.utf8.index(slashes, offsetBy: 2)...]
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
    let name = host.first == UInt8(ascii: "[") ? host : host.prefix { $0 != UInt8(ascii: ":") }
    return name.startIndex..<name.endIndex
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isLetter || "0123456789+-.".utf8.contains(byte)
  }

  /// Whether a text has only the characters of a host (RFC 3986, 3.2.2).
  private static func isPlain(_ host: Substring) -> Bool {
    host.percentDecoded != nil && host.utf8.allSatisfy { isLetterOrDigit($0) || "-._~!$&'()*+,;=%".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
  }
}

extension HostName {
  /// The mapping of UTS 46, 4: lower case, composed, without characters of no width; nil if one cannot be mapped.
  private static func mapped(_ host: String) -> String? {
    var lower = String.UnicodeScalarView()
    for scalar in host.unicodeScalars {
      switch scalar.value {
      case 0x3002, 0xFF0E, 0xFF61: lower.append(".")
      // Full-width forms of ASCII.
      case 0xFF01...0xFF5E:
        let plain = Unicode.Scalar(UInt8(scalar.value - 0xFEE0))
        lower.append(contentsOf: plain.properties.lowercaseMapping.unicodeScalars)
      case 0x200C, 0x200D: lower.append(scalar)
      case _ where scalar.properties.isDefaultIgnorableCodePoint: continue
      default: lower.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    let name = String(lower).composed
    return name.unicodeScalars.allSatisfy(isMapped) ? name : nil
  }

  private static func isMapped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isLetterOrDigit(UInt8(scalar.value)) || "-_.".unicodeScalars.contains(scalar) }
    switch scalar.value {
    // Kept since 2010: sharp s, final sigma, and the joiners.
    case 0xDF, 0x3C2, 0x200C, 0x200D: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return false
    default: return !scalar.properties.changesWhenNFKCCaseFolded
    }
  }

  private static func ascii(label: Substring) -> String? {
    let scalars = Array(label.unicodeScalars)
    guard let first = scalars.first, first != "-", scalars.last != "-" else { return nil }
    if scalars.allSatisfy(\.isASCII) {
      guard label.hasPrefix("xn--") || !label.dropFirst(2).hasPrefix("--") else { return nil }
      return label.utf8.count <= 63 ? String(label) : nil
    }
    guard !first.isMark, !label.dropFirst(2).hasPrefix("--"), hasFitJoiners(scalars) else { return nil }
    let encoded = "xn--" + Punycode.encoded(scalars)
    return encoded.utf8.count <= 63 ? encoded : nil
  }

  /// A joiner must follow a virama (RFC 5892, A.1 and A.2); the other one may stand between Arabic or Syriac letters.
  private static func hasFitJoiners(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.indices.allSatisfy { index in
      guard ["\u{200C}", "\u{200D}"].contains(scalars[index]) else { return true }
      guard index > 0 else { return false }
      if scalars[index - 1].properties.canonicalCombiningClass == .virama { return true }
      let neighbours = [scalars[index - 1]] + scalars[(index + 1)...].prefix(1)
      return scalars[index] == "\u{200C}" && neighbours.count == 2
        && neighbours.allSatisfy { (0x620...0x8FF).contains($0.value) }
    }
  }
}

extension URLComponents {
  /// Reads an address whose host may have letters of any script. Nil if it is not a URL.
  package init?(webAddress text: String) {
    guard let text = HostName.inASCII(url: text) else { return nil }
    self.init(string: text)
  }

  /// The host as people write it. Nil if there is none, or if it encodes nothing.
  package var hostName: String? { host.flatMap(HostName.unicode) }
}

extension Unicode.Scalar {
  /// Whether it belongs to the character before it. Scripts such as Devanagari write vowels so.
  package var isMark: Bool { [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory) }
}
