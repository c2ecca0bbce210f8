import Blobs

/// Decides whether missing files are lost pictures or a wrong folder.
///
/// A folder that is not mounted, was moved, or belongs to another library looks as if every picture were lost.
struct LossLimit {
  /// So many may be lost in any library.
  private static let few = 20
  private static let chunk = 500
  private static let lanes = Lanes(16)

  private let blobs: any BlobStoring
  private let isLifted: Bool
  private let known: Int
  private var absent = 0
  private var losses = 0

  /// With `isLifted`, any number may be lost.
  init(of store: Store, in blobs: any BlobStoring, isLifted: Bool) throws {
    self.blobs = blobs
    self.isLifted = isLifted
    known = try store.read { try $0.value("SELECT count(*) FROM blob WHERE \(BlobRow.isShown)") ?? 0 }
  }

  /// Counts the missing files of shown pictures, without reading files. No file may be removed meanwhile.
  mutating func lookAhead(in store: Store) throws {
    let blobs = blobs
    var last = Int64.min
    while let rows = try store.nonEmpty({ try BlobRow.after(last, limit: Self.chunk, in: $0) }) {
      let found = Self.lanes.map(rows.filter(\.isShown)) { row throws(BlobError) in
        guard let blob = row.blob else { return false }
        return try blobs.contains(blob)
      }
      absent += found.count { found in
        // What this user may not look at is not lost.
        if case .failure(.readOnly) = found { return false }
        return (try? found.get()) != true
      }
      last = rows.last?.id ?? .max
    }
  }

  /// The most of so many pictures that may be lost by chance.
  static func most(of known: Int) -> Int { max(few, known / 20) }

  /// Counts one more blob whose bytes the disk does not return.
  mutating func countLoss() { losses += 1 }

  /// Whether pictures may be given up, as far as is known now.
  var allowsLoss: Bool { isLifted || known == 0 || (max(absent, losses) <= Self.most(of: known) && blobs.isThere) }

  /// The problem, and the cure.
  var finding: Finding {
    let count = "\(max(absent, losses)) of \(known) pictures have no file: is it the right blobs folder?"
    let fault = blobs.isThere ? "\(count) If not," : "the blobs folder is not there:"
    let detail = "\(fault) put it back; no picture is given up before, but with \"media check --repair --lost\""
    return Finding(.absent, detail, path: "blobs")
  }
}

extension Store {
  fileprivate func nonEmpty<Value>(_ read: (Database) throws -> [Value]) throws -> [Value]? {
    let values = try self.read(read)
    return values.isEmpty ? nil : values
  }
}
