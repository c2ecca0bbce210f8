/// Reads `Link` fields (RFC 8288): what paging follows. Anything odd is skipped, nothing of it is believed.
public enum LinkHeader {
  /// One link.
  public struct Link: Sendable {
    /// The URL or relative reference, as it stands between `<` and `>`.
    public var target: String
    /// The relation types of the first `rel`, lower case.
    public var relations: Set<String>
    /// The other parameters in order; names in lower case, values without their quotes.
    public var parameters: [(name: String, value: String)]

    /// A link from its parts.
    public init(target: String, relations: Set<String>, parameters: [(name: String, value: String)] = []) {
      self.target = target
      self.relations = relations
      self.parameters = parameters
    }
  }

  /// The most of one field that is read, in bytes, and the most links taken in all.
  static let bounds = (bytes: 64 << 10, links: 64, parameters: 32)

  /// The links of all `Link` fields of an answer, in order.
  public static func parse(_ fields: [String]) -> [Link] {
    var links: [Link] = []
    for field in fields {
      var reader = Reader(Array(field.utf8.prefix(bounds.bytes)))
      while links.count < bounds.links, let link = reader.link() { links.append(link) }
    }
    return links
  }

  /// The steps of RFC 8288, appendix B.2 and B.3, over bytes; each step moves on, so that any field ends.
  private struct Reader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// The next link; what is no link up to the next comma is passed over.
    mutating func link() -> Link? {
      while current != nil {
        skip { $0.isSpace || $0 == UInt8(ascii: ",") }
        guard eat("<") else {
          skip { $0 != UInt8(ascii: ",") }
          continue
        }
        let target = take { $0 != UInt8(ascii: ">") }
        guard eat(">") else { return nil }
        var link = Link(target: target, relations: [], parameters: [])
        readParameters(into: &link)
        return link
      }
      return nil
    }

    private mutating func readParameters(into link: inout Link) {
      var related = false
      while true {
        skip(\.isSpace)
        guard eat(";") else {
          if current != UInt8(ascii: ",") { skip { $0 != UInt8(ascii: ",") } }
          return
        }
        skip(\.isSpace)
        let name = take { !$0.isSpace && !"=;,".utf8.contains($0) }.lowercased()
        skip(\.isSpace)
        let value = eat("=") ? value() : ""
        if name == "rel", !related {
          related = true
          link.relations = Set(value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init))
        } else if !name.isEmpty, name != "rel", link.parameters.count < bounds.parameters {
          link.parameters.append((name: name, value: value))
        }
      }
    }

    private mutating func value() -> String {
      skip(\.isSpace)
      guard eat("\"") else { return take { !$0.isSpace && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") } }
      var text: [UInt8] = []
      while let byte = current, byte != UInt8(ascii: "\"") {
        place += 1
        if byte == UInt8(ascii: "\\"), let escaped = current {
          text.append(escaped)
          place += 1
        } else {
          text.append(byte)
        }
      }
      _ = eat("\"")
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func eat(_ scalar: Unicode.Scalar) -> Bool {
      guard current == UInt8(ascii: scalar) else { return false }
      place += 1
      return true
    }

    private mutating func skip(_ matches: (UInt8) -> Bool) {
      while let byte = current, matches(byte) { place += 1 }
    }

    private mutating func take(_ matches: (UInt8) -> Bool) -> String {
      let start = place
      skip(matches)
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
