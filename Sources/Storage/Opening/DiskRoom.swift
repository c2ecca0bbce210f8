import Glibc

/// The space of the file system that holds a folder, in bytes.
public struct DiskRoom: Sendable, Hashable {
  /// The space available to its owner.
  public var free: Int64
  /// The total space.
  public var size: Int64

  /// Creates the room of a disk, in bytes.
  public init(free: Int64, size: Int64) {
    self.free = free
    self.size = size
  }

  /// Reads the space with statvfs(3). Nil if the system does not report it.
  public init?(of folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    let block = Int64(status.f_frsize)
    free = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: block).partialValue
    size = Int64(clamping: status.f_blocks).multipliedReportingOverflow(by: block).partialValue
  }
}
