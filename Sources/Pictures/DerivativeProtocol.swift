/// The protocol of a gallery and `media-picture`, which is started with `mode` as its only argument. Lines and order are
/// those of `PictureProtocol`. An answer is one line, and then the bytes of its pictures, one after the other.
public enum DerivativeProtocol {
  /// The argument.
  public static let mode = "derivatives"
  /// The line that `media-picture` sends when it is ready. A program that knows no derivatives has another.
  public static let greeting = "media-picture derivatives 1\n"
  /// The maximum size of one derivative in bytes.
  public static let mostBytes = 32 << 20

  /// A request for derivatives of one file.
  public struct Request: Codable, Sendable, Equatable {
    /// The number that identifies the answer.
    public var id: UInt64
    /// The path of the file.
    public var path: String
    /// The wanted sizes: the longer side of each derivative in pixels.
    public var edges: [Int]

    /// Creates a request for smaller versions of the picture at `path`, one per longest edge.
    public init(id: UInt64, path: String, edges: [Int]) {
      self.id = id
      self.path = path
      self.edges = edges
    }

    /// Whether a gallery may want these sizes. They determine how much memory is allocated.
    public var isPlausible: Bool {
      (1...8).contains(edges.count) && edges.allSatisfy { (16...4096).contains($0) }
    }
  }

  /// One derivative of an answer.
  public struct Part: Codable, Sendable, Equatable {
    /// The requested longer side.
    public var edge: Int
    /// The number of bytes.
    public var bytes: Int

    /// A part from its values.
    public init(edge: Int, bytes: Int) {
      self.edge = edge
      self.bytes = bytes
    }
  }

  /// The line of an answer.
  public struct Head: Codable, Sendable, Equatable {
    /// The number of the request.
    public var id: UInt64
    /// Why there are no derivatives; nil if there are.
    public var failure: String?
    /// The derivatives, in the order of their bytes.
    public var parts: [Part]

    /// The line of derivatives, or of a failure.
    public init(id: UInt64, failure: String? = nil, parts: [Part] = []) {
      self.id = id
      self.failure = failure
      self.parts = parts
    }
  }
}
