/// The effect of an element on the text around it. Elements without one are `inline`.
enum HTMLTag: Equatable {
  case inline, lineBreak, paragraph, block, cell, quote, bulletList, numberedList, item, preformatted, image, hidden

  /// The tag for an element's name, case-insensitively.
  init(_ name: some Collection<UInt8>) {
    guard name.count <= HTMLTag.longest else {
      self = .inline
      return
    }
    self = HTMLTag.table[HTMLTag.key(name)] ?? .inline
  }

  /// A key made of the name's bytes. Every tag of every caption is looked up, and this avoids creating a string for
  /// each.
  private static func key(_ name: some Collection<UInt8>) -> UInt128 {
    name.reduce(1) { $0 << 8 | UInt128($1.lowercased) }
  }

  private static let longest = "blockquote".utf8.count

  private static let table: [UInt128: HTMLTag] = {
    let names: [(HTMLTag, String)] = [
      (.lineBreak, "br"), (.paragraph, "p h1 h2 h3 h4 h5 h6 hr table dl figure"),
      (.block, "div section article header footer main aside nav address tr dt dd form fieldset summary caption"),
      (.cell, "td th"), (.quote, "blockquote"), (.bulletList, "ul menu"), (.numberedList, "ol"), (.item, "li"),
      (.preformatted, "pre"), (.image, "img"),
      (.hidden, "script style title template textarea iframe noembed noframes object svg math"),
    ]
    return names.reduce(into: [:]) { table, entry in
      for name in entry.1.split(separator: " ") { table[key(name.utf8)] = entry.0 }
    }
  }()
}

extension UInt8 {
  /// An ASCII letter.
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) }
  /// HTML's white space: space, tab, line feed, form feed, carriage return.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }
  /// The byte in lower case, if it is an ASCII letter.
  var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension Collection<UInt8> {
  /// The same ASCII text, in any case.
  func equals(_ other: some Collection<UInt8>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.lowercased == $1.lowercased }
  }
  /// The same ASCII text, in any case.
  func equals(_ other: StaticString) -> Bool {
    other.withUTF8Buffer { equals($0) }
  }
}
