/// The arguments of a statement, in order.
package typealias Arguments = [(any Argument)?]

/// A value that can be sent with a statement.
package protocol Argument {
  /// What is sent.
  var parameter: Parameter { get }
}

/// A parameter as it is sent. The server infers the type of a text from its use.
package struct Parameter {
  /// The bytes. A text ends with a zero byte, which is not sent.
  let bytes: [UInt8]
  /// Whether the bytes are those of a `bytea`, not a text.
  let isBinary: Bool

  /// A text.
  ///
  /// PostgreSQL stores no zero character in a text. What follows one would be lost without a word, so it becomes U+FFFD,
  /// as invalid UTF-8 does everywhere else.
  init(text: String) {
    var bytes = Array(text.utf8)
    if bytes.contains(0) { bytes = Array(text.replacing("\0", with: "\u{FFFD}").utf8) }
    (self.bytes, isBinary) = (bytes + [0], false)
  }

  /// Bytes.
  init(binary: [UInt8]) { (bytes, isBinary) = (binary, true) }
}

extension String: Argument {
  package var parameter: Parameter { Parameter(text: self) }
}

extension [UInt8]: Argument {
  package var parameter: Parameter { Parameter(binary: self) }
}

extension Int: Argument {
  package var parameter: Parameter { Parameter(text: String(self)) }
}

extension Int64: Argument {
  package var parameter: Parameter { Parameter(text: String(self)) }
}

extension Int32: Argument {
  package var parameter: Parameter { Parameter(text: String(self)) }
}

extension Double: Argument {
  /// The shortest text that reads as the same number. Swift's `inf` and `nan` are PostgreSQL's, too.
  package var parameter: Parameter { Parameter(text: String(self)) }
}

extension Bool: Argument {
  package var parameter: Parameter { Parameter(text: self ? "t" : "f") }
}

/// Parameters in the form that libpq takes.
struct Parameters {
  private let parameters: [Parameter?]

  init(_ arguments: Arguments) { parameters = arguments.map { $0?.parameter } }

  var count: Int32 { Int32(parameters.count) }

  /// Gives the values, their lengths and their formats to `body`, for its duration.
  func withLists<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    let bytes = parameters.flatMap { $0?.bytes ?? [] }
    let lengths = parameters.map { Int32($0?.bytes.count ?? 0) }
    let formats: [Int32] = parameters.map { $0?.isBinary == true ? 1 : 0 }
    // One more byte, so that even an empty value has an address: a null pointer is NULL.
    return (bytes + [0]).withUnsafeBytes { all in
      var values: [UnsafePointer<CChar>?] = []
      var offset = 0
      for parameter in parameters {
        values.append(parameter.map { _ in all.baseAddress!.advanced(by: offset).assumingMemoryBound(to: CChar.self) })
        offset += parameter?.bytes.count ?? 0
      }
      return body(values, lengths, formats)
    }
  }
}
