import CXML

/// Reads the elements of a feed's XML, one tree an item, so that no more than one item's tree is built up from the parser
/// at a time. No entity is ever expanded and nothing is fetched: `XMLTidy` has taken the means away.
struct XMLReading {
  /// Why no more could be read.
  enum Fault: Error, Equatable {
    /// libxml2 is not on this machine.
    case noParser
    /// The document is no XML from some place on.
    case malformed
    /// It nests deeper than is read.
    case tooDeep
  }

  /// The deepest nesting that is read.
  static let deepest = 256

  /// What stands outside the items: of each element its tree.
  private(set) var head: [XMLElement] = []
  /// The items' trees, in order; nil for one that is no XML.
  private(set) var items: [XMLElement?] = []
  /// The first element, without what stands in it.
  private(set) var root: XMLElement?
  /// What ended the reading before the document's end.
  private(set) var fault: Fault?

  private static let door = XMLDoorTable()
  private static let mostHead = 500

  /// Reads a document that was tidied, `most` items at most.
  ///
  /// Where it has a fault, each item is read by itself, in the same frame, so that the fault costs its own alone.
  init(_ tidy: XMLTidy, most: Int) {
    self.init(tidy.bytes, most: most)
    guard fault == .malformed, let first = tidy.tidied.first else { return }
    let (open, close) = tidy.frame
    let front = XMLReading(Array(tidy.bytes[..<first.lowerBound]) + close, most: 1)
    (head, root) = (front.head, front.root ?? root)
    items = tidy.tidied.prefix(most).map { place in
      let alone = XMLReading(open + Array(tidy.bytes[place]) + close, most: 2)
      return alone.fault == nil && alone.items.count == 1 ? alone.items[0] : nil
    }
  }

  private init(_ document: [UInt8], most: Int) {
    guard let door = Self.door.table else {
      fault = .noParser
      return
    }
    document.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: CChar.self)
      guard let size = Int32(exactly: text.count), let base = text.baseAddress,
        let reader = door.pointee.open(base, size, nil, "UTF-8", Int32(XML_DOOR_OPTIONS))
      else {
        fault = .malformed
        return
      }
      defer { door.pointee.close(reader) }
      read(XMLDoorHandle(door: door, reader: reader), most: most)
    }
  }

  /// The elements whose insides are looked at one by one: a feed's frame.
  private static let frames: Set<String> = ["rss", "channel", "RDF", "feed"]
  private static let items: Set<String> = ["item", "entry"]

  private mutating func read(_ handle: XMLDoorHandle, most: Int) {
    var open: [XMLElement] = []
    while items.count < most {
      guard let more = handle.next() else {
        fault = handle.depth >= Self.deepest - 1 ? .tooDeep : .malformed
        return
      }
      guard more else { return }
      switch handle.kind {
      case XML_DOOR_ELEMENT:
        guard handle.depth < Self.deepest else {
          fault = .tooDeep
          return
        }
        let element = handle.element
        if root == nil { root = element }
        if open.isEmpty, Self.frames.contains(element.localName) {
          frame(element)
        } else if handle.isEmpty {
          end(element, within: &open)
        } else {
          open.append(element)
        }
      case XML_DOOR_TEXT, XML_DOOR_CDATA, XML_DOOR_SPACE:
        if !open.isEmpty { open[open.count - 1].nodes.append(.text(handle.value)) }
      case XML_DOOR_END:
        if let element = open.popLast() { end(element, within: &open) }
      default: break
      }
    }
  }

  /// A frame's own attributes stand in the head, as those of an element with nothing in it.
  private mutating func frame(_ element: XMLElement) {
    if head.count < Self.mostHead { head.append(element) }
  }

  private mutating func end(_ element: XMLElement, within open: inout [XMLElement]) {
    if !open.isEmpty {
      open[open.count - 1].nodes.append(.element(element))
    } else if Self.items.contains(element.localName) {
      items.append(element)
    } else if head.count < Self.mostHead {
      head.append(element)
    }
  }
}

/// libxml2's functions, found once; none where it is missing.
private struct XMLDoorTable: @unchecked Sendable {
  // Written once, before anybody reads it, and never freed.
  let table = xml_door_open()
}

/// One reader of libxml2, at a node of its document.
private struct XMLDoorHandle {
  let door: UnsafePointer<XMLDoor>
  let reader: OpaquePointer

  /// Goes to the next node; false at the document's end, nil where it is no XML.
  func next() -> Bool? {
    switch door.pointee.read(reader) {
    case 1: true
    case 0: false
    default: nil
    }
  }

  var kind: Int { Int(door.pointee.node_type(reader)) }
  var depth: Int { Int(door.pointee.depth(reader)) }
  var isEmpty: Bool { door.pointee.is_empty(reader) == 1 }
  var value: String { text(door.pointee.value) ?? "" }

  /// The element the reader stands at, without what stands in it.
  var element: XMLElement {
    let name = XMLName.of(
      text(door.pointee.local_name) ?? "", prefix: text(door.pointee.prefix),
      vocabulary: text(door.pointee.namespace_uri))
    var attributes: [String: String] = [:]
    var more = door.pointee.first_attribute(reader) == 1
    while more {
      if door.pointee.is_namespace(reader) != 1, let local = text(door.pointee.local_name) {
        let prefix = text(door.pointee.prefix)
        attributes[prefix == nil ? local : "\(prefix ?? ""):\(local)"] = value
      }
      more = door.pointee.next_attribute(reader) == 1
    }
    _ = door.pointee.to_element(reader)
    return XMLElement(name: name, attributes: attributes)
  }

  private func text(_ read: (OpaquePointer) -> UnsafePointer<UInt8>?) -> String? {
    read(reader).map { String(cString: $0) }
  }
}
