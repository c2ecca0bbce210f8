import Foundation

/// A file system of some kilobytes in memory, mounted where only root may.
public final class SmallDisk: Sendable {
  /// Whether this machine lets a test mount one.
  public static let isPossible: Bool = getuid() == 0 && (try? SmallDisk(bytes: 65_536)) != nil

  /// Where it is mounted.
  public let scratch: Scratch

  /// A new one that holds so much.
  public init(bytes: Int) throws {
    scratch = try Scratch()
    guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw Self.problem }
  }

  /// From now on nothing can be written on it.
  public func makeReadOnly() throws {
    // A child of another test that begins just now holds open, until it runs its program, what is long closed in here.
    for _ in 0..<6_000 {
      if mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 { return }
      guard errno == EBUSY else { break }
      usleep(10_000)
    }
    throw Self.problem
  }

  /// Takes all room but so many bytes.
  public func fill(leaving bytes: Int) throws {
    var status = statvfs()
    guard statvfs(scratch.path, &status) == 0 else { throw Self.problem }
    let free = Int(status.f_bavail) * Int(status.f_bsize)
    try Data(repeating: 0, count: max(0, free - bytes)).write(to: URL(filePath: "\(scratch.path)/ballast"))
  }

  /// Gives it back.
  public func empty() throws { try FileManager.default.removeItem(atPath: "\(scratch.path)/ballast") }

  deinit { umount2(scratch.path, Int32(MNT_DETACH)) }

  private static var problem: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
