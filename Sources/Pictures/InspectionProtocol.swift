import Blobs

/// The protocol of a program that inspects stored files and `media-picture`, which is started with `mode` as its only
/// argument. Lines and order are those of `PictureProtocol`. An answer is one line.
public enum InspectionProtocol {
  /// The argument.
  public static let mode = "inspect"
  /// The line that `media-picture` sends when it is ready. A program that knows no inspection has another.
  public static let greeting = "media-picture inspect 1\n"

  /// The most bytes that the hashes of a film and of its frames take in a line.
  public static let longestHash = 28 << 10

  /// The real time that reading the text of one picture may take. At the lowest priority, it is much more than the
  /// processor's.
  public static let secondsForText: UInt32 = 120

  /// What is asked of one file.
  public enum Want: String, Codable, Sendable, CaseIterable {
    /// Its perceptual hashes.
    case hash
    /// The hash of its decoded pixels.
    case pixels
    /// What its metadata says.
    case facts
    /// The text that stands in a picture.
    case text
  }

  /// A request to inspect one file.
  public struct Request: Codable, Sendable, Equatable {
    /// The number that identifies the answer.
    public var id: UInt64
    /// The path of the file.
    public var path: String
    /// What is asked.
    public var wants: [Want]
    /// The languages in which text is read; nil if none is asked for.
    public var languages: String?

    /// Creates a request to inspect the file at `path`.
    public init(id: UInt64, path: String, wants: [Want], languages: String? = nil) {
      self.id = id
      self.path = path
      self.wants = wants
      self.languages = languages
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
    /// The text that stands in the picture; nil if there is none.
    public var text: PictureText?
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
