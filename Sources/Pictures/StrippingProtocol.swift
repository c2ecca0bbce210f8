/// The protocol of a program that publishes stored files and `media-picture`, which is started with `mode` as its only
/// argument. Lines and order are those of `PictureProtocol`. An answer is one line.
public enum StrippingProtocol {
  /// The argument.
  public static let mode = "strip"
  /// The line that `media-picture` sends when it is ready. A program that cleans nothing has another.
  public static let greeting = "media-picture strip 1\n"

  /// A request for a copy of a file that does not say where it was taken.
  public struct Request: Codable, Sendable, Equatable {
    /// The number that identifies the answer.
    public var id: UInt64
    /// The path of the file.
    public var path: String
    /// The path of the copy, where no file may be yet. Its folder must be the program's own.
    public var output: String

    /// Creates a request to write a clean copy of the file at `path` to `output`.
    public init(id: UInt64, path: String, output: String) {
      self.id = id
      self.path = path
      self.output = output
    }
  }

  /// The line of an answer.
  public struct Answer: Codable, Sendable, Equatable {
    /// The number of the request.
    public var id: UInt64
    /// Why there is no copy, as the end of a sentence; nil if the file is clean or there is a copy.
    public var failure: String?
    /// Whether the failure says nothing of the file, as on a full disk.
    public var isOfMachine: Bool?
    /// Whether the copy was written. It is not where the file itself has nothing to leave out.
    public var isWritten: Bool

    /// An answer from its parts.
    public init(id: UInt64, failure: String? = nil, isOfMachine: Bool? = nil, isWritten: Bool = false) {
      self.id = id
      self.failure = failure
      self.isOfMachine = isOfMachine
      self.isWritten = isWritten
    }
  }
}
