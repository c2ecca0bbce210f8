// Foundation's decoder says what is wrong with a file and not on which line; people mend files by line.

/// Finds the line of a value in a JSON text (RFC 8259).
struct JSONLocation {
  /// Stops the scan at the requested line.
  private struct Stop: Error { let line: Int }

  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The line, from 1, of the value at `path`, or of the nearest enclosing one if it is missing. If `path` is nil, or a
  /// syntax error comes first, the line of that error.
  static func line(of path: [any CodingKey]?, in bytes: [UInt8]) -> Int {
    var walk = JSONLocation(bytes)
    do {
      try walk.value(path.map { $0[...] }, depth: 0)
      walk.skipSpace()
      return walk.line(walk.at)
    } catch {
      return error.line
    }
  }

  private func line(_ offset: Int) -> Int { 1 + bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") } }

  private func stop(_ offset: Int? = nil) -> Stop { Stop(line: line(offset ?? at)) }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { at += 1 }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Stop) {
    skipSpace()
    guard next == UInt8(ascii: character) else { throw stop() }
    at += 1
  }

  private mutating func value(_ path: ArraySlice<any CodingKey>?, depth: Int) throws(Stop) {
    skipSpace()
    guard path?.isEmpty != true, depth < 100 else { throw stop() }
    switch next {
    case UInt8(ascii: "{"): try members(path, depth: depth, end: "}", named: true)
    case UInt8(ascii: "["): try members(path, depth: depth, end: "]", named: false)
    case UInt8(ascii: "\""): _ = try string()
    default: try literal()
    }
  }

  private mutating func members(
    _ path: ArraySlice<any CodingKey>?,
    depth: Int,
    end: Unicode.Scalar,
    named: Bool
  ) throws(Stop) {
    let start = at
    at += 1
    skipSpace()
    var index = 0
    if next == UInt8(ascii: end) {
      at += 1
    } else {
      while true {
        let wanted = try named ? path?.first?.stringValue == key() : path?.first?.intValue == index
        try value(wanted ? path?.dropFirst() : nil, depth: depth + 1)
        index += 1
        skipSpace()
        guard next == UInt8(ascii: ",") else { break }
        at += 1
      }
      try expect(end)
    }
    if path != nil { throw stop(start) }
  }

  private mutating func key() throws(Stop) -> String {
    skipSpace()
    let name = try string()
    try expect(":")
    return name
  }

  /// A string with its escapes unchanged: the names searched for have none.
  private mutating func string() throws(Stop) -> String {
    guard next == UInt8(ascii: "\"") else { throw stop() }
    let start = at + 1
    at = start
    while let byte = next, byte >= 0x20 {
      if byte == UInt8(ascii: "\"") {
        at += 1
        return String(decoding: bytes[start..<(at - 1)], as: UTF8.self)
      }
      at += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    throw stop()
  }

  private mutating func literal() throws(Stop) {
    let start = at
    while let byte = next, !" \n\r\t,]}:{[\"".utf8.contains(byte) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    guard ["true", "false", "null"].contains(text) || Double(text) != nil else { throw stop(start) }
  }
}
