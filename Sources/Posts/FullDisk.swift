import Glibc

/// What is said of a disk that has no room, the same words wherever it is met.
public enum FullDisk {
  /// Whether a call failed for want of room on the disk or in the quota, by its `errno`.
  public static func isReason(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// What failed.
  public static func summary(_ path: String) -> String { "the disk is full, \(path) cannot be written" }

  /// What to do about it.
  public static let cure = "free some space and run the command again; what was stored stays"
}
