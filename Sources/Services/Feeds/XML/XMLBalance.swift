/// Balances the tags of an item that is not well-formed, mostly for HTML that its author forgot to escape. It runs over
/// what `XMLTidy` has prepared, in one pass.
///
/// An end tag closes what is open within its element, and is dropped if its element is not open. What is open at the end
/// is closed. HTML's elements without content are empty.
struct XMLBalance {
  /// The deepest nesting that is balanced: each end tag is compared with what is open.
  private static let deepest = 64
  private static let void = ["br", "hr", "img", "wbr", "input", "embed", "col", "area"].map { Array($0.utf8) }

  private let source: [UInt8]
  private var position = 0
  private var bytes: [UInt8] = []
  private var open: [ArraySlice<UInt8>] = []

  /// The balanced item; nil if it is nested deeper than is read.
  static func balanced(_ item: [UInt8]) -> [UInt8]? {
    var balance = XMLBalance(source: item)
    balance.bytes.reserveCapacity(item.count + 64)
    while balance.position < item.count {
      guard balance.open.count <= deepest else { return nil }
      balance.step()
    }
    balance.close(downTo: 0)
    return balance.bytes
  }

  private init(source: [UInt8]) { self.source = source }

  private mutating func step() {
    let rest = source[position...]
    guard rest.first == UInt8(ascii: "<") else { return copy(to: rest.firstIndex(of: UInt8(ascii: "<"))) }
    if rest.starts(with: Array("<![CDATA[".utf8)) { return copy(to: endOfVerbatim()) }
    let end = endOfTag()
    let tag = source[position..<(end ?? source.endIndex)]
    position = tag.endIndex
    let isEnd = tag.dropFirst().first == UInt8(ascii: "/")
    let name = tag.dropFirst(isEnd ? 2 : 1).prefix {
      $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">")
    }
    if isEnd { return closeElement(name) }
    let isEmpty = tag.dropLast().last == UInt8(ascii: "/")
    if !isEmpty, Self.void.contains(where: { $0.elementsEqual(name) }) {
      bytes += tag.dropLast() + Array("/>".utf8)
    } else {
      bytes += tag
      if !isEmpty { open.append(name) }
    }
  }

  private mutating func copy(to end: Int?) {
    bytes += source[position..<(end ?? source.endIndex)]
    position = end ?? source.endIndex
  }

  private func endOfVerbatim() -> Int? {
    var index = position
    while index + 2 < source.endIndex {
      if source[index] == UInt8(ascii: "]"), source[index...].starts(with: Array("]]>".utf8)) { return index + 3 }
      index += 1
    }
    return nil
  }

  /// The end of the tag here, whose values may hold `>`.
  private func endOfTag() -> Int? {
    var quote: UInt8?
    for index in position..<source.endIndex {
      let byte = source[index]
      if let awaited = quote {
        if byte == awaited { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    return nil
  }

  private mutating func closeElement(_ name: ArraySlice<UInt8>) {
    guard let index = open.lastIndex(where: { $0.elementsEqual(name) }) else { return }
    close(downTo: index)
  }

  private mutating func close(downTo count: Int) {
    while open.count > count, let name = open.popLast() { bytes += Array("</".utf8) + name + Array(">".utf8) }
  }
}
