import FoundationEssentials
import Posts

/// A plain text with its links: web addresses, tags and mentions.
///
/// The text is a stranger's. Only `http` and `https` addresses with a host become links; all other characters stay text.
package struct LinkedText: Sendable, Equatable {
  /// A piece of the text.
  package struct Piece: Sendable, Equatable, Encodable {
    package var text: String
    /// Where it leads: an address of the web, or a list of this gallery, which begins with a slash; nil for plain text.
    package var link: String?
  }

  package private(set) var pieces: [Piece] = []

  /// Finds the links of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - tags: The tags that lead to their list, as `Feed.tagName` spells them.
  ///   - author: The handle whose list a mention leads to, given what stands after `@`; nil if the library has no such author.
  package init(_ text: String, tags: Set<String> = [], author: (String) -> String? = { _ in nil }) {
    var rest = text[...]
    var plain = text.startIndex
    var mentions = 0
    while let start = rest.unicodeScalars.firstIndex(where: { $0 == "h" || $0 == "H" || $0 == "#" || $0 == "@" }) {
      let candidate = text[start...]
      rest = text[text.unicodeScalars.index(after: start)...]
      guard Self.isBoundary(text, start) else { continue }
      let found: (length: Substring, link: String)?
      switch text.unicodeScalars[start] {
      case "#": found = Self.tag(candidate, tags)
      case "@":
        mentions += 1
        // Each mention is looked up, so a text full of them must not cost more.
        found = mentions > 50 ? nil : Self.mention(candidate, author)
      default: found = Self.address(candidate)
      }
      guard let found else { continue }
      add(text[plain..<start], nil)
      add(found.length, found.link)
      plain = found.length.endIndex
      rest = text[plain...]
    }
    add(text[plain...], nil)
  }

  /// As markup. Addresses of the web open in a tab of their own, which learns nothing of this page.
  package var html: HTML {
    HTML.joined(
      pieces.map { piece in
        guard let link = piece.link else { return HTML(piece.text) }
        if link.hasPrefix("/") { return "<a href=\"\(link)\">\(piece.text)</a>" }
        return "<a href=\"\(link)\" rel=\"noopener noreferrer\" target=\"_blank\">\(piece.text)</a>"
      })
  }

  private mutating func add(_ text: Substring, _ link: String?) {
    if !text.isEmpty { pieces.append(Piece(text: String(text), link: link)) }
  }

  /// Whether no word reaches into this position.
  private static func isBoundary(_ text: String, _ index: String.Index) -> Bool {
    guard index > text.startIndex else { return true }
    let before = text.unicodeScalars[text.unicodeScalars.index(before: index)]
    return !isWord(before) && !"/@#&".unicodeScalars.contains(before)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func tag(_ text: Substring, _ tags: Set<String>) -> (Substring, String)? {
    guard !tags.isEmpty else { return nil }
    let name = text.unicodeScalars.dropFirst().prefix { isWord($0) || "·-".unicodeScalars.contains($0) || $0.isMark }
    guard !name.isEmpty, name.count <= 100 else { return nil }
    let tag = Feed.tagName(String(name))
    return tags.contains(tag) ? (text[..<name.endIndex], "/?tag=\(tag.queryEncoded)") : nil
  }

  private static func mention(_ text: Substring, _ author: (String) -> String?) -> (Substring, String)? {
    var name = text.unicodeScalars.dropFirst().prefix {
      $0.isASCII && (isWord($0) || "@.-".unicodeScalars.contains($0))
    }
    while let last = name.last, !isWord(last) { name = name.dropLast() }
    guard !name.isEmpty, name.count <= 300, let handle = author(String(name)) else { return nil }
    return (text[..<name.endIndex], "/?user=\(handle.queryEncoded)")
  }

  // MARK: Addresses

  private static let longest = 2048

  private static func address(_ text: Substring) -> (Substring, String)? {
    let start = text.utf8.prefix(8).map { (65...90).contains($0) ? $0 + 32 : $0 }
    guard start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8) else { return nil }
    var address = text.unicodeScalars.prefix(longest + 1).prefix(while: isInAddress)
    guard address.count <= longest else { return nil }
    trim(&address)
    let link = String(address)
    guard let parts = URLComponents(webAddress: link), let host = parts.hostName, !host.isEmpty, parts.user == nil,
      parts.password == nil
    else { return nil }
    return (text[..<address.endIndex], link)
  }

  /// Whether a character may be in an address. Those that end a line, hide or turn text end it.
  private static func isInAddress(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.properties.isWhitespace, !"<>\"`\\^{|}".unicodeScalars.contains(scalar) else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }

  /// Punctuation after an address belongs to the sentence, and so does a bracket that was opened before it.
  private static func trim(_ address: inout Substring.UnicodeScalarView) {
    while let last = address.last {
      if ".,;:!?'*_~…。、，！？".unicodeScalars.contains(last) {
        address = address.dropLast()
      } else if let open = brackets[last], address.count(where: { $0 == open }) < address.count(where: { $0 == last }) {
        address = address.dropLast()
      } else {
        return
      }
    }
  }

  private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [
    ")": "(", "]": "[", "»": "«", "”": "“", "’": "‘", "）": "（", "」": "「",
  ]
}
