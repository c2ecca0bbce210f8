import Blobs
import Storage

/// Copies pictures from one store of blobs to another, which verifies each by its hash. What is there already is not copied.
public final class BlobCopier {
  private let source: any BlobStoring
  private let target: any BlobStoring
  private var drafts: [any BlobReceiving] = []
  /// The pictures that are in the target.
  public private(set) var present: Set<BlobID> = []
  /// The number of pictures that were copied.
  public private(set) var copied = 0
  /// The number of pictures that the source does not have, or not whole.
  public private(set) var missing = 0

  /// How many pictures are kept at once, in one sync of the disk.
  private static let batch = 64

  /// A copier from one store to another.
  public init(from source: any BlobStoring, to target: any BlobStoring) {
    (self.source, self.target) = (source, target)
  }

  /// Copies a picture, at the latest with the next `finish`.
  ///
  /// - Throws: `BlobError` if the target cannot be written.
  public func add(_ id: BlobID) throws {
    guard !present.contains(id) else { return }
    if try target.stat(id) != nil {
      present.insert(id)
      return
    }
    guard let draft = try target.draft(copying: id, from: source) else {
      missing += 1
      return
    }
    drafts.append(draft)
    present.insert(id)
    if drafts.count >= Self.batch { try finish() }
  }

  /// Keeps what was copied.
  ///
  /// - Throws: `BlobError` if the target cannot be written.
  public func finish() throws {
    guard !drafts.isEmpty else { return }
    _ = try target.keep(drafts)
    copied += drafts.count
    drafts = []
  }

  /// Forgets which pictures are present, so that memory does not grow.
  public func forget() { present = [] }
}
