import Blobs

/// The protocol of a program that inspects stored files and `media-picture`, which is started with `mode` as its only
/// argument. Lines and order are those of `PictureProtocol`. An answer is one line.
public enum InspectionProtocol {
  /// The argument.
  public static let mode = "inspect"
  /// The line that `media-picture` sends when it is ready. A program that knows no inspection has another.
  public static let greeting = "media-picture inspect 1\n"

  /// What is asked of one file.
  public enum Want: String, Codable, Sendable, CaseIterable {
    /// Its perceptual hashes.
    case hash
    /// The hash of its decoded pixels.
    case pixels
    /// What its metadata says.
    case facts
  }

  /// A request to inspect one file.
  public struct Request: Codable, Sendable, Equatable {
    /// The number that identifies the answer.
    public var id: UInt64
    /// The path of the file.
    public var path: String
    /// What is asked.
    public var wants: [Want]

    /// Creates a request to inspect the file at `path`.
    public init(id: UInt64, path: String, wants: [Want]) {
      self.id = id
      self.path = path
      self.wants = wants
    }
  }

  /// The line of an answer. What could not be found stands in `failures`.
  public struct Answer: Codable, Sendable, Equatable {
    /// The number of the request.
    public var id: UInt64
    /// The perceptual hashes.
    public var hash: PictureHash?
    /// SHA-256 of the decoded pixels, 64 hex digits.
    public var pixels: String?
    /// What the metadata says.
    public var facts: FileFacts?
    /// What cannot be looked for, as a library is not installed, by `Want.rawValue`; each ends a sentence.
    public var missing: [String: String] = [:]
    /// Why something asked is missing, by `Want.rawValue`; each ends a sentence.
    public var failures: [String: String]

    /// An answer from its parts.
    public init(
      id: UInt64, hash: PictureHash? = nil, pixels: String? = nil, facts: FileFacts? = nil,
      failures: [String: String] = [:]
    ) {
      self.id = id
      self.hash = hash
      self.pixels = pixels
      self.facts = facts
      self.failures = failures
    }
  }
}
