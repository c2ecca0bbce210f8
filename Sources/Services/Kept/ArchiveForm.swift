import Posts

/// How posts stand in the archive that a service gives to its users, or in what a program kept of an API's answers.
public struct ArchiveForm: Sendable {
  /// Where posts stand in a document.
  public enum Layout: Sendable, Hashable {
    /// They are the elements of an array: the first one, or the member of this name. The outer object's member `total`
    /// says how many there are. Of a collection of ActivityStreams, they may stand in pages within.
    case array(member: String?, total: String? = nil, hasPages: Bool = false)
    /// Each line is one (https://github.com/ndjson/ndjson-spec).
    case lines
  }

  /// What an element of a document is.
  public enum Element: Sendable {
    /// A post, and where the file of each of its attachments may lie; nil if none is named.
    case post(FoundPost, files: [File?] = [])
    /// Something that is no post, in the plural.
    case leftOut(String)
  }

  /// Where a file of a post may lie. Paths are relative to the document or to a folder above it.
  public struct File: Sendable, Hashable {
    /// Its possible paths, the likeliest first; never empty.
    public let paths: [String]
    /// The possible beginnings of its path, if the rest of its name is not known.
    public let beginnings: [String]

    init(paths: [String], beginnings: [String] = []) { (self.paths, self.beginnings) = (paths, beginnings) }
  }

  /// What an archive says of itself.
  public struct About: Sendable, Hashable {
    /// Whose archive it is.
    public var owner: Author?
    /// How many elements it holds.
    public var total: Int?
    /// Who may see those of its posts that do not say it.
    public var visibility: Visibility?
    /// The whole texts of posts that its lists cut.
    public var texts: [LongText]

    /// Creates what an archive says of itself; by default nothing.
    public init(owner: Author? = nil, total: Int? = nil, visibility: Visibility? = nil, texts: [LongText] = []) {
      (self.owner, self.total, self.visibility, self.texts) = (owner, total, visibility, texts)
    }
  }

  /// Where an element was found.
  public struct Origin: Sendable {
    /// The document's path.
    public let document: String
    /// Whose archive it is; nil if it does not say.
    public let owner: Author?

    /// Creates the origin of an element, in a document.
    public init(document: String, owner: Author?) { (self.document, self.owner) = (document, owner) }

    /// The document's name.
    var name: Substring { document.split(separator: "/").last ?? "" }
  }

  /// What a service gives in place of its archive, that holds nothing to read.
  public struct Other: Sendable {
    /// What it is, as `Instagram's export as pages`.
    public let what: String
    /// How to get the archive.
    public let cure: String
    /// Whether a file is its mark, by its path.
    public let isMark: @Sendable (_ path: String) -> Bool
  }

  /// The name that people type.
  public let name: String
  /// What it is, in a few words.
  public let summary: String
  /// Where the posts stand in a document; nil if the file has none. It is told by its path and its first bytes.
  public let layout: @Sendable (_ path: String, _ head: [UInt8]) -> Layout?
  /// Whether a document says something of the archive.
  public let isAbout: @Sendable (_ path: String) -> Bool
  /// Reads what it says.
  public let about: @Sendable (_ document: [UInt8]) -> About
  /// What people may have in place of it; nil if nothing is known.
  public let other: Other?
  /// Reads an element.
  public let read: @Sendable (_ element: [UInt8], Origin) -> [Element]

  init(
    _ name: String, _ summary: String, layout: @escaping @Sendable (_ path: String, _ head: [UInt8]) -> Layout?,
    isAbout: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
    about: @escaping @Sendable (_ document: [UInt8]) -> About = { _ in About() }, other: Other? = nil,
    read: @escaping @Sendable (_ element: [UInt8], Origin) -> [Element]
  ) {
    (self.name, self.summary, self.layout) = (name, summary, layout)
    (self.isAbout, self.about, self.other, self.read) = (isAbout, about, other, read)
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
