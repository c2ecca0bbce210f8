import Glibc

/// The messages for a full disk, the same for every operation.
package enum FullDisk {
  /// Whether an `errno` means that the disk or the quota is full.
  package static func isReason(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// What failed.
  package static func summary(_ path: String) -> String { "the disk is full, \(path) cannot be written" }

  /// What to do about it.
  package static let cure = "free some space and run the command again; what was stored stays"
}
