import Blobs

/// A blob whose row and file disagree.
struct FaultyBlob {
  /// What a repair does about it.
  enum Remedy {
    case nothing
    case giveUp
    case restore
  }

  let row: BlobRow
  let finding: Finding
  let remedy: Remedy
  var isMended = false

  /// Whether the disk returns no bytes, rather than wrong ones.
  var isOfDisk: Bool { finding.kind == .missing || finding.kind == .unreadable }

  /// A file whose bytes are those that came, and end before the picture does. Bytes that cannot be fetched anew stay.
  init(cut row: BlobRow) {
    let problem = "\(row.blob?.path ?? row.name) is cut short"
    let rest = row.isOnly ? ", and there is no address to fetch it from" : ""
    self.row = row
    finding = Finding(.cut, problem + rest, path: row.blob?.path, blob: row.blob, post: row.post)
    remedy = row.isOnly ? .nothing : .giveUp
  }

  /// A good file is a fault if an attachment gave it up.
  init(_ row: BlobRow, _ condition: BlobCondition) {
    let name = row.blob?.path ?? row.name
    let rest = row.isOnly ? ", and there is no address to fetch it from" : ""
    let finding = { (kind: Finding.Kind, problem: String) in
      Finding(kind, "\(name) \(problem)", path: row.blob?.path, blob: row.blob, post: row.post)
    }
    self.row = row
    (self.finding, remedy) =
      switch condition {
      case .good: (finding(.returned, "was given up, and is there again"), .restore)
      case .missing: (finding(.missing, "is missing\(rest)"), .giveUp)
      case .wrongLength(let length):
        (finding(.length, "has \(length) bytes instead of \(row.byteCount)\(rest)"), .giveUp)
      case .wrongBytes: (finding(.bytes, "has other bytes than were stored\(rest)"), .giveUp)
      case .unreadable(let reason): (finding(.unreadable, "cannot be read (\(reason))\(rest)"), .giveUp)
      case .withheld(let reason): (finding(.unreadable, "cannot be read now (\(reason))"), .nothing)
      }
  }
}
