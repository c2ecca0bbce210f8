/// An element of a feed's XML with its content.
struct XMLElement: Equatable {
  /// The content of an element, in order.
  enum Node: Equatable {
    case text(String)
    case element(XMLElement)
  }

  /// The name as `XMLName` writes it: `title`, `atom:title`, `media:content`.
  var name: String
  /// The attributes by their names as written, including `xml:`.
  var attributes: [String: String]
  /// Its content.
  var nodes: [Node] = []

  /// The name without its namespace.
  var localName: String { name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name }

  /// Its child elements.
  var elements: [XMLElement] { nodes.compactMap { if case .element(let element) = $0 { element } else { nil } } }

  /// Its text at any depth, trimmed.
  var text: String? {
    let text = nodes.map(\.text).joined()
    let trimmed = text.trimmed
    return trimmed.isEmpty ? nil : trimmed
  }

  /// The first child with the first of these names that occurs.
  func first(_ names: String...) -> XMLElement? {
    for name in names {
      if let found = elements.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  /// All children with a name.
  func all(_ name: String) -> [XMLElement] { elements.filter { $0.name == name } }

  /// A trimmed attribute; nil if it is missing or empty.
  subscript(attribute: String) -> String? {
    attributes[attribute].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Its content as HTML: Atom's `xhtml`. Addresses within an element that declares another base are written whole, because
  /// HTML knows no `xml:base`.
  ///
  /// - Parameter base: The base around it, to which the addresses that stay as they are refer.
  func markup(base: String) -> String { nodes.map { $0.markup(base: base, isRebased: false) }.joined() }
}

extension XMLElement.Node {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .element(let element): element.nodes.map(\.text).joined()
    }
  }

  fileprivate func markup(base: String, isRebased: Bool) -> String {
    switch self {
    case .text(let text): return XMLElement.escaped(text)
    case .element(let element):
      let own = element["xml:base"].flatMap { FeedAddress.resolve($0, against: base) }
      let (base, isRebased) = (own ?? base, isRebased || own != nil)
      let name = element.localName
      let attributes = element.attributes.sorted { $0.key < $1.key }
        .map { " \($0.key)=\"\(XMLElement.escaped(isRebased ? Self.rebased($0.value, of: $0.key, base) : $0.value))\"" }
        .joined()
      let content = element.nodes.map { $0.markup(base: base, isRebased: isRebased) }.joined()
      return element.nodes.isEmpty && XMLElement.void.contains(name)
        ? "<\(name)\(attributes)>" : "<\(name)\(attributes)>\(content)</\(name)>"
    }
  }

  private static let addresses: Set<String> = ["href", "src", "poster", "data-src", "data-orig-file"]

  private static func rebased(_ value: String, of attribute: String, _ base: String) -> String {
    switch attribute {
    case "srcset", "data-srcset":
      value.split(separator: ",").map { (part: Substring) -> String in
        let words = part.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        let address = words.first.flatMap { FeedAddress.resolve(String($0), against: base) }
        return ([address ?? ""] + words.dropFirst().map(String.init)).joined(separator: " ")
      }.joined(separator: ", ")
    default: Self.addresses.contains(attribute) ? FeedAddress.resolve(value, against: base) ?? value : value
    }
  }
}

extension XMLElement {
  /// Text as HTML, also valid in an attribute.
  static func escaped(_ text: String) -> String {
    // By bytes: Swift joins a mark and a combining character after it into one character, HTML does not.
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  fileprivate static let void: Set<String> = ["br", "hr", "img", "wbr"]
}

extension StringProtocol {
  /// The text, trimmed.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[first...last])
  }
}

/// The names of elements, one for each meaning. Feeds spell namespaces in many ways or forget them.
enum XMLName {
  /// The most bytes of a namespace. All known ones are far shorter.
  static let longestVocabulary = 256

  /// `media:content` for a name in Media RSS, `title` for RSS's own, `?:x` for a name in an unknown namespace.
  static func of(_ local: String, prefix: String?, vocabulary: String?) -> String {
    if let vocabulary { return vocabularies[key(vocabulary)].map { join($0, local) } ?? join("?", local) }
    if let prefix { return join(known.contains(prefix) ? prefix : "?", local) }
    // An undeclared prefix stays in the name.
    guard let colon = local.firstIndex(of: ":") else { return local }
    return of(
      String(local[local.index(after: colon)...]), prefix: String(local[..<colon]).lowercased(), vocabulary: nil)
  }

  private static func join(_ prefix: String, _ local: String) -> String {
    prefix.isEmpty ? local : "\(prefix):\(local)"
  }

  private static func key(_ vocabulary: String) -> String {
    var key = vocabulary.lowercased()
    for scheme in ["https://", "http://"] where key.hasPrefix(scheme) { key = String(key.dropFirst(scheme.count)) }
    while key.hasSuffix("/") || key.hasSuffix("#") { key = String(key.dropLast()) }
    return key
  }

  private static let known = Set(vocabularies.values)

  private static let vocabularies = [
    "www.w3.org/2005/atom": "atom", "purl.org/atom/ns": "atom", "purl.org/rss/1.0": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "my.netscape.com/rdf/simple/0.9": "", "my.netscape.com/publish/formats/rss-0.91.dtd": "",
    "backend.userland.com/rss2": "", "blogs.law.harvard.edu/tech/rss": "", "cyber.law.harvard.edu/rss/rss.html": "",
    "search.yahoo.com/mrss": "media", "video.search.yahoo.com/mrss": "media", "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/terms": "dcterms", "purl.org/rss/1.0/modules/content": "content",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes", "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    "www.w3.org/1999/xhtml": "xhtml", "purl.org/syndication/history/1.0": "fh", "webfeeds.org/rss/1.0": "webfeeds",
    "purl.org/rss/1.0/modules/syndication": "sy", "backend.userland.com/creativecommonsrssmodule": "cc",
    "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": "cc",
    "creativecommons.org/ns": "cc", "web.resource.org/cc": "cc",
  ]
}
