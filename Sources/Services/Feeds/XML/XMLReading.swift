import CXML
import Glibc

/// Parses one part of a feed's XML into trees: its head or one item, so that memory holds only one item's tree. No
/// entity is expanded and nothing is fetched: `XMLTidy` has removed whatever would cause it.
struct XMLReading {
  /// Why reading stopped.
  enum Fault: Error, Equatable {
    /// libxml2 is not installed.
    case noParser
    /// The document is malformed from some point on.
    case malformed
    /// It has more elements and texts than the limit.
    case tooLarge
  }

  /// The deepest nesting that is read, which is also libxml2's limit.
  static let deepest = 256
  /// The elements whose children are read one by one: a feed's frame.
  static let frames: Set<String> = ["rss", "channel", "RDF", "feed"]

  /// The trees of the elements in the frame, in order. The frame's own elements have no content.
  private(set) var elements: [XMLElement] = []
  /// The error that stopped reading before the end.
  private(set) var fault: Fault?

  /// The first element, without its content.
  var root: XMLElement? { elements.first }

  private var nodes = 0
  private static let mostNodes = 100_000
  private static let shim = XMLShimTable()

  /// Reads a tidied document, or a part of one in its frame.
  init(_ document: [UInt8]) {
    guard let shim = Self.shim.table else {
      fault = .noParser
      return
    }
    document.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: CChar.self)
      guard let size = Int32(exactly: text.count), let base = text.baseAddress,
        let reader = xml_shim_read(shim, base, size)
      else {
        fault = .malformed
        return
      }
      defer { shim.pointee.close(reader) }
      read(XMLShimHandle(shim: shim, reader: reader))
    }
  }

  private mutating func read(_ handle: XMLShimHandle) {
    var open: [XMLElement] = []
    while let more = handle.next() {
      guard more else { return }
      nodes += 1
      if nodes > Self.mostNodes { return fault = .tooLarge }
      switch handle.kind {
      case XML_SHIM_ELEMENT:
        let element = handle.element
        if handle.isEmpty || (open.isEmpty && Self.frames.contains(element.localName)) {
          end(element, within: &open)
        } else {
          open.append(element)
        }
      case XML_SHIM_TEXT, XML_SHIM_CDATA, XML_SHIM_SPACE:
        if !open.isEmpty { open[open.count - 1].nodes.append(.text(handle.value)) }
      case XML_SHIM_END:
        if let element = open.popLast() { end(element, within: &open) }
      default: break
      }
    }
    fault = .malformed
  }

  private mutating func end(_ element: XMLElement, within open: inout [XMLElement]) {
    if open.isEmpty {
      elements.append(element)
    } else {
      open[open.count - 1].nodes.append(.element(element))
    }
  }
}

/// libxml2's functions, looked up once; nil if it is missing.
///
/// Unchecked, because a pointer is not `Sendable`. Its table is written before anyone reads it, and never changed or
/// freed.
private struct XMLShimTable: @unchecked Sendable {
  let table = xml_shim_open()
}

/// A libxml2 reader at a node of its document.
private struct XMLShimHandle {
  let shim: UnsafePointer<XMLShim>
  let reader: OpaquePointer

  /// Moves to the next node. Returns false at the document's end, nil if the document is malformed.
  func next() -> Bool? {
    switch shim.pointee.read(reader) {
    case 1: true
    case 0: false
    default: nil
    }
  }

  var kind: Int { Int(shim.pointee.node_type(reader)) }
  var depth: Int { Int(shim.pointee.depth(reader)) }
  var isEmpty: Bool { shim.pointee.is_empty(reader) == 1 }
  var value: String { text(shim.pointee.value) ?? "" }

  /// The current element, without its content.
  var element: XMLElement {
    let name = XMLName.of(
      text(shim.pointee.local_name) ?? "", prefix: text(shim.pointee.prefix),
      vocabulary: vocabulary)
    var attributes: [String: String] = [:]
    var more = shim.pointee.first_attribute(reader) == 1
    while more {
      if shim.pointee.is_namespace(reader) != 1, let local = text(shim.pointee.local_name) {
        let prefix = text(shim.pointee.prefix)
        attributes[prefix == nil ? local : "\(prefix ?? ""):\(local)"] = value
      }
      more = shim.pointee.next_attribute(reader) == 1
    }
    _ = shim.pointee.to_element(reader)
    return XMLElement(name: name, attributes: attributes)
  }

  /// The namespace; empty if it is longer than any known one. It is read with each element but written once in the
  /// document.
  private var vocabulary: String? { text(shim.pointee.namespace_uri, most: XMLName.longestVocabulary, orElse: "") }

  /// The text, cut to an item's limit.
  private func text(_ read: (OpaquePointer) -> UnsafePointer<UInt8>?) -> String? {
    text(read, most: Bounds.item, orElse: nil)
  }

  /// The text, of which at most one byte past `most` is read. If it is longer, `other` or the cut text.
  private func text(
    _ read: (OpaquePointer) -> UnsafePointer<UInt8>?, most: Int, orElse other: String?
  ) -> String? {
    guard let start = read(reader) else { return nil }
    let count = strnlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), most + 1)
    if count > most, let other { return other }
    return String(decoding: UnsafeBufferPointer(start: start, count: min(count, most)), as: UTF8.self)
  }
}
