import Services

/// What an archive says to hold, against what it holds.
public struct ImportBalance: Sendable, Hashable {
  /// The elements that the archive says to hold, posts and others; nil if it does not say.
  public var declared: Int?
  /// The elements that were found.
  public var found = 0
  /// The files that posts name.
  public var named = 0
  /// Those of them that are not there.
  public var absent: [String] = []
  /// Pictures, videos and sounds that no post names.
  public var unused: [String] = []

  /// Nothing.
  public init() {}

  /// How many elements are missing.
  public var missing: Int { max(0, (declared ?? 0) - found) }
}

/// Reads the posts of one form.
public protocol ImportReader: AnyObject {
  /// How many posts there are, as far as the reader knows before it reads them.
  var total: Int? { get }
  /// What was found and is no post, such as repeats of which only the address is known, each with its number.
  var leftOut: [(what: String, count: Int)] { get }
  /// What the archive says of itself, once all posts were read; nil if it is a folder of files that say nothing.
  var balance: ImportBalance? { get }

  /// Calls `found` with every post. It can be called again, and then finds the same.
  ///
  /// - Throws: `ImportError` if the whole cannot be read, and what `found` throws.
  func eachPost(_ found: (FoundPost) throws -> Void) throws

  /// Whether its posts come while somebody waits for them, so that they are stored soon.
  var isLive: Bool { get }

  /// Says that posts are stored with all their files.
  func stored(_ posts: [FoundPost])
}

extension ImportReader {
  /// Nil.
  public var balance: ImportBalance? { nil }

  /// False.
  public var isLive: Bool { false }

  /// Nothing.
  public func stored(_ posts: [FoundPost]) {}
}

/// A form in which posts come, and how it is recognized.
public struct ImportFormat: Sendable {
  /// The name that people type.
  public let name: String
  /// What it is, in a few words.
  public let summary: String
  /// Whether a file is the mark of this form, by its path and the beginning of its text.
  let isMark: @Sendable (_ path: String, _ head: [UInt8]) -> Bool
  /// Makes the reader.
  let reader: @Sendable (any ImportTree) throws -> any ImportReader

  init(
    _ name: String, _ summary: String, isMark: @escaping @Sendable (_ path: String, _ head: [UInt8]) -> Bool,
    reader: @escaping @Sendable (any ImportTree) throws -> any ImportReader
  ) {
    (self.name, self.summary, self.isMark, self.reader) = (name, summary, isMark, reader)
  }

  /// Every form, the more specific before the more general.
  public static let all: [ImportFormat] = Catalogue.archives.map(ImportFormat.init) + described + [.hydrus]

  /// The forms of programs that write a description beside each file, the more specific before the more general.
  private static let described = [ytDlp, .instaloader, .galleryDL]

  /// What a form is called where it is written, if that is another name than the one by which it is read.
  private static let otherNames = ["activitystreams": "mastodon"]

  /// The form with this name.
  ///
  /// - Parameters:
  ///   - name: The name, or the one by which the form is exported.
  ///   - known: The names that the error lists.
  /// - Throws: `ImportError.noFormat` if there is none.
  public static func named(_ name: String, among known: [String]) throws -> ImportFormat {
    guard let format = all.first(where: { $0.name == otherNames[name] ?? name }) else {
      throw ImportError.noFormat(name: name, others: known)
    }
    return format
  }

  /// The form of a tree, by the names and beginnings of its files.
  ///
  /// - Throws: `ImportError.notRecognized` if it has none.
  public static func recognized(_ tree: any ImportTree) throws -> ImportFormat {
    var best: Int?
    var left = mostLookedAt
    var other: ArchiveForm.Other?
    try tree.eachFile { file in
      other = other ?? Catalogue.archives.lazy.compactMap(\.other).first { $0.isMark(file.path) }
      let head = WideText.utf8(try file.read(upTo: headSize))
      if let index = all.prefix(best ?? all.count).firstIndex(where: { $0.isMark(file.path, head) }) {
        best = index
        left = min(left, mostAfterMark)
      }
      left -= 1
      return best != 0 && left > 0
    }
    guard let best else {
      throw other.map { ImportError.otherForm(path: tree.name, what: $0.what, cure: $0.cure) }
        ?? ImportError.notRecognized(path: tree.name)
    }
    return all[best]
  }

  /// The form of a download program whose description a file is; nil if it is none.
  static func described(_ file: any ImportFile) throws -> ImportFormat? {
    guard file.path.hasSuffix(".json") || file.path.hasSuffix(".json.xz") else { return nil }
    let head = WideText.utf8(try file.read(upTo: headSize))
    return described.first { $0.isMark(file.path, head) }
  }

  /// The bytes of a file that are looked at.
  private static let headSize = 4096
  /// The files that are looked at. Archives hold thousands of pictures before the first text.
  private static let mostLookedAt = 100_000
  /// The files that are looked at after the first mark, for a more specific one.
  private static let mostAfterMark = 200

  /// Makes the reader of a tree.
  public func makeReader(_ tree: any ImportTree) throws -> any ImportReader { try reader(tree) }
}
