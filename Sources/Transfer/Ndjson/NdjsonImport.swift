import Blobs
import FoundationEssentials
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
    /// Pictures of the file that neither the library nor the folder beside the file has.
    public var missing = 0
    /// Lines that cannot be read, and records that cannot be stored. They are kept in the quarantine.
    public var unreadable = 0
    /// Coverage intervals that are not claimed, because they overlap others, or because posts of them are missing.
    public var unclaimed = 0
    /// Whether the file's end was reached, and has as many posts as it says.
    public var isComplete = false
  }

  private let store: Store
  private let blobs: any BlobStoring
  private let merging: RecordMerging
  private let dryRun: Bool

  /// The number of records, and of bytes, of a transaction.
  private static let (batch, batchBytes) = (1000, 4 << 20)

  /// - Parameters:
  ///   - store: The library.
  ///   - blobs: Its pictures.
  ///   - pictures: The pictures beside the file, if any.
  ///   - dryRun: Whether nothing is stored.
  ///   - arriving: If nothing is stored: the pictures that come along otherwise.
  ///   - now: The current time.
  public init(
    into store: Store, blobs: any BlobStoring, pictures: (any BlobStoring)? = nil, dryRun: Bool = false,
    arriving: Set<BlobID> = [], now: Date
  ) {
    (self.store, self.blobs, self.dryRun) = (store, blobs, dryRun)
    merging = RecordMerging(
      into: store, blobs, from: pictures, dryRun: dryRun, believesTypes: false, arriving: arriving, now: now)
  }

  /// Reads the file and merges it.
  ///
  /// - Parameters:
  ///   - read: Returns the file's next bytes; none at its end.
  ///   - onProgress: Is told the result so far, after each batch.
  /// - Throws: `NdjsonError`, `StorageError`, `BlobError`, or what `read` throws. What was merged before stays.
  public func run(read: @escaping () throws -> [UInt8], onProgress: (Result) throws -> Void = { _ in }) throws -> Result
  {
    var result = Result()
    var feeds: [TransferredFeed] = []
    var posts = 0
    var merging = merging
    try store.beginMerge()
    try Handover<Batch>.run(most: 1) {
      try Self.read(read, $0)
    } taking: { batches in
      while let batch = try batches.take() {
        for case .feed(let feed) in batch.records where !feed.coverage.isEmpty || !feed.pulls.isEmpty {
          feeds.append(feed)
        }
        posts += batch.records.count { if case .post = $0 { true } else { false } }
        result.unreadable += batch.unreadable.count
        for (reason, bytes) in batch.unreadable { try setAside(bytes, reason) }
        try merge(batch, &merging, &result)
        if let end = batch.end { result.isComplete = end == posts }
        try onProgress(result)
      }
    }
    // Of a file that is cut off, the rest may come later, and intervals are claimed in their order.
    if !dryRun, result.isComplete { for feed in feeds { result.unclaimed += try store.mergeCoverage(of: feed) } }
    return result
  }

  /// Decodes the lines of the next batch while the one before is stored.
  private static func read(_ read: @escaping () throws -> [UInt8], _ batches: Handover<Batch>) throws {
    var reader = NdjsonReader(read: read)
    var batch = Batch()
    while let line = try reader.next() {
      batch.add(line)
      guard batch.lines.count >= Self.batch || batch.byteCount >= Self.batchBytes else { continue }
      guard batches.give(batch) else { return }
      batch = Batch()
    }
    _ = batches.give(batch)
  }

  private func merge(_ batch: Batch, _ merging: inout RecordMerging, _ result: inout Result) throws {
    let merged = try merging.merge(batch.records)
    result.pictures += merged.pictures
    result.missing += merged.missing
    result.posts.add(merged.posts)
    for (index, reason) in merged.posts.refused.sorted(by: { $0.key < $1.key }) {
      result.unreadable += 1
      try setAside(batch.lines[index], reason)
    }
  }

  private func setAside(_ bytes: [UInt8], _ reason: String) throws {
    guard !dryRun else { return }
    try blobs.appendToQuarantine(String(decoding: bytes, as: UTF8.self))
  }
}

/// Lines that are stored in one transaction.
private struct Batch: Sendable {
  private(set) var records: [LibraryRecord] = []
  /// The line of each record.
  private(set) var lines: [[UInt8]] = []
  private(set) var unreadable: [(reason: String, bytes: [UInt8])] = []
  /// The number of posts that the file says it has, if its end is among the lines.
  private(set) var end: Int?
  private(set) var byteCount = 0

  mutating func add(_ line: NdjsonReader.Line) {
    switch line {
    case .record(let record, let bytes):
      records.append(record)
      lines.append(bytes)
      byteCount += bytes.count
    case .unreadable(let reason, let bytes):
      unreadable.append((reason, bytes))
      byteCount += bytes.count
    case .end(let count): end = count
    }
  }
}
