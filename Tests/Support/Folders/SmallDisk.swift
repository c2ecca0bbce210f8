import Foundation

/// A small file system in memory. Mounting it needs root.
public final class SmallDisk: Sendable {
  /// Whether tests can mount one on this machine.
  public static let isPossible: Bool = getuid() == 0 && (try? SmallDisk(bytes: 65_536)) != nil

  /// Where it is mounted.
  public let scratch: Scratch

  /// Mounts a file system of this size.
  public init(bytes: Int) throws {
    scratch = try Scratch()
    guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw Self.problem }
  }

  /// Makes it read-only.
  public func makeReadOnly() throws {
    try waiting {
      if mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 { return true }
      guard errno == EBUSY else { throw Self.problem }
      return false
    }
  }

  /// Fills the disk except for this number of bytes.
  public func fill(leaving bytes: Int) throws {
    let free = try settle()
    try Data(repeating: 0, count: max(0, free - bytes)).write(to: URL(filePath: "\(scratch.path)/ballast"))
  }

  /// Waits until only files that have a name take space.
  ///
  /// - Returns: The bytes that are free then.
  @discardableResult
  public func settle() throws -> Int {
    var status = statvfs()
    try waiting {
      guard statvfs(scratch.path, &status) == 0 else { throw Self.problem }
      return Int(status.f_blocks - status.f_bfree) * Int(status.f_bsize) <= usedBytes
    }
    return Int(status.f_bavail) * Int(status.f_bsize)
  }

  /// Frees the space again.
  public func empty() throws { try FileManager.default.removeItem(atPath: "\(scratch.path)/ballast") }

  /// The bytes of all files that have a name.
  private var usedBytes: Int {
    let files = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String } ?? []
    return files.reduce(0) { sum, name in
      var status = stat()
      return stat("\(scratch.path)/\(name)", &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
    }
  }

  /// Waits for a condition. A child process of another test holds files open between fork and exec, although this process
  /// has closed them.
  private func waiting(_ condition: () throws -> Bool) throws {
    for _ in 0..<6_000 {
      if try condition() { return }
      usleep(10_000)
    }
    throw POSIXError(.EBUSY)
  }

  deinit { umount2(scratch.path, Int32(MNT_DETACH)) }

  private static var problem: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
