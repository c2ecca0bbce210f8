import Glibc

/// The room on the file system that a folder lies on, in bytes.
public struct DiskRoom: Sendable, Hashable {
  /// What is left to its owner.
  public var free: Int64
  /// All there is.
  public var size: Int64

  /// Room from its parts.
  public init(free: Int64, size: Int64) {
    self.free = free
    self.size = size
  }

  /// The room where a folder lies (statvfs(3)); nil where the system does not say.
  public init?(of folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    let block = Int64(status.f_frsize)
    free = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: block).partialValue
    size = Int64(clamping: status.f_blocks).multipliedReportingOverflow(by: block).partialValue
  }
}
