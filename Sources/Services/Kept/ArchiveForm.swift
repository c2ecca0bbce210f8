import Posts

/// How posts stand in the archive that a service gives to its users, or in what a program kept of an API's answers.
public struct ArchiveForm: Sendable {
  /// Where posts stand in a document.
  public enum Layout: Sendable, Hashable {
    /// They are the elements of an array: the first one, or the member of this name.
    case array(member: String?)
    /// Each line is one (https://github.com/ndjson/ndjson-spec).
    case lines
  }

  /// What an element of a document is.
  public enum Element: Sendable {
    /// A post.
    case post(FoundPost)
    /// Something that is no post, in the plural.
    case leftOut(String)
  }

  /// Where an element was found.
  public struct Origin: Sendable {
    /// The document's path.
    public let document: String
    /// Whose archive it is; nil if it does not say.
    public let owner: Author?

    /// An origin from its parts.
    public init(document: String, owner: Author?) { (self.document, self.owner) = (document, owner) }

    /// The document's name.
    var name: Substring { document.split(separator: "/").last ?? "" }
  }

  /// The name that people type.
  public let name: String
  /// What it is, in a few words.
  public let summary: String
  /// Where the posts stand in a document; nil if the file has none. It is told by its path and its first bytes.
  public let layout: @Sendable (_ path: String, _ head: [UInt8]) -> Layout?
  /// Whether a document says whose archive it is.
  public let isAboutOwner: @Sendable (_ path: String) -> Bool
  /// Reads whose archive it is.
  public let owner: @Sendable (_ document: [UInt8]) -> Author?
  /// Reads an element. The paths of its files are relative to the document or to a folder above it.
  public let read: @Sendable (_ element: [UInt8], Origin) -> [Element]

  init(
    _ name: String, _ summary: String, layout: @escaping @Sendable (_ path: String, _ head: [UInt8]) -> Layout?,
    isAboutOwner: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
    owner: @escaping @Sendable (_ document: [UInt8]) -> Author? = { _ in nil },
    read: @escaping @Sendable (_ element: [UInt8], Origin) -> [Element]
  ) {
    (self.name, self.summary, self.layout) = (name, summary, layout)
    (self.isAboutOwner, self.owner, self.read) = (isAboutOwner, owner, read)
  }

  /// The most bytes of an element.
  public static let longestElement = Bounds.post * 4

  /// The last part of a path.
  static func fileName(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

  /// An element that is no JSON object.
  static func unreadable(_ element: [UInt8]) -> [Element] {
    let item = PageItem(id: nil, content: .unreadable(reason: "it is no JSON object"), raw: element)
    return [.post(FoundPost(item))]
  }
}

extension Catalogue {
  /// The forms of all sources' archives.
  public static var archives: [ArchiveForm] { entries.flatMap(\.archives) }
}
