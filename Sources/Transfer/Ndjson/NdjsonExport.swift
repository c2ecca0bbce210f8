import Blobs
import FoundationEssentials
import Machine
import Storage

/// Writes a library, or some of its posts, as lines of JSON, with the bytes of pictures beside them.
public struct NdjsonExport {
  /// What was written.
  public struct Result: Sendable, Equatable {
    /// The number of posts.
    public var posts = 0
    /// The number of pictures that were copied.
    public var pictures = 0
    /// The number of pictures whose bytes are missing from the library.
    public var missing = 0
  }

  private let store: Store
  private let program: String
  private let now: Date

  /// - Parameters:
  ///   - store: The library.
  ///   - program: The version of the program.
  ///   - now: The current time.
  public init(of store: Store, program: String, now: Date) {
    (self.store, self.program, self.now) = (store, program, now)
  }

  /// The number of bytes that are written at once, and of records that are read ahead.
  private static let (piece, ahead) = (256 << 10, 250)

  /// Writes the lines.
  ///
  /// - Parameters:
  ///   - query: The posts; nil for everything.
  ///   - raw: Whether posts have their verbatim answers.
  ///   - pictures: Copies the pictures of what is written.
  ///   - write: Takes the file's next bytes.
  /// - Throws: `StorageError`, or what `write` and `pictures` throw.
  public func run(
    of query: PostQuery? = nil, raw: Bool = false, copying pictures: BlobCopier? = nil,
    to write: ([UInt8]) throws -> Void
  ) throws -> Result {
    var writer = NdjsonWriter()
    var piece = writer.begin(program: program, isWhole: query == nil, exportedAt: UTC.text(now))
    piece.reserveCapacity(2 * Self.piece)
    try Handover<[LibraryRecord]>.run(most: 2) {
      try read(query, raw, $0)
    } taking: { batches in
      while let records = try batches.take() {
        for record in records {
          writer.line(record) { piece += $0 }
          for hash in record.blobs { try pictures?.add(hash) }
          guard piece.count >= Self.piece else { continue }
          try write(piece)
          piece.removeAll(keepingCapacity: true)
        }
      }
    }
    try pictures?.finish()
    try write(piece + writer.end())
    return Result(posts: writer.posts, pictures: pictures?.copied ?? 0, missing: pictures?.missing ?? 0)
  }

  /// Reads the next records while those before are written.
  private func read(_ query: PostQuery?, _ raw: Bool, _ batches: Handover<[LibraryRecord]>) throws {
    var records: [LibraryRecord] = []
    try store.eachRecord(of: query, raw: raw) { record in
      records.append(record)
      guard records.count >= Self.ahead || raw && records.count >= Self.ahead / 5 else { return }
      guard batches.give(records) else { throw CancellationError() }
      records.removeAll()
    }
    _ = batches.give(records)
  }
}

extension LibraryRecord {
  /// The pictures whose bytes the library has.
  var blobs: [BlobID] {
    func id(_ blob: RecordFields<TransferColumns.Blob>?) -> BlobID? { blob?[.sha256].text.flatMap(BlobID.init) }
    return switch self {
    case .author(let author): author.fields[.avatarState].text == "stored" ? [id(author.avatar)].compactMap(\.self) : []
    case .post(let post): post.attachments.compactMap { $0.isStored ? id($0.blob) : nil }
    case .setting, .album, .search, .hidden, .rule, .verdict, .tagVerdict, .feed, .unreadable: []
    }
  }

  /// The record with other values of its pictures' bytes.
  func mapBlobs(
    _ change: (RecordFields<TransferColumns.Blob>) throws -> RecordFields<TransferColumns.Blob>
  ) rethrows -> LibraryRecord {
    switch self {
    case .author(var author):
      author.avatar = try author.avatar.map(change)
      return .author(author)
    case .post(var post):
      for index in post.attachments.indices {
        post.attachments[index].blob = try post.attachments[index].blob.map(change)
      }
      return .post(post)
    case .setting, .album, .search, .hidden, .rule, .verdict, .tagVerdict, .feed, .unreadable: return self
    }
  }
}
