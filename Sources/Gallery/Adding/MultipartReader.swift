import Glibc

/// Reads a form with files (RFC 7578) piece by piece, in bounded memory.
struct MultipartReader {
  enum Event {
    /// A part begins.
    case part(PartHead)
    /// Bytes of the part.
    case bytes(ArraySlice<UInt8>)
    /// The part is whole.
    case end
  }

  /// What is known about a part before its bytes.
  struct PartHead: Equatable {
    let name: String
    /// The name that the file has at the browser; nil if the part is a text.
    let file: String?
  }

  /// The bytes are no form.
  enum Failure: Error, Equatable { case malformed, tooManyParts, endedEarly }

  private enum State { case beforeFirst, afterBoundary, head, body, done }

  /// The maximum number of bytes of a part's head.
  private static let longestHead = 16 << 10
  private let delimiter: [UInt8]
  private let mostParts: Int
  private var count = 0
  private var state = State.beforeFirst
  /// What is not yet decided: it may be the beginning of a delimiter or of a head.
  private var rest: [UInt8] = Array("\r\n".utf8)

  /// - Parameters:
  ///   - boundary: The text between parts.
  ///   - mostParts: The maximum number of parts.
  init(boundary: String, mostParts: Int) {
    delimiter = Array("\r\n--\(boundary)".utf8)
    self.mostParts = mostParts
  }

  /// Reads the next bytes.
  ///
  /// - Parameter onEvent: Receives what they complete.
  mutating func consume(_ bytes: some Collection<UInt8>, onEvent: (Event) throws -> Void) throws {
    rest.append(contentsOf: bytes)
    var index = 0
    defer { rest.removeFirst(min(index, rest.count)) }
    while try step(&index, onEvent) {}
  }

  /// Checks that the form has come to its end.
  func finish() throws(Failure) { if state != .done { throw .endedEarly } }

  /// Decides what can be decided from `index`. Returns false if more bytes are needed.
  private mutating func step(_ index: inout Int, _ onEvent: (Event) throws -> Void) throws -> Bool {
    switch state {
    case .beforeFirst, .body:
      let found = rest.index(of: delimiter, from: index)
      // The last bytes may be the beginning of a delimiter.
      let end = found ?? max(index, rest.count - delimiter.count + 1)
      if state == .body, end > index { try onEvent(.bytes(rest[index..<end])) }
      index = end
      guard let found else { return false }
      if state == .body { try onEvent(.end) }
      (index, state) = (found + delimiter.count, .afterBoundary)
    case .afterBoundary:
      guard rest.count - index >= 2 else { return false }
      let next = rest[index..<index + 2]
      guard next.elementsEqual("\r\n".utf8) else {
        guard next.elementsEqual("--".utf8) else { throw Failure.malformed }
        state = .done
        return true
      }
      count += 1
      guard count <= mostParts else { throw Failure.tooManyParts }
      // The line end stays: a head without fields ends with it.
      state = .head
    case .head:
      guard let end = rest.index(of: Array("\r\n\r\n".utf8), from: index) else {
        guard rest.count - index <= Self.longestHead else { throw Failure.malformed }
        return false
      }
      guard let head = PartHead(String(decoding: rest[index..<end], as: UTF8.self)) else { throw Failure.malformed }
      try onEvent(.part(head))
      (index, state) = (end + 4, .body)
    case .done:
      index = rest.count
      return false
    }
    return true
  }
}

extension [UInt8] {
  /// Where other bytes begin in these, at `start` or after it; nil if nowhere.
  fileprivate func index(of other: [UInt8], from start: Int) -> Int? {
    withUnsafeBytes { all in
      other.withUnsafeBytes { other in
        guard let base = all.baseAddress, let first = other.first, let searched = other.baseAddress else { return nil }
        var index = start
        while index + other.count <= all.count {
          guard let found = memchr(base + index, Int32(first), all.count - other.count - index + 1) else { return nil }
          index = UnsafeRawPointer(found) - base
          if memcmp(found, searched, other.count) == 0 { return index }
          index += 1
        }
        return nil
      }
    }
  }
}

extension MultipartReader.PartHead {
  /// Reads the head of a part; nil if it names no field.
  init?(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let parameters = Self.parameters(of: line), let name = parameters["name"]
    else { return nil }
    (self.name, file) = (name, parameters["filename"])
  }

  /// The parameters behind `form-data`. Browsers write quotation marks in them as `%22`.
  private static func parameters(of line: Substring) -> [String: String]? {
    var rest = line.drop { $0 != ";" }
    var parameters: [String: String] = [:]
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst()
      let value: Substring
      if rest.first == "\"" {
        value = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count + 1)
        guard rest.first == "\"" else { return nil }
        rest = rest.dropFirst().drop { $0 == " " }
      } else {
        value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
      }
      parameters[name.lowercased()] = String(value)
    }
    return parameters
  }
}
