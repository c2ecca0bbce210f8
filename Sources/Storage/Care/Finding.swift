import Blobs

/// Something that is not in order in a library: what it is, what it is about, and one sentence.
public struct Finding: Sendable, Hashable {
  /// What kind of thing it is. The words are kept for scripts and never change.
  public enum Kind: String, Sendable, CaseIterable {
    /// The store's own file contradicts itself.
    case damaged
    /// A row names another one that is not there.
    case reference
    /// The search index does not say what the posts say.
    case search = "search-index"
    /// A stretch of a feed claims what its posts do not bear out.
    case coverage
    /// A list has a post at another date than its own.
    case order
    /// A number that is kept is not the number that is counted.
    case count
    /// A kept picture has no file.
    case missing = "blob-missing"
    /// A kept picture's file is too short or too long.
    case length = "blob-length"
    /// A kept picture's file has other bytes than were written.
    case bytes = "blob-bytes"
    /// The disk does not give a kept picture's bytes.
    case unreadable = "blob-unreadable"
    /// So many kept pictures have no file that the folder must be elsewhere; nothing is given up for it.
    case absent = "blobs-absent"
    /// A picture that was given up has its file again.
    case returned = "blob-returned"
    /// A picture's file that no row knows, as a kill leaves it: no fault, only waste.
    case orphan
    /// What an interrupted download left behind: no fault, only waste.
    case leftover
    /// So many pictures that no row knows that the store may be another's.
    case strangers
    /// A post's text is not what was written.
    case text
    /// A verbatim answer that cannot be read any more.
    case answer
    /// Something among the pictures that was not put there by this program.
    case foreign
    /// A picture that was given up in a repair and did not come anew.
    case pending = "picture-pending"
    /// A kept picture that nothing shows: no fault, only waste.
    case unreferenced
  }

  /// What kind of thing it is.
  public let kind: Kind
  /// Where it lies within the library, where it is about a file.
  public var path: String?
  /// The picture it is about.
  public var blob: BlobID?
  /// The number of a post that it touches.
  public var post: Int64?
  /// The length of what is wasted, in bytes.
  public var byteCount: Int?
  /// One sentence without its full stop.
  public let detail: String

  init(
    _ kind: Kind,
    _ detail: String,
    path: String? = nil,
    blob: BlobID? = nil,
    post: Int64? = nil,
    byteCount: Int? = nil
  ) {
    self.kind = kind
    self.detail = detail
    self.path = path ?? blob?.path
    self.blob = blob
    self.post = post
    self.byteCount = byteCount
  }

  /// Whether something is wrong, and not only unneeded: what a collection of garbage takes is no fault.
  public var isFault: Bool { ![.unreferenced, .orphan, .leftover].contains(kind) }
}

/// What a check came to.
public struct CheckResult: Sendable, Equatable {
  /// Posts that the library holds, deleted ones among them.
  public var posts = 0
  /// Kept pictures and files, avatars among them.
  public var blobs = 0
  /// Their length together, in bytes.
  public var blobBytes = 0
  /// Faults that were found.
  public var faults = 0
  /// Faults that are still there.
  public var remaining = 0
  /// Whether the store's own file is among them.
  public var isDamaged = false
  /// Posts whose pictures were given up in a repair: to be fetched anew.
  public var postsToFetch: [Int64] = []
}

/// How far a check has come.
public enum CheckStep: Sendable, Equatable {
  /// The rows are looked through for one kind of fault: its name, how many kinds are done, and how many there are.
  case rows(String, done: Int, known: Int)
  /// So many pictures of so many are read, and so many of their bytes.
  case pictures(done: Int, known: Int, bytes: Int)
  /// The folders of the pictures are looked through.
  case folders
}

extension Finding {
  /// So many files that no row knows.
  static func strangers(_ count: Int) -> Finding {
    Finding(
      .strangers,
      "\(count) pictures are known to no row, more than those that one knows: is media.sqlite the right one? "
        + "\"media check --repair\" takes them in",
      path: "blobs"
    )
  }
}
