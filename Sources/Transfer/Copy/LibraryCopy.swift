import Blobs
import FoundationEssentials
import Storage

/// Copies a library into another one. What both hold is merged by its identity: the later of a delete and a restore wins,
/// and the later of two wordings; the other becomes a revision.
///
/// A batch is one transaction, after the bytes of its pictures are durable. What is there already is read and not written. So
/// a copy that was cut off is run again, and a repeated copy writes only what changed.
public struct LibraryCopy {
  /// One of the two libraries.
  public struct Side {
    /// Its store.
    public let store: Store
    /// Its pictures, which nobody removes meanwhile.
    public let blobs: any BlobStoring

    /// Creates a side of a copy.
    public init(_ store: Store, _ blobs: any BlobStoring) { (self.store, self.blobs) = (store, blobs) }
  }

  /// What a copy did.
  public struct Result: Sendable, Equatable {
    /// What became of the posts.
    public var posts = MergeResult()
    /// Pictures that were copied.
    public var pictures = 0
    /// Pictures that the first library does not have, or not whole.
    public var missing = 0
    /// Why records cannot be stored, and how many.
    public var refused: [String: Int] = [:]
    /// Coverage intervals that are not claimed: they overlap others, or lie below them.
    public var unclaimed = 0

    /// The number of posts that were looked at.
    public var count: Int { posts.new + posts.updated + posts.unchanged }
  }

  private let source, target: Side
  private let dryRun: Bool
  private let now: Date

  /// The records of a transaction.
  private static let batch = 500

  /// - Parameters:
  ///   - source: The library that is copied. It is not changed.
  ///   - target: The library into which it is copied.
  ///   - dryRun: Whether nothing is stored.
  ///   - now: The current time.
  public init(from source: Side, to target: Side, dryRun: Bool = false, now: Date) {
    (self.source, self.target, self.dryRun, self.now) = (source, target, dryRun, now)
  }

  /// Copies everything, as it is at one moment.
  ///
  /// - Parameter onProgress: Is told the result so far, after each batch.
  /// - Throws: `StorageError` or `BlobError`. What was copied before stays.
  public func run(_ onProgress: (Result) throws -> Void = { _ in }) throws -> Result {
    var merging = RecordMerging(
      into: target.store, target.blobs, from: source.blobs, dryRun: dryRun, believesTypes: true, now: now)
    var result = Result()
    var feeds: [TransferredFeed] = []
    try target.store.beginMerge()
    let source = source.store
    try Handover<[LibraryRecord]>.run(most: 1) {
      try Self.read(source, $0)
    } taking: { batches in
      while let records = try batches.take() {
        for case .feed(let feed) in records { feeds.append(feed) }
        let merged = try merging.merge(records)
        result.posts.add(merged.posts)
        result.pictures += merged.pictures
        result.missing += merged.missing
        for reason in merged.posts.refused.values { result.refused[reason, default: 0] += 1 }
        try onProgress(result)
      }
    }
    if !dryRun { for feed in feeds { result.unclaimed += try target.store.mergeCoverage(of: feed) } }
    return result
  }

  /// Reads the next records while those before are stored.
  private static func read(_ source: Store, _ batches: Handover<[LibraryRecord]>) throws {
    var records: [LibraryRecord] = []
    try source.eachRecord(of: nil, raw: true) { record in
      records.append(record)
      guard records.count >= batch else { return }
      guard batches.give(records) else { throw CancellationError() }
      records.removeAll(keepingCapacity: true)
    }
    _ = batches.give(records)
  }

  /// What of the first library the second one does not have: nothing, after a copy.
  ///
  /// - Parameter isNew: Whether the second library was empty: then it must be equal.
  /// - Returns: The first of what is missing or differs, and how much there is.
  public func verify(isNew: Bool) throws -> (found: [LibraryComparison.Difference], count: Int) {
    var (found, count): ([LibraryComparison.Difference], Int) = ([], 0)
    _ = try LibraryComparison(source.store, source.blobs, with: target.store, target.blobs).run { difference in
      guard isNew || difference.kind == .onlyInFirst || difference.lacksBytes else { return }
      count += 1
      if found.count < Self.mostNamed { found.append(difference) }
    }
    return (found, count)
  }

  private static let mostNamed = 20
}

extension LibraryComparison.Difference {
  /// Whether only one of the two libraries has the bytes of its pictures.
  var lacksBytes: Bool {
    if case .parts(let parts) = kind { parts.contains(LibraryComparison.bytesPart) } else { false }
  }
}
