import Machine
import Storage

/// What is known of a file, as an XMP packet (ISO 16684-1), for programs that read photographs.
struct XMPPacket {
  let text: String

  init(_ post: StoredPost, _ index: Int, marks: Bool = false) {
    let author = post.author.map { $0.name.isEmpty ? $0.handle : $0.name }
    var lines = Self.language("dc:title", post.title)
    lines += Self.language("dc:description", post.caption)
    let ownTags = marks ? post.marks.ownTags : []
    // A tag of both stands twice, so that an import knows that it is the author's, too.
    lines += Self.list("dc:subject", "rdf:Bag", post.tags + ownTags)
    lines += Self.list(
      "lr:hierarchicalSubject", "rdf:Bag", ownTags.map { "own|\($0)" }, in: "http://ns.adobe.com/lightroom/1.0/")
    if marks, post.marks.rating > 0 { lines += Self.plain("xmp:Rating", "\(post.marks.rating)") }
    lines += Self.list("dc:creator", "rdf:Seq", author.map { [$0] } ?? [])
    lines += Self.language("dc:rights", post.license?.rawValue)
    lines += Self.plain("media:visibility", post.visibility?.rawValue, in: Self.space)
    lines += Self.plain("media:sensitive", post.sensitive ? "True" : nil, in: Self.space)
    lines += Self.plain("media:warning", post.warning, in: Self.space)
    lines += Self.plain("dc:source", post.url ?? post.uri)
    lines += Self.plain("xmp:CreateDate", UTC.text(post.createdAt))
    lines += Self.plain("photoshop:DateCreated", UTC.text(post.createdAt))
    lines += Self.plain("photoshop:Credit", post.author?.handle)
    lines += Self.language("Iptc4xmpCore:AltTextAccessibility", post.attachments[index].alt)
    text = Self.head + lines.map { "   \($0)\n" }.joined() + Self.tail
  }

  /// Of what no other vocabulary has.
  private static let space = "tag:media.invalid,2026:xmp#"
  private static let head = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
        xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/">

    """
  private static let tail = """
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>

    """

  /// - Parameter space: The namespace of a name that the head does not declare.
  private static func plain(_ name: String, _ value: String?, in space: String? = nil) -> [String] {
    guard let value, !value.isEmpty else { return [] }
    return ["<\(name)\(declared(space, of: name))>\(escaped(value))</\(name)>"]
  }

  private static func declared(_ space: String?, of name: String) -> String {
    space.map { " xmlns:\(name.prefix { $0 != ":" })=\"\($0)\"" } ?? ""
  }

  private static func language(_ name: String, _ value: String?) -> [String] {
    guard let value, !value.isEmpty else { return [] }
    return [
      "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(value))</rdf:li></rdf:Alt></\(name)>"
    ]
  }

  /// - Parameter space: The namespace of a name that the head does not declare.
  private static func list(_ name: String, _ kind: String, _ values: [String], in space: String? = nil) -> [String] {
    guard !values.isEmpty else { return [] }
    let items = values.map { "<rdf:li>\(escaped($0))</rdf:li>" }.joined()
    return ["<\(name)\(declared(space, of: name))><\(kind)>\(items)</\(kind)></\(name)>"]
  }

  /// Escapes markup, and drops what XML 1.0 (2.2) has no place for.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // A parser would make a line feed of it.
      case "\r": result += "&#13;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
