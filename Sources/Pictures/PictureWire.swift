import FoundationEssentials

/// What `media` and `media-picture` say to each other: a request is one line of JSON; an answer is one line of JSON and
/// then as many bytes as the line says. The first line of all is the greeting.
public enum PictureWire {
  /// Said by `media-picture` when it is ready; another version of the two does not greet alike.
  public static let greeting = "media-picture 1\n"
  /// The longest line of a request or an answer, in bytes.
  public static let longestLine = 16 << 10
  /// The most bytes of one drawn picture.
  public static let mostBytes = 96 << 20

  /// A request with the number by which its answer is known.
  public struct Asked: Codable, Sendable, Equatable {
    /// The number.
    public var id: UInt64
    /// What is asked for.
    public var request: PictureRequest

    /// An asked request from its parts.
    public init(id: UInt64, request: PictureRequest) {
      self.id = id
      self.request = request
    }
  }

  /// The line of an answer.
  public struct Head: Codable, Sendable, Equatable {
    /// The number of the request.
    public var id: UInt64
    /// Why there is no picture; nil where there is one.
    public var failure: String?
    /// The cells the picture takes from left to right.
    public var columns = 0
    /// The cells the picture takes from top to bottom.
    public var rows = 0
    /// How many bytes follow.
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

  /// The line that says a value.
  public static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + [UInt8(ascii: "\n")]
  }

  /// The value that a line says.
  public static func value<Value: Decodable>(_ type: Value.Type, of line: some Sequence<UInt8>) throws -> Value {
    try JSONDecoder().decode(type, from: Data(line))
  }
}
