import Blobs

/// How many pictures may be without their bytes before it is the folder that is amiss, not they.
///
/// A folder that is not mounted, was moved, or is another library's looks as if every picture were lost.
struct LossLimit {
  /// So many may be lost however few there are.
  private static let few = 20
  private static let chunk = 500

  private let blobs: DiskBlobs
  private let isLifted: Bool
  private let known: Int
  private var absent = 0
  private var met = 0

  /// `isLifted`: any number may be lost.
  init(of store: Store, in blobs: DiskBlobs, isLifted: Bool) throws {
    self.blobs = blobs
    self.isLifted = isLifted
    known = try store.read { try $0.row("SELECT count(*) FROM blob WHERE \(BlobRow.isShown)")?[0] ?? 0 }
  }

  /// Looks for every file that is counted on, without reading it; nobody may take any away meanwhile.
  mutating func lookAhead(in store: Store) throws {
    var last = Int64.min
    while let rows = try store.nonEmpty({ try BlobRow.after(last, limit: Self.chunk, in: $0) }) {
      for row in rows where row.isShown {
        if row.blob.map(blobs.contains) != true { absent += 1 }
      }
      last = rows.last?.id ?? .max
    }
  }

  /// One more whose bytes the disk does not give.
  mutating func meet() { met += 1 }

  /// Whether pictures may be given up, as far as is known now.
  var allowsLoss: Bool { isLifted || known == 0 || (max(absent, met) <= max(Self.few, known / 20) && blobs.isThere) }

  /// What is amiss, and the cure.
  var finding: Finding {
    let count = "\(max(absent, met)) of \(known) pictures have no file: is it the right blobs folder?"
    let fault = blobs.isThere ? "\(count) If not," : "the blobs folder is not there:"
    let words = "\(fault) put it back; no picture is given up before, but with \"media check --repair --lost\""
    return Finding(.absent, words, path: "blobs")
  }
}

extension Store {
  fileprivate func nonEmpty<Value>(_ read: (Database) throws -> [Value]) throws -> [Value]? {
    let values = try self.read(read)
    return values.isEmpty ? nil : values
  }
}
