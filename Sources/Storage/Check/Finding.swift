import Blobs

/// A problem in a library: its kind, its subject, and one sentence.
public struct Finding: Sendable, Hashable {
  /// The kind of a finding. The raw values are an interface for scripts and never change.
  public enum Kind: String, Sendable, CaseIterable {
    /// The store's own file is damaged.
    case damaged
    /// A row refers to a missing row.
    case reference
    /// The search index does not match the posts.
    case search = "search-index"
    /// A coverage interval claims what its posts do not support.
    case coverage
    /// A list has a post at another date than the post's own.
    case order
    /// A time has another form than the one in which texts sort as times do.
    case time
    /// A stored total differs from the count.
    case count
    /// A stored picture has no file.
    case missing = "blob-missing"
    /// A stored picture's file is too short or too long.
    case length = "blob-length"
    /// A stored picture's file has other bytes than were written.
    case bytes = "blob-bytes"
    /// A stored picture's file cannot be read.
    case unreadable = "blob-unreadable"
    /// A stored picture has the bytes that came, and its end is missing.
    case cut = "blob-cut"
    /// So many stored pictures have no file that the folder is probably wrong. None is given up.
    case absent = "blobs-absent"
    /// A picture that was given up has its file again.
    case returned = "blob-returned"
    /// A picture's file without a row, as a kill leaves it. This is waste, not a fault.
    case orphan
    /// A file of an interrupted download. This is waste, not a fault.
    case leftover
    /// So many files without a row that the store is probably another library's.
    case strangers
    /// A post's text is not what was written.
    case text
    /// A verbatim answer that cannot be read.
    case answer
    /// A file in the pictures' folders that this program did not write.
    case foreign
    /// A picture that a repair gave up and that could not be fetched again.
    case pending = "picture-pending"
    /// A stored picture that nothing shows. This is waste, not a fault.
    case unreferenced
  }

  /// Its kind.
  public let kind: Kind
  /// The file's path within the library, if it is about a file.
  public var path: String?
  /// The picture it is about.
  public var blob: BlobID?
  /// The number of an affected post.
  public var post: Int64?
  /// The size of the waste, in bytes.
  public var byteCount: Int?
  /// One sentence without its full stop.
  public let detail: String

  /// Creates a finding. The path is the blob's if only the blob is given.
  package init(
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

  /// Whether something is wrong. What garbage collection removes is not a fault.
  public var isFault: Bool { ![.unreferenced, .orphan, .leftover].contains(kind) }
}

/// The result of a check.
public struct CheckResult: Sendable, Equatable {
  /// Posts in the library, deleted ones included.
  public var posts = 0
  /// Stored pictures and files, avatars included.
  public var blobs = 0
  /// Their total length, in bytes.
  public var blobBytes = 0
  /// Faults found.
  public var faults = 0
  /// Faults that remain.
  public var remaining = 0
  /// Whether the store's own file is damaged.
  public var isDamaged = false
  /// Posts whose pictures a repair gave up, and that are to be fetched again.
  public var postsToFetch: [Int64] = []

  /// Creates a result; by default, nothing was checked.
  public init(
    posts: Int = 0, blobs: Int = 0, blobBytes: Int = 0, faults: Int = 0, remaining: Int = 0, isDamaged: Bool = false,
    postsToFetch: [Int64] = []
  ) {
    (self.posts, self.blobs, self.blobBytes) = (posts, blobs, blobBytes)
    (self.faults, self.remaining, self.isDamaged) = (faults, remaining, isDamaged)
    self.postsToFetch = postsToFetch
  }
}

/// The progress of a check.
public enum CheckStep: Sendable, Equatable {
  /// The rows are checked for one kind of fault: its name, how many kinds are done, and how many there are.
  case rows(String, done: Int, known: Int)
  /// The number of pictures read, their total number, and the bytes read.
  case pictures(done: Int, known: Int, bytes: Int)
  /// The folders of the pictures are checked.
  case folders
}

extension Finding {
  /// The finding about a blob without a row.
  static func orphan(_ blob: BlobInfo) -> Finding {
    Finding(.orphan, "\(blob.id.path) is known to no row", blob: blob.id, byteCount: blob.byteCount)
  }

  /// The finding about a folder of `count` pictures that this user may not enter.
  static func closed(_ folder: String, _ count: Int) -> Finding {
    let pictures = count == 1 ? "a picture of the library" : "\(count) pictures of the library"
    let detail = "\(folder) may not be read, and \(pictures) in it \(count == 1 ? "was" : "were") not checked"
    return Finding(.unreadable, "\(detail): check who owns it", path: folder)
  }

  /// The finding about something among the pictures that is none.
  init(_ residue: BlobResidue, isOthers: Bool = false) {
    switch residue.kind {
    case .unread: self.init(.foreign, "\(residue.name) cannot be read, and stays", path: residue.name)
    case _ where isOthers:
      self.init(.foreign, "\(residue.name) may be another library's or a backup's, and stays", path: residue.name)
    case .leftover:
      self.init(
        .leftover, "\(residue.name) was left behind by an interrupted download", path: residue.name,
        byteCount: residue.byteCount)
    case .foreign: self.init(.foreign, "\(residue.name) is not a picture of the library", path: residue.name)
    }
  }

  /// The finding about `count` files without a row.
  static func strangers(_ count: Int) -> Finding {
    Finding(
      .strangers,
      "\(count) pictures are known to no row, more than those that one knows: is media.sqlite the right one? "
        + "\"media check --repair\" takes them in",
      path: "blobs"
    )
  }
}
