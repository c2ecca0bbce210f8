import Blobs

/// Copies pictures from one store of blobs to another, which verifies each by its hash. What is there already is not copied;
/// where a library has no row of it, it is stored again, so that no garbage collection removes it before it has one.
public final class BlobCopier {
  private let source: any BlobStoring
  private let target: any BlobStoring
  private var drafts: [any BlobReceiving] = []
  /// The pictures that are in the target.
  public private(set) var present: Set<BlobID> = []
  private var absent: Set<BlobID> = []
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
  /// - Parameters:
  ///   - id: The picture.
  ///   - isKnown: Whether nobody removes it from the target if it is there: the target's library has a row of it, or no
  ///     garbage is collected there.
  /// - Throws: `BlobError` if the target cannot be written, or if a service cannot be used.
  public func add(_ id: BlobID, isKnown: Bool = true) throws {
    guard !present.contains(id), !absent.contains(id) else { return }
    let isThere = try target.stat(id) != nil
    if isThere, isKnown {
      present.insert(id)
      return
    }
    let copy = try target.draft(copying: id, from: source)
    guard let draft = try copy ?? (isThere ? target.draft(copying: id, from: target) : nil) else {
      absent.insert(id)
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
    copied += try target.keep(drafts).count { !$0.wasStored }
    drafts = []
  }

  /// Forgets that these pictures are present.
  func forget(_ ids: Set<BlobID>) { present.subtract(ids) }
}
