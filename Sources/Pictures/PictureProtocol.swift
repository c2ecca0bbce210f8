import FoundationEssentials

/// The protocol of `media` and `media-picture`. A request is one line of JSON. An answer is one line of JSON, and then as
/// many bytes as the line says. The first line of the output is the greeting.
public enum PictureProtocol {
  /// The line that `media-picture` sends when it is ready. Each version of the protocol has another greeting.
  public static let greeting = "media-picture 1\n"
  /// The longest line of a request or an answer, in bytes.
  public static let longestLine = 40 << 10
  /// The maximum size of one drawn picture in bytes.
  public static let mostBytes = 96 << 20

  /// A request with a number that identifies its answer.
  public struct NumberedRequest: Codable, Sendable, Equatable {
    /// The number.
    public var id: UInt64
    /// The request.
    public var request: PictureRequest
  }

  /// The line of an answer.
  public struct Head: Codable, Sendable, Equatable {
    /// The number of the request.
    public var id: UInt64
    /// Why there is no picture; nil if there is one.
    public var failure: String?
    /// The number of cells from left to right.
    public var columns = 0
    /// The number of cells from top to bottom.
    public var rows = 0
    /// The number of bytes that follow.
    public var bytes = 0

    /// The line of a picture, or of a failure.
    public init(id: UInt64, failure: String? = nil, columns: Int = 0, rows: Int = 0, bytes: Int = 0) {
      self.id = id
      self.failure = failure
      self.columns = columns
      self.rows = rows
      self.bytes = bytes
    }
  }

  /// Encodes a value as a line of JSON.
  public static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + [UInt8(ascii: "\n")]
  }

  /// Decodes the value of a line.
  ///
  /// - Throws: A `DecodingError` if the line is invalid.
  public static func value<Value: Decodable>(_ type: Value.Type, of line: some Sequence<UInt8>) throws -> Value {
    try JSONDecoder().decode(type, from: Data(line))
  }
}
