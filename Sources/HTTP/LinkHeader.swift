/// Parses `Link` fields (RFC 8288), which paging follows. It skips anything malformed.
public enum LinkHeader {
  /// One link.
  public struct Link: Sendable {
    /// The URL or relative reference between `<` and `>`, unchanged.
    public var target: String
    /// The relation types of the first `rel`, in lower case.
    public var relations: Set<String>
    /// The other parameters in order. Names are in lower case, values have no quotes.
    public var parameters: [(name: String, value: String)]

    /// Creates a link to a target with its relations.
    public init(target: String, relations: Set<String>, parameters: [(name: String, value: String)] = []) {
      self.target = target
      self.relations = relations
      self.parameters = parameters
    }
  }

  /// The maximum bytes read per field, links in total, and parameters per link.
  static let bounds = (bytes: 64 << 10, links: 64, parameters: 32)

  /// Returns the links of all `Link` fields of an answer, in order.
  public static func parse(_ fields: [String]) -> [Link] {
    var links: [Link] = []
    for field in fields {
      var reader = Reader(Array(field.utf8.prefix(bounds.bytes)))
      while links.count < bounds.links, let link = reader.link() { links.append(link) }
    }
    return links
  }

  /// The steps of RFC 8288, appendix B.2 and B.3, over bytes. Each step advances, so parsing terminates for any field.
  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The next link. Skips anything else up to the next comma.
    mutating func link() -> Link? {
      while current != nil {
        skip { $0.isSpace || $0 == UInt8(ascii: ",") }
        guard consume("<") else {
          skip { $0 != UInt8(ascii: ",") }
          continue
        }
        let target = readText { $0 != UInt8(ascii: ">") }
        guard consume(">") else { return nil }
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
        guard consume(";") else {
          if current != UInt8(ascii: ",") { skip { $0 != UInt8(ascii: ",") } }
          return
        }
        skip(\.isSpace)
        let name = readText { !$0.isSpace && !"=;,".utf8.contains($0) }.lowercased()
        skip(\.isSpace)
        let value = consume("=") ? value() : ""
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
      guard consume("\"") else { return readText { !$0.isSpace && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") } }
      var text: [UInt8] = []
      while let byte = current, byte != UInt8(ascii: "\"") {
        index += 1
        if byte == UInt8(ascii: "\\"), let escaped = current {
          text.append(escaped)
          index += 1
        } else {
          text.append(byte)
        }
      }
      _ = consume("\"")
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
      guard current == UInt8(ascii: scalar) else { return false }
      index += 1
      return true
    }

    private mutating func skip(_ matches: (UInt8) -> Bool) {
      while let byte = current, matches(byte) { index += 1 }
    }

    private mutating func readText(_ matches: (UInt8) -> Bool) -> String {
      let start = index
      skip(matches)
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
