/// The few elements that are read of a service's XML. Its answers have no attributes that matter, and elements of one name
/// never lie in one another. Anything else yields nothing.
struct S3Document {
  private let text: Substring

  init(_ bytes: [UInt8]) { text = Substring(String(decoding: bytes, as: UTF8.self)) }

  private init(_ text: Substring) { self.text = text }

  /// The first element of that name.
  func element(_ name: String) -> S3Document? { elements(name, most: 1).first }

  /// The text of the first element of that name, with its entities replaced.
  func value(_ name: String) -> String? { element(name).map { Self.decoded($0.text) } }

  /// All elements of that name.
  func elements(_ name: String, most: Int = .max) -> [S3Document] {
    let (begin, end) = (Array("<\(name)>".utf8), Array("</\(name)>".utf8))
    var (found, rest): ([S3Document], Substring.UTF8View.SubSequence) = ([], text.utf8[...])
    while found.count < most, let start = rest.end(of: begin), let stop = rest[start...].start(of: end) {
      found.append(S3Document(Substring(rest[start..<stop])))
      rest = rest[stop...].dropFirst(end.count)
    }
    return found
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    // The ampersand comes last: what it makes is no entity.
    let entities = [("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">")]
    return (entities + [("&amp;", "&")]).reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}

extension Substring.UTF8View {
  fileprivate func start(of bytes: [UInt8]) -> Index? {
    var index = startIndex
    while let next = self[index...].firstIndex(of: bytes[0]) {
      if self[next...].starts(with: bytes) { return next }
      index = self.index(after: next)
    }
    return nil
  }

  fileprivate func end(of bytes: [UInt8]) -> Index? { start(of: bytes).map { index($0, offsetBy: bytes.count) } }
}
