import FoundationEssentials
import Machine

// What an XMP packet beside a file says (ISO 16684-1): one that an export wrote, or a program for photographs.

extension SidecarFacts {
  /// Takes what a packet says.
  ///
  /// - Returns: Why it cannot be read; nil if it can.
  public mutating func read(xmp bytes: [UInt8]) -> String? {
    let packet = XMPDescription(bytes)
    if let fault = packet.fault { return fault }
    let own = Self.values(of: packet.texts("hierarchicalSubject"), behind: "own|")
    self.own(own)
    // Own tags stand among the others once more: one that is the author's, too, stands there twice.
    var subjects = packet.texts("subject")
    for tag in own { if let index = subjects.firstIndex(of: tag) { subjects.remove(at: index) } }
    tags += subjects
    urls += packet.texts("source").filter { Bounds.webAddress($0) != nil }
    title = title ?? Bounds.line(packet.texts("title").first)
    caption = caption ?? Bounds.block(packet.texts("description").first, bytes: Bounds.caption)
    license = license ?? Bounds.license(packet.texts("rights").first)
    // A handle says more than a name.
    creator = creator ?? Bounds.line(packet.texts("Credit").first { $0.contains("@") } ?? packet.texts("creator").first)
    createdAt = createdAt ?? (packet.texts("CreateDate") + packet.texts("DateCreated")).lazy.compactMap(UTC.date).first
    // It is a real number (ISO 16684-1, 8.4).
    marks.rate(packet.texts("Rating").first.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) })
    see(packet.texts("visibility"))
    warn(packet.texts("warning"))
    sensitive = sensitive || packet.texts("sensitive").contains { $0.lowercased() == "true" }
    alt = alt ?? Bounds.block(packet.texts("AltTextAccessibility").first)
    return nil
  }
}

/// The properties of an XMP packet, by their names without their namespaces.
private struct XMPDescription {
  private var properties: [String: [String]] = [:]
  /// Why it cannot be read; nil if it can.
  private(set) var fault: String?

  init(_ bytes: [UInt8]) {
    let tidy = XMLTidy.read(bytes)
    let reading = XMLReading(tidy.bytes)
    for element in reading.elements { add(element) }
    if reading.fault == .noParser {
      fault = SystemLibrary.missing("libxml2.so.2")
    } else if !tidy.isWhole || reading.fault != nil || tidy.fault != nil {
      fault = tidy.fault ?? (tidy.isWhole ? "it is not XML" : "it breaks off")
    }
  }

  func texts(_ name: String) -> [String] { properties[name] ?? [] }

  private mutating func add(_ element: XMLElement) {
    guard element.localName == "Description" else {
      for inner in element.elements { add(inner) }
      return
    }
    // A simple property may stand as an attribute.
    for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) {
      properties[String(name.split(separator: ":").last ?? ""), default: []].append(value)
    }
    for property in element.elements { properties[property.localName, default: []] += Self.texts(of: property) }
  }

  /// The items of a list, with that for every language first; else the property's text.
  private static func texts(of property: XMLElement) -> [String] {
    let items = property.elements.flatMap(\.elements).filter { $0.localName == "li" }
    if items.isEmpty { return [property.text].compactMap(\.self) }
    let usual = items.filter { $0["xml:lang"] == "x-default" }
    return (usual + items.filter { $0["xml:lang"] != "x-default" }).compactMap(\.text)
  }
}
