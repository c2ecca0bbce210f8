import Rows

/// Parameters in the form that libpq takes. The server infers the type of a text from its use.
struct Parameters {
  private let values: [[UInt8]?]
  private let formats: [Int32]

  init(_ arguments: Arguments) {
    let contents = arguments.map { $0?.content ?? .null }
    values = contents.map(Self.bytes)
    formats = contents.map { if case .blob = $0 { 1 } else { 0 } }
  }

  var count: Int32 { Int32(values.count) }

  /// PostgreSQL stores no zero character in a text. What follows one would be lost without a word, so it becomes U+FFFD,
  /// as invalid UTF-8 does everywhere else.
  static func storable(_ text: String) -> String {
    text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
  }

  /// The bytes as they are sent: those of a `bytea`, or a text, which ends with a zero byte that is not sent.
  private static func bytes(_ content: ColumnContent) -> [UInt8]? {
    switch content {
    case .null: nil
    case .integer(let number): Array(String(number).utf8) + [0]
    // The shortest text that reads as the same number. Swift's `inf` and `nan` are PostgreSQL's, too.
    case .real(let number): Array(String(number).utf8) + [0]
    case .text(let text):
      Array(storable(text).utf8) + [0]
    case .blob(let bytes): bytes
    }
  }

  /// Gives the values, their lengths and their formats to `body`, for its duration.
  func withLists<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    let bytes = values.flatMap { $0 ?? [] }
    let lengths = values.map { Int32($0?.count ?? 0) }
    // One more byte, so that even an empty value has an address: a null pointer is NULL.
    return (bytes + [0]).withUnsafeBytes { all in
      var pointers: [UnsafePointer<CChar>?] = []
      var offset = 0
      for value in values {
        pointers.append(value.map { _ in all.baseAddress!.advanced(by: offset).assumingMemoryBound(to: CChar.self) })
        offset += value?.count ?? 0
      }
      return body(pointers, lengths, formats)
    }
  }
}
