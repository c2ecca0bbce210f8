import FoundationEssentials
import Posts

/// An entry of a planner, in the form that diary and calendar files share.
public struct CalendarEntry: Sendable, Equatable {
  /// A file of an entry.
  public enum File: Sendable, Hashable {
    /// The address of a file on the web.
    case link(String, mediaType: String?)
    /// The bytes of a file that is part of the entry.
    case bytes([UInt8], mediaType: String?, name: String?)
  }

  /// The identity of the post that the entry becomes: `urn:diary:1`, `urn:ical:` and the UID.
  public var uri: String
  /// The identity that earlier versions gave it, if that depended on the machine's zone.
  public var formerURI: String?
  /// When it starts.
  public var start: Date
  /// When it ends; later than `start`, or nil.
  public var finish: Date?
  /// Its name: one line, never empty.
  public var name: String
  /// Its description; may be empty.
  public var text: String
  /// Its page on the web.
  public var url: String?
  /// Its tags, as `Feed.tagName` returns them, each once.
  public var tags: [String]
  /// Its files.
  public var files: [File]

  /// Creates an entry. An end that is not later than the start is dropped.
  public init(
    uri: String, start: Date, finish: Date? = nil, name: String, text: String = "", url: String? = nil,
    tags: [String] = [], files: [File] = []
  ) {
    (self.uri, self.start, self.name, self.text) = (uri, start, name, text)
    (self.url, self.tags, self.files) = (url, tags, files)
    self.finish = finish.flatMap { $0 > start ? $0 : nil }
  }
}

/// What a reader found at one place of a file.
public enum EntryReading: Sendable, Equatable {
  /// An entry.
  case entry(CalendarEntry)
  /// Something that cannot become an entry.
  case unreadable(UnreadableEntry)
}

/// A part of a file that cannot become an entry.
public struct UnreadableEntry: Sendable, Equatable {
  /// Why not: a clause without a full stop.
  public let reason: String
  /// The part, verbatim.
  public let bytes: [UInt8]
}

extension CalendarEntry {
  /// The most bytes of a description.
  static let longestText = 1 << 20
  /// The most bytes of a name and of an address.
  static let longestLine = 4096

  /// The post that the entry becomes.
  public var post: Post {
    Post(
      source: .manual, uri: uri, url: url, createdAt: start, endsAt: finish, title: name, caption: text, tags: tags,
      listsAttachments: false)
  }

  /// Name and description of a post: its title and its caption; without a title, the caption's first line and the others.
  public static func words(title: String?, caption: String) -> (name: String, text: String) {
    if let title, !title.isEmpty { return (title, caption) }
    let lines = caption.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = lines.count > 1 ? lines[1].drop { $0 == "\n" } : ""
    return (lines.first.map { String($0) } ?? "", String(rest))
  }
}
