import Blobs
import FoundationEssentials
import Posts
import Storage

/// Merges a file of lines of JSON into a library: an empty library becomes equal to the one that was exported. Each batch is
/// one transaction. An import that was interrupted is run again: what it stored already changes nothing.
public struct NdjsonImport {
  /// What an import did.
  public struct Result: Sendable, Equatable {
    /// What became of the posts.
    public var posts = MergeResult()
    /// Pictures that were copied into the library.
    public var pictures = 0
    /// Lines that cannot be read, and records that cannot be stored. They are kept in the quarantine.
    public var unreadable = 0
    /// Coverage intervals that are not claimed, because they overlap others, or because posts of them are missing.
    public var unclaimed = 0
    /// Whether the file's end was reached, and has as many posts as it says.
    public var isComplete = false
  }

  private let store: any LibraryTransfer
  private let blobs: any BlobStoring
  private let pictures: (any BlobStoring)?
  private let dryRun: Bool
  private let now: Date

  /// The number of records, and of bytes, of a transaction.
  private static let (batch, batchBytes) = (500, 4 << 20)

  /// - Parameters:
  ///   - store: The library.
  ///   - blobs: Its pictures.
  ///   - pictures: The pictures beside the file, if any.
  ///   - dryRun: Whether nothing is stored.
  ///   - now: The current time.
  public init(
    into store: any LibraryTransfer, blobs: any BlobStoring, pictures: (any BlobStoring)? = nil, dryRun: Bool = false,
    now: Date
  ) {
    (self.store, self.blobs, self.pictures, self.dryRun, self.now) = (store, blobs, pictures, dryRun, now)
  }

  /// Reads the file and merges it.
  ///
  /// - Parameters:
  ///   - read: Returns the file's next bytes; none at its end.
  ///   - onProgress: Is told the result so far, after each batch.
  /// - Throws: `NdjsonError`, `StorageError`, `BlobError`, or what `read` throws. What was merged before stays.
  public func run(read: @escaping () throws -> [UInt8], onProgress: (Result) throws -> Void = { _ in }) throws -> Result
  {
    var reader = NdjsonReader(read: read)
    var result = Result()
    var feeds: [TransferredFeed] = []
    var posts = 0
    var batch: [(record: LibraryRecord, bytes: [UInt8])] = []
    var size = 0
    try store.beginMerge()
    func flush() throws {
      try merge(batch, &result)
      (batch, size) = ([], 0)
      try onProgress(result)
    }
    while let line = try reader.next() {
      switch line {
      case .record(let record, let bytes):
        if case .post = record { posts += 1 }
        if case .feed(let feed) = record, !feed.coverage.isEmpty || !feed.pulls.isEmpty { feeds.append(feed) }
        batch.append((record, bytes))
        size += bytes.count
        if batch.count >= Self.batch || size >= Self.batchBytes { try flush() }
      case .unreadable(let reason, let bytes):
        result.unreadable += 1
        try setAside(bytes, reason)
      case .end(let count): result.isComplete = count == posts
      }
    }
    try flush()
    // Of a file that is cut off, the rest may come later, and intervals are claimed in their order.
    if !dryRun, result.isComplete { for feed in feeds { result.unclaimed += try store.mergeCoverage(of: feed) } }
    return result
  }

  private func merge(_ batch: [(record: LibraryRecord, bytes: [UInt8])], _ result: inout Result) throws {
    guard !batch.isEmpty else { return }
    let records = batch.map(\.record)
    let wanted = records.flatMap(\.blobs)
    var stored: Set<BlobID> = []
    if !dryRun, let pictures {
      let copier = BlobCopier(from: pictures, to: blobs)
      for id in wanted { try copier.add(id) }
      try copier.finish()
      stored = copier.present
      result.pictures += copier.copied
    } else {
      for id in wanted where try blobs.stat(id) != nil { stored.insert(id) }
    }
    let merged = try store.merge(records, stored: stored, dryRun: dryRun, now: now)
    result.posts.add(merged)
    for (index, reason) in merged.refused.sorted(by: { $0.key < $1.key }) {
      result.unreadable += 1
      try setAside(batch[index].bytes, reason)
    }
  }

  private func setAside(_ bytes: [UInt8], _ reason: String) throws {
    guard !dryRun else { return }
    try blobs.appendToQuarantine(String(decoding: bytes, as: UTF8.self))
  }
}
