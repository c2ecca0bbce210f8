import Foundation
import FoundationXML
import Posts
import PropertyTesting
import Storage
import Testing

@testable import Transfer

/// What is written beside exported files.
struct SidecarTests {
  private func post(caption: String, author: String = "Ada", tags: [String] = [], alt: String? = nil) -> StoredPost {
    let attachment = StoredAttachment(
      id: 1, kind: .image, url: "https://files.example/1.jpg", previewURL: nil, alt: alt, width: nil, height: nil,
      blurhash: nil, blob: nil, byteCount: nil, mediaType: nil, state: .stored, failure: nil, nextTryAt: nil, name: nil)
    return samplePost(
      7, url: "https://photos.example/@ada/1", title: "On\ntwo lines", caption: caption, sensitive: true,
      author: StoredAuthor(
        id: 1, uri: "", handle: "ada@photos.example", name: author, url: nil, avatarURL: nil, avatar: nil),
      at: "2026-11-18T11:06:40Z", tags: tags, attachments: [attachment, attachment])
  }

  /// The texts of an XML document by the name of the outermost property.
  private final class Reader: NSObject, XMLParserDelegate {
    var texts: [String: [String]] = [:]
    private var path: [String] = []

    static func read(_ text: String) throws -> [String: [String]] {
      let reader = Reader()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = reader
      guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
      return reader.texts
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      path.append(name)
      if let property, path.count == 4 || name == "rdf:li" { texts[property, default: []].append("") }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      if name == "rdf:Alt" || name == "rdf:Bag" || name == "rdf:Seq", let property {
        // The empty text of the property itself, which has a list.
        texts[property]?.removeFirst()
      }
      path.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      guard let property, let count = texts[property]?.count, count > 0 else { return }
      texts[property]?[count - 1] += string
    }

    private var property: String? { path.count > 3 ? path[3] : nil }
  }

  @Test func `an XMP sidecar tells text, tags, author, address, time and alternative text`() throws {
    let read = try Reader.read(
      XMPPacket(post(caption: "A <heron> & \"more\"", tags: ["birds", "a&b"], alt: "A grey bird"), 0).text)
    #expect(read["dc:description"] == ["A <heron> & \"more\""])
    #expect(read["dc:subject"] == ["birds", "a&b"])
    #expect(read["dc:creator"] == ["Ada"])
    #expect(read["dc:source"] == ["https://photos.example/@ada/1"])
    #expect(read["xmp:CreateDate"] == ["2026-11-18T11:06:40.000Z"])
    #expect(read["photoshop:Credit"] == ["ada@photos.example"])
    #expect(read["Iptc4xmpCore:AltTextAccessibility"] == ["A grey bird"])
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 1000))
  func `an XMP sidecar of any text is well-formed, and has the text`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let parts = [
      "a", "<", ">", "&", "]]>", "\"", "'", "\u{1}", "\u{FFFF}", "\u{FFFE}", "\u{0}", "\r", "\n", "🦜", "<!--", "&lt;",
    ]
    for _ in 0..<20 {
      let text = "x" + (0..<dice.below(30)).map { _ in parts[dice.below(parts.count)] }.joined() + "x"
      let read = try Reader.read(XMPPacket(post(caption: text, author: text, tags: [text], alt: text), 0).text)
      let kept = String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value < 0xFFFE || $0.value > 0xFFFF || "\r\n".unicodeScalars.contains($0)
          }))
      for name in ["dc:description", "dc:creator", "dc:subject", "Iptc4xmpCore:AltTextAccessibility"] {
        #expect(read[name] == [kept], "seed \(seed), \(name)")
      }
    }
  }

  @Test func `hydrus gets a tag a line with its namespace, and the addresses`() throws {
    let post = post(caption: "x", tags: ["birds", "time: now"])
    let files = Sidecar.hydrus.files(of: post, 1) { _, _ in "" }
    #expect(files.map(\.ending) == [".txt", ".urls.txt"])
    #expect(
      files[0].text == """
        birds
        :time: now
        creator:ada@photos.example
        person:Ada
        title:On two lines
        source:mastodon
        page:2
        rating:sensitive

        """)
    #expect(files[1].text == "https://photos.example/@ada/1\nhttps://files.example/1.jpg\n")
  }
}
