import CXML
import Glibc

/// Determines the character set of a document.
///
/// A byte order mark decides, then whether the bytes are UTF-8 with characters of several bytes: no text of another set
/// is so by chance, and many servers label UTF-8 otherwise. Then come the `charset` of the answer, the document's own
/// declaration (RFC 7303, 3), and UTF-8. Latin-1 and ASCII labels mean Windows-1252, as in browsers
/// (https://encoding.spec.whatwg.org/#names-and-labels). A label that the bytes contradict, such as invalid UTF-8,
/// gives way to the next one. Bytes that have no known label and are not UTF-8 are Windows-1252, like most such
/// documents.
enum Charset {
  /// The document as UTF-8, without a byte order mark. Invalid bytes become U+FFFD.
  static func utf8(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(Array(bytes.dropFirst(3))) }
    if let marked = markedCharset(bytes) { return converted(bytes, from: marked) ?? repaired(bytes) }
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    if !isASCII, isUTF8(bytes) { return bytes }
    // UTF-16 without marks holds zeros.
    let isNarrow = isASCII && !bytes.contains(0)
    let said = [contentType.flatMap(charset(of:)), declared(in: bytes)].compactMap { $0 }
    let labels = said.filter { !isNarrow || !isWide($0) } + ["utf-8"]
    for (index, label) in labels.enumerated() {
      if label == "utf-8" || label == "utf8" {
        if isUTF8(bytes) { return bytes }
        // The last entry is not a label but the default.
        let isSaid = index < labels.count - 1
        if isSaid, labels[(index + 1)...].dropLast().contains(where: { !$0.hasPrefix("utf") }) { continue }
        return isSaid ? repaired(bytes) : unlabelled(bytes)
      }
      if let text = converted(bytes, from: meant(label)) { return text }
    }
    return repaired(bytes)
  }

  /// `charset` of `application/rss+xml; charset="utf-8"`, in lower case.
  static func charset(of contentType: String) -> String? {
    for part in contentType.split(separator: ";").dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpace }
      guard halves.count == 2, halves[0].lowercased() == "charset" else { continue }
      return name(halves[1].filter { $0 != "\"" && $0 != "'" })
    }
    return nil
  }

  /// UTF-16 and UTF-32 by their marks, and UTF-16 without a mark by its first character `<` (XML 1.0, F.1).
  private static func markedCharset(_ bytes: [UInt8]) -> String? {
    switch bytes.prefix(4) {
    case [0xFF, 0xFE, 0, 0]: "UTF-32LE"
    case [0, 0, 0xFE, 0xFF]: "UTF-32BE"
    case let head where head.starts(with: [0xFF, 0xFE]) || head == [0x3C, 0, 0x3F, 0]: "UTF-16LE"
    case let head where head.starts(with: [0xFE, 0xFF]) || head == [0, 0x3C, 0, 0x3F]: "UTF-16BE"
    default: nil
    }
  }

  /// `<?xml version="1.0" encoding="…"?>`, read as ASCII.
  private static func declared(in bytes: [UInt8]) -> String? {
    let head = bytes.prefix(256).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = String(decoding: head[..<end], as: UTF8.self)
    guard let mark = declaration.firstRange(of: "encoding") else { return nil }
    let rest = declaration[mark.upperBound...].drop { $0 != "\"" && $0 != "'" }
    guard let quote = rest.first else { return nil }
    return name(String(rest.dropFirst().prefix { $0 != quote }))
  }

  /// A label that can name a character set. iconv also accepts commands in it.
  private static func name(_ text: String) -> String? {
    let isName =
      (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.:".utf8.contains($0) }
    return isName ? text.lowercased() : nil
  }

  private static func isWide(_ label: String) -> Bool {
    ["utf-16", "utf16", "utf-32", "utf32", "ucs-2", "ucs-4", "iso-10646"].contains(where: label.hasPrefix)
  }

  /// The set that a label means, as in browsers: documents often name a smaller set and use its successor, and some
  /// names are of Windows alone.
  private static func meant(_ label: String) -> String {
    switch label {
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "us-ascii", "ascii", "l1": "WINDOWS-1252"
    case "iso-8859-9", "iso8859-9", "iso_8859-9", "latin5", "l5", "x-cp1254": "WINDOWS-1254"
    case "iso-8859-11", "iso8859-11", "tis-620", "dos-874", "windows-874": "CP874"
    case "iso-8859-8-i", "csiso88598i", "logical": "ISO-8859-8"
    case "x-cp1250", "win-1250", "windows1250", "cp-1250": "WINDOWS-1250"
    case "x-cp1251", "win-1251", "windows1251", "cp-1251": "WINDOWS-1251"
    case "x-mac-roman": "MACINTOSH"
    case "x-mac-cyrillic", "x-mac-ukrainian": "MAC-CYRILLIC"
    case "gb2312", "gb_2312", "gb2312-80", "gb_2312-80", "csgb2312", "euc-cn", "x-gbk", "gbk", "cp936": "GB18030"
    case "big-5", "csbig5", "x-x-big5": "BIG5"
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "csshiftjis", "windows-31j": "CP932"
    case "euc-jp", "eucjp", "x-euc-jp", "cseucpkdfmtjapanese": "EUC-JP-MS"
    case "euc-kr", "euckr", "cseuckr", "korean", "ks_c_5601-1987", "ks_c_5601-1989", "ksc_5601", "ksc5601",
      "iso-ir-149", "windows-949":
      "CP949"
    default: label
    }
  }

  /// Unlabelled bytes that are not UTF-8. They are repaired if most of their non-ASCII bytes are valid UTF-8.
  private static func unlabelled(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    var (good, bad) = (0, 0)
    for scalar in text.unicodeScalars where !scalar.isASCII {
      if scalar == "\u{FFFD}" { bad += 1 } else { good += 1 }
    }
    return good > bad ? Array(text.utf8) : converted(bytes, from: "WINDOWS-1252") ?? Array(text.utf8)
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return true
    } catch { return false }
  }

  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    isUTF8(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  /// The most invalid bytes in a character set. With more, the document is in another one.
  private static let mostBad = 10_000

  /// Returns nil if the character set is unknown or the bytes are in another one.
  private static func converted(_ bytes: [UInt8], from charset: String) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", charset), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 4)
    var room = [UInt8](repeating: 0, count: 64 << 10)
    var bad = 0
    input.withUnsafeMutableBytes { space in
      var next = space.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = space.count
      while left > 0, bad <= mostBad, output.count <= 4 * bytes.count {
        let before = left
        convert(&next, &left, converter, through: &room, into: &output)
        // The bytes are invalid in this character set, or the last character is truncated.
        if left > 0, left == before || errno == EILSEQ || errno == EINVAL {
          output += [0xEF, 0xBF, 0xBD]
          next = next?.advanced(by: 1)
          left -= 1
          bad += 1
        }
      }
    }
    if bad > mostBad { return nil }
    if output.starts(with: [0xEF, 0xBB, 0xBF]) { output.removeFirst(3) }
    return repaired(output)
  }

  private static func convert(
    _ next: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, _ converter: iconv_t, through room: inout [UInt8],
    into output: inout [UInt8]
  ) {
    let count = room.count
    var free = count
    errno = 0
    room.withUnsafeMutableBytes { space in
      var end = space.baseAddress?.assumingMemoryBound(to: CChar.self)
      _ = iconv(converter, &next, &left, &end, &free)
    }
    output += room[..<(count - free)]
  }
}

extension UInt8 {
  fileprivate var isASCIILetterOrDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 32)
  }
}

extension Substring {
  fileprivate var trimmingSpace: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
